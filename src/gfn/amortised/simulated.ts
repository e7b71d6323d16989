/** Draws data sets of a regression: predictors, effects, noise and missing cells by a stated distribution. */
import { exp, fillNormal, log } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import { drawCounts, drawHeavy } from "./simulated_responses.ts";
import type { Simulation } from "./simulation.ts";
import type { RawRows } from "./standard_rows.ts";

/** A data set and the program that made it. */
export interface SimulatedRows extends RawRows {
  /** `[predictors]`: true coefficients; of these 0 are those of predictors without an effect. */
  readonly effects: readonly number[];
}

/**
 * One data set. Values are single precision, so that an artifact holds them as they are.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawRows } from "./simulated.ts";
 * import { simulation } from "./simulation.ts";
 * const given = simulation.parse({ rows: [30, 30], predictors: [3, 3] });
 * const { columns, y } = drawRows(given, new RandomStream("seed 1"));
 * assert.deepEqual([columns.length, y.length], [3, 30]);
 * ```
 */
export function drawRows(given: Simulation, random: RandomStream): SimulatedRows {
  const between = ([a, b]: readonly [number, number]) => a + (b - a) * random.uniform();
  const [fewest, most] = given.rows;
  const rows = Math.round(exp(between([log(fewest), log(most)])));
  const [least, all] = given.predictors;
  const predictors = Math.round(least) + random.below(Math.round(all) - Math.round(least) + 1);
  const columns = drawPredictors(given, {
    rows,
    predictors,
    correlation: between(given.correlation),
  }, random);
  const signal = drawSignal(given, columns, between, random);
  const response = responseOf(given, signal, random);
  const missing = between(given.missing);
  const cell = (value: number) =>
    missing > 0 && random.uniform() < missing ? NaN : Math.fround(value);
  return { columns: columns.map((column) => column.map(cell)), ...response };
}

interface Design {
  readonly rows: number;
  readonly predictors: number;
  readonly correlation: number;
}

/** Neighbours in a chain are correlated; some are then bent to be binary, skewed or heavy-tailed. */
function drawPredictors(
  { shapes }: Simulation,
  { rows, predictors, correlation }: Design,
  random: RandomStream,
): Float64Array[] {
  const own = Math.sqrt(1 - correlation * correlation);
  const latent: Float64Array[] = [];
  for (let j = 0; j < predictors; j++) {
    const column = new Float64Array(rows);
    fillNormal(random, column);
    const sign = random.uniform() < 0.5 ? -1 : 1;
    if (j > 0) {
      column.forEach((one, i) => column[i] = sign * correlation * latent[j - 1][i] + own * one);
    }
    latent.push(column);
  }
  return shuffled(latent, random).map((column) => {
    return random.uniform() < shapes ? bent(column, random) : column;
  });
}

/** A normal column by a monotone map. */
function bent(column: Float64Array, random: RandomStream): Float64Array {
  const how = random.below(3);
  const threshold = 1.6 * random.uniform() - 0.8;
  if (how === 0) return column.map((one) => one > threshold ? 1 : 0);
  if (how === 1) return column.map((one) => exp(0.7 * one));
  return column.map((one) => one * (1 + 0.3 * one * one));
}

interface Signal {
  /** `[rows]`. */
  readonly values: Float64Array;
  /** Its standard deviation. */
  readonly spread: number;
  /** `[predictors]`. */
  readonly effects: readonly number[];
  /** Share of the response's variance that it is to have. */
  readonly variance: number;
}

/** Effects of some predictors, and their sum. */
function drawSignal(
  { explained, sparsity }: Simulation,
  columns: readonly Float64Array[],
  between: (ends: readonly [number, number]) => number,
  random: RandomStream,
): Signal {
  const rows = columns[0].length;
  const share = between(sparsity);
  const normals = new Float64Array(columns.length);
  fillNormal(random, normals);
  const effects = columns.map((column, j) => {
    const deviation = deviationOf(column);
    return random.uniform() < share && deviation > 0 ? normals[j] / deviation : 0;
  });
  const signal = Float64Array.from({ length: rows }, (_, i) => {
    return columns.reduce((sum, column, j) => sum + effects[j] * column[i], 0);
  });
  const spread = deviationOf(signal);
  const variance = between(explained);
  return { values: signal, spread, effects, variance };
}

/** The signal with noise about it, or counts at its rates; single precision. */
function responseOf(
  given: Simulation,
  { values, spread, effects, variance }: Signal,
  random: RandomStream,
): Omit<SimulatedRows, "columns"> {
  const { family, tails } = given;
  if (family === "poisson" || family === "binomial") {
    const signal = values.map((one) => spread > 0 ? one / spread : 0);
    return { ...drawCounts(given, signal, variance, random), effects, family };
  }
  const factor = spread > 0 ? Math.sqrt(variance) / spread : 0;
  const noise = new Float64Array(values.length);
  fillNormal(random, noise);
  if (random.uniform() < tails) drawHeavy(noise, random, family);
  const scale = Math.sqrt(1 - variance);
  return {
    y: values.map((one, i) => Math.fround(factor * one + scale * noise[i])),
    effects: effects.map((one) => factor * one),
    ...(family === "student_t" && { family }),
  };
}

function deviationOf(values: Float64Array): number {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const square = values.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  return Math.sqrt(square / values.length);
}

function shuffled<T>(list: readonly T[], random: RandomStream): T[] {
  const own = [...list];
  for (let i = own.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [own[i], own[j]] = [own[j], own[i]];
  }
  return own;
}
