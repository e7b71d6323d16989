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
 * Conditionals for few latents and many rows: the latents' distribution is updated by one row after the other
 * (Kalman 1960, of a state that does not move), as [R | z] with Rᵀ R = I + Wᵀ W and Rᵀ z = Wᵀ r, by rotations. A
 * covariance that shrinks by differences would lose all digits where priors are 10⁸ times as wide as posteriors.
 *
 * @param white residuals r over their noise `[n]`.
 * @param noise standard deviations of the rows `[n]`.
 * @param slopes W of the latents over the noise `[n, d]`.
 */
export function conditionalsByLatents(
  white: Float64Array,
  noise: Float64Array,
  { data, width: d }: Slopes,
): Conditionals {
  const stride = d + 1;
  const factor = new Float64Array(d * stride);
  for (let i = 0; i < d; i++) factor[i * stride + i] = 1;
  const row = new Float64Array(stride);
  const standardised = new Float64Array(white.length);
  const roots = new Float64Array(white.length);
  for (let t = 0; t < white.length; t++) {
    row.set(data.subarray(t * d, (t + 1) * d));
    row[d] = white[t];
    // The product of all cosines is det R before over det R after: one over the row's standard deviation.
    let left = 1;
    for (let i = 0; i < d; i++) {
      if (row[i] !== 0) left *= rotate(factor, row, i, stride);
    }
    standardised[t] = row[d];
    roots[t] = left / noise[t];
  }
  return { standardised, roots };
}

/** Rotates a row into row `i` of a factor, so that its element `i` vanishes; returns the cosine. */
function rotate(factor: Float64Array, row: Float64Array, i: number, stride: number): number {
  const at = i * stride;
  const size = Math.max(Math.abs(factor[at + i]), Math.abs(row[i]));
  const [a, b] = [factor[at + i] / size, row[i] / size];
  const length = Math.sqrt(a * a + b * b);
  const [cosine, sine] = [a / length, b / length];
  for (let k = i; k < stride; k++) {
    const [own, other] = [factor[at + k], row[k]];
    factor[at + k] = cosine * own + sine * other;
    row[k] = cosine * other - sine * own;
  }
  return cosine;
}

/** log p(y_t | y_1 … y_(t−1)). */
export function logConditional({ standardised, roots }: Conditionals, t: number): number {
  return log(roots[t]) - 0.5 * standardised[t] * standardised[t] - halfLog2Pi;
}
