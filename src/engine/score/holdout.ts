/** ELPD of withheld rows: the posterior of the others, carried over to them. */
import { InputError } from "../../base/diagnostic.ts";
import { eventRankOf, families } from "../distributions/table.ts";
import { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Distribution } from "../ir/program.ts";
import { sizeOf } from "../ir/shape.ts";
import { log } from "../../base/math/elementary.ts";
import { logSumExp } from "../../base/math/log_sum_exp.ts";
import { columnsOf } from "../predict/draws.ts";
import { Interpreter, nodesOfDistribution } from "../predict/interpreter.ts";
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
  const { column, distribution } = program.likelihood;
  if (!holdout || eventRankOf(distribution) > 0 || distribution.shape.length !== 1) {
    return undefined;
  }
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
  const interpreter = new Interpreter(
    graph.nodes,
    columns,
    nodesOfDistribution(graph.distribution),
  );
  const density = new Density(graph.distribution, graph.nodes.map(({ shape }) => shape), response);
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

/** log density of a response, as a function of the nodes of its distribution. */
class Density {
  readonly #ids: readonly NodeId[];
  readonly #interpreter: Interpreter;
  readonly #density: NodeId;

  constructor(
    distribution: Distribution,
    shapes: readonly (readonly number[])[],
    response: Float64Array,
  ) {
    const g = new GraphBuilder();
    this.#ids = [...new Set(nodesOfDistribution(distribution))];
    const placed = new Map(this.#ids.map((id, k) => [id, g.parameter(k, shapes[id])]));
    const own = place(distribution, placed);
    const value = g.array(response, distribution.shape);
    this.#density = g.broadcast(
      families[distribution.family].logDensity(g, value, own),
      distribution.shape,
    );
    this.#interpreter = new Interpreter(g.nodes, new Map(), [this.#density]);
  }

  at(valuesOf: (id: NodeId) => Float64Array): Float64Array {
    for (const [k, id] of this.#ids.entries()) this.#interpreter.setParameter(k, valuesOf(id));
    this.#interpreter.run();
    return this.#interpreter.value(this.#density).values;
  }
}

function place(distribution: Distribution, placed: ReadonlyMap<NodeId, NodeId>): Distribution {
  const args = distribution.args.map((id) => placed.get(id)!);
  const components = distribution.components?.map((one) => place(one, placed));
  return { ...distribution, args, ...(components && { components }) };
}
