/** Leave-one-out from importance draws: ratios of averages, less their noise. */
import {
  addTimes,
  exponentials,
  largest,
  log,
  meanSquare,
  sumRange,
} from "../../numerics/math/mod.ts";
import { type ControlVariates, logGain } from "./control_variates.ts";
import type { Without } from "./distant_rows.ts";

/** Leave-one-out averages over importance draws. */
export interface LeaveOneOutAverages {
  /** log p(y_i | y_-i) `[observations]`; 0 for those that are left out of it. */
  readonly pointwise: Float64Array;
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** The sum with neither control variates nor a correction of bias. */
  readonly raw: number;
  /** Share of the draw that weighs most in the squared error. */
  readonly largest: number;
}

/**
 * p(y_i | y_-i) = E[w] / E[w / L_i] for draws with the weights w and the likelihoods L_i; both
 * averages are corrected by control variates, and the logarithm by half the squared error that is
 * left, by which that of a mean is too low to second order.
 *
 * @param logLikelihood log L_i `[draws, observations]`.
 * @param logWeights log w `[draws]`, up to a constant; −∞ for draws that do not count.
 * @param skipped observations whose value is 0.
 * @param without log p(y_-i) of observations whose ratios are not averaged.
 */
export function leaveOneOutAverages(
  logLikelihood: Float64Array,
  logWeights: Float64Array,
  variates: ControlVariates,
  skipped: readonly number[] = [],
  without: Without = new Map(),
): LeaveOneOutAverages {
  const draws = logWeights.length;
  const n = logLikelihood.length / draws;
  const total = new Float64Array(draws);
  const ratios = new Float64Array(draws);
  const constant = variates.correction(new Float64Array(draws).fill(1));
  const share = relative(logWeights, ratios, variates, constant);
  const own = ratios.slice();
  const pointwise = new Float64Array(n);
  const excess = new Float64Array(n);
  const lacking = new Float64Array(draws);
  let raw = 0;
  let kept = 0;
  for (let i = 0; i < n; i++) {
    if (skipped.includes(i)) continue;
    kept++;
    const lone = without.get(i)?.value;
    if (lone !== undefined) {
      excess[i] = share.variance;
      pointwise[i] = share.logMean - lone;
      raw += share.rawLogMean - lone;
      continue;
    }
    for (let s = 0; s < draws; s++) lacking[s] = logWeights[s] - logLikelihood[s * n + i];
    const one = relative(lacking, ratios, variates, constant);
    addTimes(total, -one.scale, ratios, 0, 0, draws);
    excess[i] = share.variance - one.variance;
    pointwise[i] = share.logMean - one.logMean;
    raw += share.rawLogMean - one.rawLogMean;
  }
  addTimes(total, kept * share.scale, own, 0, 0, draws);
  const { mcse, perDraw, largest } = variates.correct(total);
  for (let i = 0; i < n; i++) pointwise[i] += 0.5 * perDraw * excess[i];
  return { pointwise, mcse, raw, largest };
}

/** log E[w] for the weights of draws, and its Monte Carlo error; corrected as `leaveOneOutAverages`. */
export function logMeanWeight(
  logWeights: Float64Array,
  variates: ControlVariates,
): { readonly value: number; readonly mcse: number; readonly ratios: Float64Array } {
  const ratios = new Float64Array(logWeights.length);
  const constant = variates.correction(new Float64Array(logWeights.length).fill(1));
  const { logMean, scale, variance } = relative(logWeights, ratios, variates, constant);
  for (let s = 0; s < ratios.length; s++) ratios[s] *= scale;
  const { mcse, perDraw } = variates.correct(ratios);
  return { value: logMean + 0.5 * perDraw * variance, mcse, ratios };
}

/**
 * Log mean of e^values, as it is and with the mean corrected by control variates; multiples of e^values
 * (into `ratios`), by what they have the mean 1, and the variance they then have.
 *
 * @param constant the correction of the mean of a constant 1.
 */
function relative(
  values: Float64Array,
  ratios: Float64Array,
  variates: ControlVariates,
  constant: number,
) {
  const draws = values.length;
  const max = largest(values);
  exponentials(values, max, ratios);
  const sum = sumRange(ratios, 0, draws);
  const scale = draws / sum;
  const rawLogMean = max + log(sum / draws);
  const logMean = rawLogMean + logGain(scale * variates.correction(ratios) - constant);
  const variance = scale * scale * meanSquare(ratios, 0, draws) - 1;
  return { rawLogMean, logMean, scale, variance };
}
