/** ELPD of withheld rows: the posterior of the others, carried over to them. */
import { InputError } from "../base/diagnostic.ts";
import { eventRankOf, families } from "../families/table.ts";
import { GraphBuilder } from "../graph/builder.ts";
import type { NodeId } from "../graph/node.ts";
import type { Law } from "../graph/program.ts";
import { sizeOf } from "../graph/shape.ts";
import { log } from "../math/elementary.ts";
import { logSumExp } from "../math/log_sum_exp.ts";
import { columnsOf } from "../predict/draws.ts";
import { Interpreter, nodesOfLaw } from "../predict/interpreter.ts";
import { graphForRows } from "../predict/new_rows.ts";
import { capDensity } from "./density_cap.ts";
import type { SampledFit } from "./fit.ts";
import { parameterDraws } from "./predictive.ts";

/**
 * Σ log p(y_i | y) over withheld rows, each the mean density over the posterior's draws, at most
 * what the resolution of the data allows. Undefined if no rows are withheld, if the response is not
 * a number per row, or if the program ties something to the rows that it was fitted to.
 */
export function elpdOfHoldout(fit: SampledFit): number | undefined {
  const { program, dataset } = fit;
  const { holdout } = dataset;
  const { column, law } = program.likelihood;
  if (!holdout || eventRankOf(law) > 0 || law.shape.length !== 1) return undefined;
  const response = holdout.columns.find(({ name }) => name === column)!;
  const pointwise = pointwiseAt(fit, holdout.rows, response.values);
  if (!pointwise) return undefined;
  const total = pointwise.reduce((sum, one) => sum + one, 0);
  return capDensity(pointwise, total, response.resolution).total;
}

/** log p(y_i | y) of withheld rows. */
function pointwiseAt(
  fit: SampledFit,
  rows: number,
  response: Float64Array,
): Float64Array | undefined {
  const { program, dataset } = fit;
  const training = columnsOf(dataset);
  let graph;
  try {
    graph = graphForRows(program, training, dataset.rows, rows);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
  const columns = new Map(dataset.holdout!.columns.map(({ name, values }) => [name, values]));
  const interpreter = new Interpreter(graph.nodes, columns, nodesOfLaw(graph.law));
  const density = new Density(graph.law, graph.nodes.map(({ shape }) => shape), response);
  const { draws, parameters } = parameterDraws(fit);
  const logs = Array.from({ length: rows }, () => new Float64Array(draws));
  for (let s = 0; s < draws; s++) {
    for (const [k, { shape }] of program.parameters.entries()) {
      const size = sizeOf(shape);
      interpreter.setParameter(k, parameters[k].subarray(s * size, (s + 1) * size));
    }
    interpreter.run();
    const own = density.at((id) => interpreter.value(id).values);
    for (let i = 0; i < rows; i++) logs[i][s] = own[i];
  }
  return Float64Array.from(logs, (own) => logSumExp(own) - log(draws));
}

/** log density of a response, as a function of the nodes of its law. */
class Density {
  readonly #ids: readonly NodeId[];
  readonly #interpreter: Interpreter;
  readonly #density: NodeId;

  constructor(law: Law, shapes: readonly (readonly number[])[], response: Float64Array) {
    const g = new GraphBuilder();
    this.#ids = [...new Set(nodesOfLaw(law))];
    const placed = new Map(this.#ids.map((id, k) => [id, g.parameter(k, shapes[id])]));
    const own = place(law, placed);
    const value = g.array(response, law.shape);
    this.#density = g.broadcast(families[law.family].logDensity(g, value, own), law.shape);
    this.#interpreter = new Interpreter(g.nodes, new Map(), [this.#density]);
  }

  at(valuesOf: (id: NodeId) => Float64Array): Float64Array {
    for (const [k, id] of this.#ids.entries()) this.#interpreter.setParameter(k, valuesOf(id));
    this.#interpreter.run();
    return this.#interpreter.value(this.#density).values;
  }
}

function place(law: Law, placed: ReadonlyMap<NodeId, NodeId>): Law {
  const args = law.args.map((id) => placed.get(id)!);
  const components = law.components?.map((one) => place(one, placed));
  return { ...law, args, ...(components && { components }) };
}
