/** Rows of a normal vector one after another: each given those before it. */
import { log } from "../../../numerics/math/mod.ts";
import type { Slopes } from "./slopes.ts";

/** ½ log 2π. */
const halfLog2Pi = 0.9189385332046727;

/**
 * p(y_t | y_1 … y_(t−1)) of a normal vector N(m, S): N(y_t − w_t / r_t, 1 / r_t²). With S = L Lᵀ it is w = L⁻¹ (y − m)
 * and r_t = 1 / L_tt.
 */
export interface Conditionals {
  /** w_t, what y_t lies above its expected value, in standard deviations `[rows]`. */
  readonly standardised: Float64Array;
  /** r_t, one over its standard deviation `[rows]`. */
  readonly roots: Float64Array;
}

/**
 * Conditionals for few latents and many rows: the latents' distribution is updated by one row after
 * the other (Kalman 1960, of a state that does not move).
 *
 * @param white residuals over their noise `[n]`.
 * @param noise standard deviations of the rows `[n]`.
 * @param slopes of the latents over the noise `[n, d]`.
 */
export function conditionalsByLatents(
  white: Float64Array,
  noise: Float64Array,
  { data, width: d }: Slopes,
): Conditionals {
  const covariance = Float64Array.from({ length: d * d }, (_, at) => at % (d + 1) === 0 ? 1 : 0);
  const [mean, gain] = [new Float64Array(d), new Float64Array(d)];
  const standardised = new Float64Array(white.length);
  const roots = new Float64Array(white.length);
  for (let t = 0; t < white.length; t++) {
    let [rest, variance] = [white[t], 1];
    for (let i = 0; i < d; i++) {
      let sum = 0;
      for (let j = 0; j < d; j++) sum += covariance[i * d + j] * data[t * d + j];
      gain[i] = sum;
      rest -= data[t * d + i] * mean[i];
      variance += data[t * d + i] * sum;
    }
    standardised[t] = rest / Math.sqrt(variance);
    roots[t] = 1 / (noise[t] * Math.sqrt(variance));
    for (let i = 0; i < d; i++) {
      mean[i] += gain[i] * rest / variance;
      for (let j = 0; j < d; j++) covariance[i * d + j] -= gain[i] * gain[j] / variance;
    }
  }
  return { standardised, roots };
}

/** log p(y_t | y_1 … y_(t−1)). */
export function logConditional({ standardised, roots }: Conditionals, t: number): number {
  return log(roots[t]) - 0.5 * standardised[t] * standardised[t] - halfLog2Pi;
}
