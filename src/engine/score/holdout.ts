/** ELPD of withheld rows by draws of the posterior of the others, carried over to them. */
import { type Column, type Dataset, resolutionOf } from "../../base/dataset.ts";
import { InputError } from "../../base/diagnostic.ts";
import { logCellMass } from "../inference/cells/cell_mass.ts";
import { cellsOf } from "../inference/density/recorded_cells.ts";
import { eventRankOf, families, isDiscrete } from "../language/distributions/table.ts";
import type { GraphBuilder } from "../language/ir/builder.ts";
import type { NodeId } from "../language/ir/node.ts";
import type { CheckedProgram, Distribution } from "../language/ir/program.ts";
import {
  logSlopeOf,
  type ResponseTransform,
  transformed,
} from "../language/ir/response_transform.ts";
import { sizeOf } from "../language/ir/shape.ts";
import { log } from "../../numerics/math/mod.ts";
import { columnsOf } from "../inference/predict/draws.ts";
import { Interpreter, nodesOfDistribution } from "../inference/predict/interpreter.ts";
import { type GraphForRows, graphForRows } from "../inference/predict/new_rows.ts";
import type { SampledFit } from "./fit.ts";
import { parameterDraws } from "./predictive.ts";
import { RowDensity } from "./row_density.ts";

/**
 * log p(y_i | y, draw) of each withheld row `[rows][draws]`, or of the cell that the row was recorded in. Undefined if
 * no rows are withheld, if the response is not a number per row, or if the program ties something to the rows that it
 * was fitted to.
 */
export function holdoutAtDraws(fit: SampledFit): readonly Float64Array[] | undefined {
  const { program, dataset } = fit;
  const { holdout } = dataset;
  const { column } = program.likelihood;
  if (!holdout || !hasNumberPerRow(program)) return undefined;
  const response = holdout.columns.find(({ name }) => name === column)!;
  return logsAt(fit, holdout.rows, response);
}

/** Whether the response is a number for each row. */
export function hasNumberPerRow({ likelihood: { distribution } }: CheckedProgram): boolean {
  return eventRankOf(distribution) === 0 && distribution.shape.length === 1;
}

/** The graph for withheld rows; `undefined` if the program ties something to the rows of the data. */
function graphAt(program: CheckedProgram, dataset: Dataset): GraphForRows | undefined {
  try {
    return graphForRows(program, columnsOf(dataset), dataset.rows, dataset.holdout!.rows);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function logsAt(
  fit: SampledFit,
  rows: number,
  response: Column,
): readonly Float64Array[] | undefined {
  const { program, dataset } = fit;
  const graph = graphAt(program, dataset);
  if (!graph) return undefined;
  const columns = new Map(dataset.holdout!.columns.map(({ name, values }) => [name, values]));
  const interpreter = new Interpreter(
    graph.nodes,
    columns,
    nodesOfDistribution(graph.distribution),
  );
  const { transform } = program.likelihood;
  const shapes = graph.nodes.map(({ shape }) => shape);
  const density = new RowDensity(
    graph.distribution,
    shapes,
    (g, own) => worth(g, own, response, transform ?? []),
  );
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
  return logs;
}

/** log density of the values, or of the cells that they were recorded in, on the scale of the response. */
function worth(
  g: GraphBuilder,
  distribution: Distribution,
  column: Column,
  transform: ResponseTransform,
): NodeId {
  const { values } = column;
  const array = (numbers: Float64Array) => g.array(numbers, distribution.shape);
  const width = isDiscrete(distribution) ? undefined : resolutionOf(column);
  if (width === undefined) {
    const value = array(values.map((y) => transformed(transform, y)));
    const density = families[distribution.family].logDensity(g, value, distribution);
    return g.add(density, array(values.map((y) => logSlopeOf(transform, y))));
  }
  const { low, high } = cellsOf(column, width, transform);
  const ends = { low: array(low), high: array(high) };
  const mass = g.map("minimum", logCellMass(g, ends, distribution, "whole"), g.scalar(0));
  return g.sub(mass, g.scalar(log(width)));
}
