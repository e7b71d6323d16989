/** Densities of possible outcomes at new rows, for each draw of a program's parameters. */
import type { Dataset } from "../../base/dataset.ts";
import { InputError } from "../../base/diagnostic.ts";
import { families } from "../language/distributions/table.ts";
import type { GraphBuilder } from "../language/ir/builder.ts";
import type { CheckedProgram, Distribution } from "../language/ir/program.ts";
import {
  logSlopeOf,
  type ResponseTransform,
  transformed,
} from "../language/ir/response_transform.ts";
import { sizeOf } from "../language/ir/shape.ts";
import { checkProgram } from "../language/pymc/check.ts";
import { type ParameterDraws, type RowsAtDraws, rowsAtDraws } from "../inference/predict/draws.ts";
import type { Execution, Schedule } from "./execution/execution.ts";
import { fitChecked, withChains } from "./fit.ts";
import { parameterDraws } from "./predictive.ts";
import { type NewRows, redrawn } from "./predictions.ts";
import { RowDensity } from "./row_density.ts";
import { executionOf, rejectedExecution, unfitExecution } from "./score.ts";

/** Outcomes that densities are wanted of. */
export interface OutcomePoints {
  /** Outcomes of each row. */
  readonly points: number;
  /** `[rows, points]`. */
  readonly values: Float64Array;
  /** Draws of the parameters at most: an even part of those of the fit. */
  readonly draws: number;
}

/** Densities, or why there are none. */
export interface OutcomesFound {
  /** The execution of the fit. */
  readonly execution: Execution;
  /** p(y | row, draw) `[rows, draws, points]`. */
  readonly densities?: Float32Array;
}

/**
 * Fits a program to the data and evaluates its density at outcomes of new rows. Failures of the program are values.
 * Yields every few dozen gradients.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../base/dataset.ts";
 * import { finish } from "../inference/mcmc/sample_chains.ts";
 * import { defaultSchedule } from "./execution/execution.ts";
 * import { outcomesAt } from "./outcomes.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const at = { rows: 1, columns: new Map() };
 * const wanted = { points: 2, values: Float64Array.of(0, 9), draws: 100 };
 * const { densities } = finish(outcomesAt(text, data, defaultSchedule, at, wanted));
 * assert(densities![0] > densities![1]); // 0 is likelier than 9
 * ```
 */
export function* outcomesAt(
  text: string,
  data: Dataset,
  schedule: Schedule,
  at: NewRows,
  wanted: OutcomePoints,
): Generator<void, OutcomesFound> {
  const checked = checkProgram(text, data, undefined, schedule);
  if (!checked.ok) return { execution: rejectedExecution(checked.diagnostics) };
  const scored = yield* fitChecked(checked.program, data, schedule);
  const fit = scored.kind === "fit" ? yield* withChains(scored, schedule) : scored;
  const { program } = checked;
  if (fit.kind === "failure") return { execution: unfitExecution(program, fit.diagnostic) };
  try {
    const draws = thinned(parameterDraws(fit), wanted.draws, program);
    const options = { at, ...redrawn(fit) };
    const densities = outcomeDensities(program, data, draws, wanted, options);
    return { execution: executionOf(fit, schedule), densities };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { execution: unfitExecution(program, error.diagnostics[0]) };
  }
}

/**
 * Densities of outcomes at rows, for draws of the parameters from any source `[rows, draws, points]`.
 *
 * @param options the rows, those of the data if left out, and a parameter that is drawn again.
 * @throws InputError, if the program ties something to the rows of its data, or its response is no number per row.
 */
function outcomeDensities(
  program: CheckedProgram,
  data: Dataset,
  draws: ParameterDraws,
  { points, values }: Pick<OutcomePoints, "points" | "values">,
  options: { readonly at?: NewRows; readonly redraw?: number } = {},
): Float32Array {
  const key = ["outcomes", program.hash];
  const rows = rowsAtDraws(program, data, draws, { key, ...options });
  return densitiesOfRows(rows, draws.draws, { points, values }, program.likelihood.transform);
}

/** Densities of rows whose distribution is known at each draw. */
export function densitiesOfRows(
  rows: RowsAtDraws,
  draws: number,
  { points, values }: Pick<OutcomePoints, "points" | "values">,
  transform?: ResponseTransform,
): Float32Array {
  const layers = layersOf(rows, values, points, transform);
  const out = new Float32Array(values.length * draws);
  const count = values.length / points;
  rows.forEach((s, valueOf) => {
    for (const { first, end, density } of layers) {
      const found = density.at((id) => valueOf(id).values);
      for (let row = 0; row < count; row++) {
        const to = (row * draws + s) * points;
        for (let k = first; k < end; k++) out[to + k] = found[(k - first) * count + row];
      }
    }
  });
  return out;
}

/** Densities at the points from `first` to `end` of each row `[end - first, rows]`. */
interface Layer {
  readonly first: number;
  readonly end: number;
  readonly density: RowDensity;
}

/** All points at once where arguments are numbers, which broadcast; else one point after the other. */
function layersOf(
  { distribution, shapes, fixed }: RowsAtDraws,
  values: Float64Array,
  points: number,
  transform: ResponseTransform = [],
): readonly Layer[] {
  const rows = values.length / points;
  const { parameterRanks } = families[distribution.family];
  const atOnce = !distribution.components && parameterRanks.every((rank) => rank === 0);
  const layers = atOnce ? [[0, points]] : Array.from({ length: points }, (_, k) => [k, k + 1]);
  return layers.map(([first, end]) => {
    const shape = atOnce ? [points, rows] : [rows];
    const own = new Float64Array(sizeOf(shape));
    for (let k = first; k < end; k++) {
      for (let i = 0; i < rows; i++) own[(k - first) * rows + i] = values[i * points + k];
    }
    const formula = (g: GraphBuilder, one: Distribution) =>
      g.exp(logDensityOf(g, one, own, shape, transform));
    return { first, end, density: new RowDensity(distribution, shapes, formula, shape, fixed) };
  });
}

function logDensityOf(
  g: GraphBuilder,
  distribution: Distribution,
  values: Float64Array,
  shape: readonly number[],
  transform: ResponseTransform,
) {
  const array = (numbers: Float64Array) => g.array(numbers, shape);
  const value = array(values.map((y) => transformed(transform, y)));
  const density = families[distribution.family].logDensity(g, value, { ...distribution, shape });
  return g.add(density, array(values.map((y) => logSlopeOf(transform, y))));
}

/** So many of the draws, evenly, in their order. */
function thinned(
  all: ParameterDraws,
  most: number,
  { parameters }: CheckedProgram,
): ParameterDraws {
  const draws = Math.min(most, all.draws);
  return {
    draws,
    parameters: all.parameters.map((values, k) => {
      const size = sizeOf(parameters[k].shape);
      const out = new Float64Array(draws * size);
      for (let s = 0; s < draws; s++) {
        const from = Math.floor((s + 0.5) * all.draws / draws) * size;
        out.set(values.subarray(from, from + size), s * size);
      }
      return out;
    }),
  };
}
