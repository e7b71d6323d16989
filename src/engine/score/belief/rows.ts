/** Rows of a theory: its predictions there at each draw of its latents, computed once and asked many times. */
import { RandomStream } from "../../../base/random.ts";
import { CompiledNodes } from "../../inference/density/compiled_nodes.ts";
import { replicated, type RowsAtDraws, rowsAtDraws } from "../../inference/predict/draws.ts";
import { nodesOfDistribution } from "../../inference/predict/interpreter.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import { type ResponseTransform, untransformed } from "../../language/ir/response_transform.ts";
import { densitiesOfRows } from "../outcomes.ts";
import type { NewRows } from "../predictions.ts";
import { type Design, drawsInOrder, type NamedDraws, theoryAt } from "./theory.ts";

/** Outcomes whose densities are asked for. */
export interface Outcomes {
  /** Outcomes of each row. */
  readonly points: number;
  /** `[rows, points]`. */
  readonly values: Float64Array;
}

/**
 * The distributions of the response at rows, for draws of the latents.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { TheoryRows } from "./rows.ts";
 * const theory = `import pymc as pm
 *
 * with pm.Model() as model:
 *     slope = pm.Normal("slope", 0, 1)
 *     pm.Normal("y", slope * data["x"], 1, observed=data["y"])
 * `;
 * const design = [
 *   { name: "x", role: "predictor", type: "real" },
 *   { name: "y", role: "response", type: "real" },
 * ] as const;
 * const latents = { names: ["slope"], draws: 2, parameters: [Float64Array.of(3, -3)] };
 * const at = { rows: 1, columns: new Map([["x", Float64Array.of(2)]]) };
 * const rows = new TheoryRows(theory, design, latents, at);
 * const [high, low] = rows.simulate(["a key"]);
 * assert(Math.abs(high - 6) < 5 && Math.abs(low + 6) < 5);
 * const [likely, unlikely] = rows.densities({ points: 1, values: Float64Array.of(6) });
 * assert(Math.abs(likely - 1 / Math.sqrt(2 * Math.PI)) < 1e-7 && unlikely < 1e-7);
 * ```
 */
export class TheoryRows {
  readonly #draws: number;
  readonly #rows: RowsAtDraws;
  readonly #nodes: readonly number[];
  readonly #transform: ResponseTransform | undefined;
  /** Arguments of the distributions, by draw and node. */
  readonly #known: ReadonlyMap<number, ArrayValue>[] = [];

  /**
   * Reads the program at rows.
   *
   * @throws InputError if it cannot be read there.
   */
  constructor(text: string, design: Design, latents: NamedDraws, at: NewRows) {
    const { program, dataset } = theoryAt(text, design, at);
    const own = drawsInOrder(latents, program);
    this.#draws = latents.draws;
    this.#transform = program.likelihood.transform;
    this.#rows = rowsAtDraws(program, dataset, own, { key: [], nodes: CompiledNodes });
    this.#nodes = nodesOfDistribution(this.#rows.distribution);
  }

  /**
   * A response of every row for each draw of the latents `[draws, rows]`.
   *
   * @param key of the random stream.
   * @param draws so many of the first.
   */
  simulate(key: readonly (string | number)[], draws: number = this.#draws): Float64Array {
    const drawn = replicated(this.#first(draws), draws, new RandomStream(...key, "predictive"));
    const transform = this.#transform;
    return transform ? drawn.map((z) => untransformed(transform, z)) : drawn;
  }

  /**
   * p(y | row, latents) of outcomes at rows `[rows, draws, points]`. Averaged over draws of a posterior it is the
   * predictive density at new rows.
   *
   * @param draws so many of the first.
   */
  densities(outcomes: Outcomes, draws: number = this.#draws): Float32Array {
    return densitiesOfRows(this.#first(draws), draws, outcomes, this.#transform);
  }

  #first(draws: number): RowsAtDraws {
    const known = this.#known;
    this.#rows.forEach(
      (_, valueOf) => {
        known.push(
          new Map(this.#nodes.map((id) => {
            const { shape, values } = valueOf(id);
            return [id, { shape, values: values.slice() }];
          })),
        );
      },
      known.length,
      draws,
    );
    return {
      ...this.#rows,
      forEach: (visit) => {
        // The stream is the caller's: rows of a design draw nothing again.
        const none = new RandomStream();
        for (let s = 0; s < draws; s++) visit(s, (id) => known[s].get(id)!, none);
      },
    };
  }
}
