/** Running mean and covariance of draws, regularised as Stan does it. */

/** Welford's (1962) estimator of a covariance, or only of variances if not `dense`. */
export class CovarianceEstimator {
  #count = 0;
  readonly #mean: Float64Array;
  readonly #delta: Float64Array;
  /** Sums of squares: lower triangle `[d, d]` if dense, else `[d]`. */
  readonly #squares: Float64Array;

  /** An estimator that has seen no draw. */
  constructor(readonly dimension: number, readonly dense: boolean) {
    this.#mean = new Float64Array(dimension);
    this.#delta = new Float64Array(dimension);
    this.#squares = new Float64Array(dense ? dimension * dimension : dimension);
  }

  /** Adds `position[offset .. offset + dimension)`. */
  add(position: Float64Array, offset: number): void {
    const d = this.dimension;
    this.#count += 1;
    for (let i = 0; i < d; i++) {
      this.#delta[i] = position[offset + i] - this.#mean[i];
      this.#mean[i] += this.#delta[i] / this.#count;
    }
    for (let i = 0; i < d; i++) {
      const rest = position[offset + i] - this.#mean[i];
      if (!this.dense) this.#squares[i] += rest * this.#delta[i];
      else for (let j = 0; j <= i; j++) this.#squares[i * d + j] += rest * this.#delta[j];
    }
  }

  /**
   * The covariance shrunk a little towards `reference`: n/(n+5) S + 10⁻³ · 5/(n+5) · reference
   * (Stan 2.37, `covar_adaptation.hpp` and `var_adaptation.hpp`, where the reference is 1), the
   * reference being variances `[d]`. Same layout as the sums: `[d, d]`, both triangles, or `[d]`.
   */
  regularised(reference: Float64Array): Float64Array {
    const n = this.#count;
    const weight = n / (n + 5) / (n - 1);
    const shrink = 1e-3 * 5 / (n + 5);
    const out = this.#squares.map((v) => weight * v);
    const d = this.dimension;
    const stride = this.dense ? d + 1 : 1;
    for (let i = 0; i < d; i++) out[i * stride] += shrink * reference[i];
    if (!this.dense) return out;
    for (let i = 0; i < d; i++) for (let j = 0; j < i; j++) out[j * d + i] = out[i * d + j];
    return out;
  }

  /** Forgets every draw. */
  reset(): void {
    this.#count = 0;
    this.#mean.fill(0);
    this.#squares.fill(0);
  }
}
