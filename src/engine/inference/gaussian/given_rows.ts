/** Rows y = m + A ε + D^½ e at one θ, and draws of ε given them by a factor of its own. */
import { fillNormal, solveLower } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { Slopes } from "./slopes.ts";
import { solveFactor, triangularFactor } from "./square_root.ts";

/** Rounding of a product of a precision and a vector, relative to its largest element. */
const lostDigits = 1e-13;

/** Residuals, slopes and noise of the rows. */
export class GivenRows {
  /**
   * @param residuals y − m `[rows]`.
   * @param slopes of what broadcasts to the rows.
   * @param index which of its elements each row has `[rows]`.
   * @param noise D^½ `[rows]`, unless there is a factor.
   * @param factor the lower triangular D^½ `[rows, rows]` of rows that are one vector.
   * @param latents length of ε.
   */
  constructor(
    readonly residuals: Float64Array,
    private readonly slopes: Slopes | undefined,
    private readonly index: ArrayLike<number>,
    private readonly noise: Float64Array,
    private readonly factor: Float64Array | undefined,
    private readonly latents: number,
  ) {}

  /** y − m − A ε `[rows]`. */
  away(white: Float64Array): Float64Array {
    const { slopes, index } = this;
    return this.residuals.map((r, i) => r - (slopes?.times(index[i], white) ?? 0));
  }

  /** ε += Aᵀ x. */
  addAcross(white: Float64Array, x: Float64Array): void {
    x.forEach((value, i) => this.slopes?.addTo(white, this.index[i], value));
  }

  /** Aᵀ x `[latents]`, and how much of each element rounding may have lost. */
  across(x: Float64Array): { readonly mean: Float64Array; readonly lost: Float64Array } {
    const [mean, lost] = [new Float64Array(this.latents), new Float64Array(this.latents)];
    const size = x.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    x.forEach((value, i) =>
      this.slopes?.visit(this.index[i], (k, slope) => {
        mean[k] += slope * value;
        lost[k] += lostDigits * size * Math.abs(slope);
      })
    );
    return { mean, lost };
  }

  /** D^½ e `[rows]`. */
  coloured(e: Float64Array): Float64Array {
    const { noise, factor } = this;
    if (!factor) return e.map((x, i) => noise[i] * x);
    const n = e.length;
    return e.map((_, i) => {
      let sum = 0;
      for (let k = 0; k <= i; k++) sum += factor[i * n + k] * e[k];
      return sum;
    });
  }

  /** D^½ᵀ x `[rows]`. */
  colouredAcross(x: Float64Array): Float64Array {
    const { noise, factor } = this;
    if (!factor) return x.map((value, i) => noise[i] * value);
    const n = x.length;
    return x.map((_, k) => {
      let sum = 0;
      for (let i = k; i < n; i++) sum += factor[i * n + k] * x[i];
      return sum;
    });
  }

  /** D^−½ x, in place. */
  whiten(x: Float64Array, offset = 0): void {
    const { noise, factor, residuals: { length: n } } = this;
    if (factor) solveLower(factor, n, x, offset);
    else for (let i = 0; i < n; i++) x[offset + i] /= noise[i];
  }

  /** |A| over the smallest noise of a row. */
  leverage(): number {
    const { noise, factor, residuals: { length: n }, slopes, index } = this;
    let [square, least] = [0, Infinity];
    for (let i = 0; i < n; i++) {
      square += slopes?.squareOf(index[i]) ?? 0;
      least = Math.min(least, factor ? factor[i * n + i] : noise[i]);
    }
    return Math.sqrt(square) / least;
  }

  /** ε = R⁻¹ (Qᵀ r + z) by the QR decomposition of [I 0; D^−½ A D^−½ r], for normal z. */
  drawByFactor(random: RandomStream): Float64Array {
    const { residuals: { length: n }, latents: d, slopes, index } = this;
    const columns = new Slopes(d + 1, n);
    for (let i = 0; i < n; i++) {
      columns.put(d, i, this.residuals[i]);
      slopes?.visit(index[i], (k, value) => columns.put(k, i, value));
    }
    for (let k = 0; k <= d; k++) {
      [columns.from[k], columns.to[k]] = [0, n];
      this.whiten(columns.data, k * n);
    }
    const factor = triangularFactor(new Float64Array(d + 1).fill(1, 0, d), columns);
    const white = new Float64Array(d);
    fillNormal(random, white);
    for (let k = 0; k < d; k++) white[k] += factor[k * (d + 1) + d];
    solveFactor(factor, d + 1, white);
    return white;
  }
}
