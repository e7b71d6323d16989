/** The law of the response at one value of the parameters, as a function of the response. */
import type { Dataset } from "../../base/dataset.ts";
import type { RandomStream } from "../../base/random.ts";
import { eventRankOf, families } from "../../families/table.ts";
import { GraphBuilder } from "../../graph/builder.ts";
import type { ArrayValue } from "../../graph/evaluate.ts";
import type { NodeId } from "../../graph/node.ts";
import type { CheckedProgram, Law } from "../../graph/program.ts";
import { broadcastIndex, sizeOf } from "../../graph/shape.ts";
import { drawLaw } from "../../predict/draw_law.ts";
import { columnsOf, priorDraws } from "../../predict/draws.ts";
import { Interpreter, nodesOfLaw } from "../../predict/interpreter.ts";

/** Densities of single rows. What is claimed to be a law need not be one: that is to be checked. */
export interface RowLaws {
  readonly rows: number;
  /** Whether values are whole numbers. */
  readonly discrete: boolean;
  /** Where values lie: all numbers, those above 0, or those between 0 and 1. */
  readonly support: "real" | "positive" | "unit";
  /** Values with a probability of their own, `[rows]` each. */
  readonly atoms: readonly Float64Array[];
  /** Values where the density may jump, `[rows]` each. */
  readonly breaks: readonly Float64Array[];
  /** log p(y_i) of every row, for a response `[rows]`; overwritten by the next call. */
  logDensity(response: Float64Array): Float64Array;
  /** A response `[rows]`. */
  draw(random: RandomStream, out: Float64Array): void;
}

/**
 * Laws of the response at parameters that are drawn from their priors, one for each draw; undefined
 * if the response is not a number per row.
 *
 * @param key of the random stream.
 */
export function lawsAtPrior(
  program: CheckedProgram,
  dataset: Dataset,
  draws: number,
  key: readonly (string | number)[],
): RowLaws[] | undefined {
  const { law } = program.likelihood;
  if (eventRankOf(law) > 0 || law.shape.length !== 1) return undefined;
  const { parameters } = priorDraws(program, dataset, draws, key);
  const interpreter = new Interpreter(program.nodes, columnsOf(dataset), nodesOfLaw(law));
  return Array.from({ length: draws }, (_, s) => {
    for (const [k, { shape }] of program.parameters.entries()) {
      const size = sizeOf(shape);
      interpreter.setParameter(k, parameters[k].subarray(s * size, (s + 1) * size));
    }
    interpreter.run();
    return new LawAt(law, (id) => interpreter.value(id));
  });
}

class LawAt implements RowLaws {
  readonly rows: number;
  readonly discrete: boolean;
  readonly support: RowLaws["support"];
  readonly atoms: readonly Float64Array[];
  readonly breaks: readonly Float64Array[];
  readonly #values = new Map<NodeId, ArrayValue>();
  readonly #interpreter: Interpreter;
  readonly #density: NodeId;
  readonly #law: Law;

  constructor(law: Law, valueOf: (id: NodeId) => ArrayValue) {
    for (const id of nodesOfLaw(law)) {
      const { shape, values } = valueOf(id);
      this.#values.set(id, { shape, values: values.slice() });
    }
    this.#law = law;
    this.rows = law.shape[0];
    this.discrete = isDiscreteLaw(law);
    this.support = supportOf(law);
    this.atoms = this.#atoms();
    this.breaks = this.#bounds(law);
    const g = new GraphBuilder();
    const response = g.parameter(0, law.shape);
    const density = families[law.family].logDensity(g, response, this.#placed(g, law));
    this.#density = g.broadcast(density, law.shape);
    this.#interpreter = new Interpreter(g.nodes, new Map(), [this.#density]);
  }

  logDensity(response: Float64Array): Float64Array {
    this.#interpreter.setParameter(0, response);
    this.#interpreter.run();
    return this.#interpreter.value(this.#density).values;
  }

  draw(random: RandomStream, out: Float64Array): void {
    drawLaw(random, this.#law, (id) => this.#values.get(id)!, out);
  }

  #placed(g: GraphBuilder, law: Law): Law {
    const args = law.args.map((id) => {
      const { shape, values } = this.#values.get(id)!;
      return g.array(values, shape);
    });
    const components = law.components?.map((one) => this.#placed(g, one));
    return { ...law, args, ...(components && { components }) };
  }

  #atoms(): Float64Array[] {
    const { family, args, shape } = this.#law;
    if (family.startsWith("hurdle") && !this.discrete) return [new Float64Array(this.rows)];
    return family === "censored" && !this.discrete ? args.map((id) => this.#perRow(id, shape)) : [];
  }

  /** Bounds of the law and of its components, where there is one per row. */
  #bounds({ family, args, components = [] }: Law): Float64Array[] {
    const own = families[family].parameters.flatMap((name, k) =>
      name === "lower" || name === "upper" ? [this.#perRow(args[k], this.#law.shape)] : []
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

function isDiscreteLaw(law: Law): boolean {
  return families[law.family].discrete || (law.components ?? []).some(isDiscreteLaw);
}

function supportOf(law: Law): RowLaws["support"] {
  switch (families[law.family].support) {
    case "positive":
    case "non_negative":
      return "positive";
    case "unit":
    case "open_unit":
      return "unit";
    case "components": {
      const own = new Set((law.components ?? []).map(supportOf));
      return own.size === 1 && law.family !== "censored" ? [...own][0] : "real";
    }
    default:
      return "real";
  }
}
