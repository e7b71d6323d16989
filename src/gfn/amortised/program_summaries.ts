/** Numbers of each program given the summary of a data set: its size, its share of variance, its AICc or forecast. */
import { log, log1p } from "../../numerics/math/mod.ts";
import { members } from "./normal_regressions.ts";
import { type DataSummary, explainedBy, featureSizes } from "./summary.ts";

/** Programs of one data set, by the bits of their predictors. */
export interface ProgramSummaries {
  /** `[programs]`. */
  readonly programs: ArrayLike<number>;
  /** `[programs, program]`. */
  readonly features: Float64Array;
  /** `[programs]`: −½ AICc or a forecast, nats, less that of the best of them: 0 or below. */
  readonly begun: Float64Array;
}

/** Floor of initial flows, nats below the best. */
const deepest = -60;

/**
 * Numbers of programs; `programs` are bits of predictors, all 2^p of them if left out.
 *
 * @param best Of all programs, −½ AICc or forecast; the best of these, if left out.
 */
export function summarisePrograms(
  summary: DataSummary,
  programs: ArrayLike<number> = everyProgram(summary.predictors),
  best?: number,
): ProgramSummaries {
  const { rows, predictors: p, correlations, forecasts } = summary;
  const all = explainedBy(correlations, p, members(2 ** p - 1)).share;
  const found = Array.from(programs, (bits) => {
    const chosen = members(bits);
    return { bits, size: chosen.length, ...explainedBy(correlations, p, chosen) };
  });
  const raw = found.map(({ bits, size, share }) =>
    forecasts?.[bits] ?? halfAicc(rows, size, share)
  );
  const highest = best ?? raw.reduce((a, b) => Math.max(a, b), -Infinity);
  const begun = Float64Array.from(raw, (one) => Math.min(0, Math.max(deepest, one - highest)));
  const features = new Float64Array(found.length * featureSizes.program);
  found.forEach(({ size, share, logDeterminant }, m) => {
    features.set([
      size / 4 - 1,
      Math.min(5 * size / rows, 3),
      log(rows) / 4 - 1,
      share,
      all - share,
      log1p(-begun[m]) / 2,
      log1p(rows * (all - share) / Math.max(1 - all, 1e-9)) / 4,
      log1p(-Math.min(0, logDeterminant)),
      p / 6 - 1,
    ], m * featureSizes.program);
  });
  return { programs, features, begun };
}

/** `[2^predictors]`: −½ AICc of every program, or its forecast, nats, but for a constant. */
export function everyBegun(
  { rows, predictors: p, correlations, forecasts }: DataSummary,
): Float64Array {
  return forecasts ?? Float64Array.from(everyProgram(p), (bits) => {
    const chosen = members(bits);
    return halfAicc(rows, chosen.length, explainedBy(correlations, p, chosen).share);
  });
}

/** −½ AICc of a regression with intercept and spread (Hurvich and Tsai 1989), but for a constant. */
function halfAicc(rows: number, size: number, share: number): number {
  const parameters = size + 2;
  const penalty = parameters * rows / Math.max(rows - parameters - 1, 1);
  return -0.5 * rows * log(1 - share) - penalty;
}

/**
 * 0, 1, … 2^p − 1.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { everyProgram } from "./program_summaries.ts";
 * assert.deepEqual([...everyProgram(2)], [0, 1, 2, 3]);
 * ```
 */
export function everyProgram(predictors: number): Int32Array {
  return Int32Array.from({ length: 2 ** predictors }, (_, bits) => bits);
}
