/** The distribution of the response at one value of the parameters, as a function of the response. */
import type { Dataset } from "../../../base/dataset.ts";
import type { RandomStream } from "../../../base/random.ts";
import { recordedAs } from "../../language/distributions/bounded.ts";
import { eventRankOf, families } from "../../language/distributions/table.ts";
import { GraphBuilder } from "../../language/ir/builder.ts";
import type { ArrayValue } from "../../language/ir/array_value.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../../language/ir/program.ts";
import { broadcastIndex, sizeOf } from "../../language/ir/shape.ts";
import { drawDistribution } from "../../inference/predict/draw_distribution.ts";
import { columnsOf, priorDraws } from "../../inference/predict/draws.ts";
import { Interpreter, nodesOfDistribution } from "../../inference/predict/interpreter.ts";

/** Densities of single rows. They need not be distributions, though the program claims so: that is to be checked. */
export interface RowDistributions {
  readonly rows: number;
  /** Whether values are whole numbers. */
  readonly discrete: boolean;
  /** Where values lie: all numbers, those above 0, or those between 0 and 1. */
  readonly support: "real" | "positive" | "unit";
  /** Values with a probability of their own, `[rows]` each. */
  readonly atoms: readonly Float64Array[];
  /** Values where the density may jump, `[rows]` each. */
  readonly breaks: readonly Float64Array[];
  /** Numbers that one evaluation computes: its cost. */
  readonly work: number;
  /** log p(y_i) of every row, for a response `[rows]`; overwritten by the next call. */
  logDensity(response: Float64Array): Float64Array;
  /** A response `[rows]`. */
  draw(random: RandomStream, out: Float64Array): void;
}

/**
 * Distributions of the response at parameters that are drawn from their priors, one for each draw; undefined
 * if the response is not a number per row.
 *
 * @param key of the random stream.
 */
export function distributionsAtPrior(
  program: CheckedProgram,
  dataset: Dataset,
  draws: number,
  key: readonly (string | number)[],
): RowDistributions[] | undefined {
  const { distribution } = program.likelihood;
  if (eventRankOf(distribution) > 0 || distribution.shape.length !== 1) return undefined;
  const { parameters } = priorDraws(program, dataset, draws, key);
  const interpreter = new Interpreter(
    program.nodes,
    columnsOf(dataset),
    nodesOfDistribution(distribution),
  );
  return Array.from({ length: draws }, (_, s) => {
    for (const [k, { shape }] of program.parameters.entries()) {
      const size = sizeOf(shape);
      interpreter.setParameter(k, parameters[k].subarray(s * size, (s + 1) * size));
    }
    interpreter.run();
    return new DistributionAt(distribution, (id) => interpreter.value(id));
  });
}

class DistributionAt implements RowDistributions {
  readonly rows: number;
  readonly discrete: boolean;
  readonly support: RowDistributions["support"];
  readonly atoms: readonly Float64Array[];
  readonly breaks: readonly Float64Array[];
  readonly work: number;
  readonly #values = new Map<NodeId, ArrayValue>();
  readonly #interpreter: Interpreter;
  readonly #density: NodeId;
  readonly #distribution: Distribution;

  constructor(distribution: Distribution, valueOf: (id: NodeId) => ArrayValue) {
    for (const id of nodesOfDistribution(distribution)) {
      const { shape, values } = valueOf(id);
      this.#values.set(id, { shape, values: values.slice() });
    }
    this.#distribution = distribution;
    this.rows = distribution.shape[0];
    this.discrete = isDiscreteDistribution(distribution);
    this.support = supportOf(distribution);
    this.atoms = this.#atoms();
    this.breaks = this.#bounds(distribution);
    const g = new GraphBuilder();
    const response = g.parameter(0, distribution.shape);
    const density = families[distribution.family].logDensity(
      g,
      response,
      this.#placed(g, distribution),
    );
    this.#density = g.broadcast(density, distribution.shape);
    this.work = g.nodes.reduce((sum, { kind, shape }) => {
      return kind === "constant" ? sum : sum + sizeOf(shape);
    }, 0);
    this.#interpreter = new Interpreter(g.nodes, new Map(), [this.#density]);
  }

  logDensity(response: Float64Array): Float64Array {
    this.#interpreter.setParameter(0, response);
    this.#interpreter.run();
    return this.#interpreter.value(this.#density).values;
  }

  draw(random: RandomStream, out: Float64Array): void {
    drawDistribution(random, this.#distribution, (id) => this.#values.get(id)!, out);
  }

  #placed(g: GraphBuilder, distribution: Distribution): Distribution {
    const args = distribution.args.map((id) => {
      const { shape, values } = this.#values.get(id)!;
      return g.array(values, shape);
    });
    const components = distribution.components?.map((one) => this.#placed(g, one));
    return { ...distribution, args, ...(components && { components }) };
  }

  #atoms(): Float64Array[] {
    const { family, args, shape } = this.#distribution;
    if (family.startsWith("hurdle") && !this.discrete) return [new Float64Array(this.rows)];
    if (family === "windowed") return [this.#marks()];
    return family === "censored" && !this.discrete ? args.map((id) => this.#perRow(id, shape)) : [];
  }

  /** The values that stand for windows; NaN in rows without one. */
  #marks(): Float64Array {
    const { args, shape } = this.#distribution;
    const [lower, upper] = args.map((id) => this.#perRow(id, shape));
    return lower.map((low, i) => low < upper[i] ? recordedAs(low, upper[i]) : NaN);
  }

  /** Bounds of the distribution and of its components, where there is one per row. */
  #bounds({ family, args, components = [] }: Distribution): Float64Array[] {
    const own = families[family].parameters.flatMap((name, k) =>
      name === "lower" || name === "upper" ? [this.#perRow(args[k], this.#distribution.shape)] : []
    );
    return [...own, ...components.flatMap((one) => this.#bounds(one))];
  }

  /** A value that broadcasts to the rows; NaN where it does not. */
  #perRow(id: NodeId, shape: readonly number[]): Float64Array {
    const { values, shape: own } = this.#values.get(id)!;
    if (own.length > 1) return new Float64Array(this.rows).fill(NaN);
    const index = broadcastIndex(own, shape);
    return Float64Array.from({ length: this.rows }, (_, i) => values[index[i]]);
  }
}

function isDiscreteDistribution(distribution: Distribution): boolean {
  return families[distribution.family].discrete ||
    (distribution.components ?? []).some(isDiscreteDistribution);
}

function supportOf(distribution: Distribution): RowDistributions["support"] {
  switch (families[distribution.family].support) {
    case "positive":
    case "non_negative":
      return "positive";
    case "unit":
    case "open_unit":
      return "unit";
    case "components": {
      const own = new Set((distribution.components ?? []).map(supportOf));
      return own.size === 1 && distribution.family !== "censored" &&
          distribution.family !== "windowed"
        ? [...own][0]
        : "real";
    }
    default:
      return "real";
  }
}
