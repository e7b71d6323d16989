/** Holds draws of integrated latents against their moments in closed form. */
import type { GivenRows } from "./given_rows.ts";
import type { Precision } from "./square_root.ts";

/** Standard errors of a sum over draws beyond which it is no chance: one in 10¹⁵. */
const mostErrors = 8;
/** Part of a sum that may be rounding. */
const rounding = 1e-3;

/**
 * Given θ and the rows, ε has the mean μ = Aᵀ Q r and y − m − A ε has D Q r, both from the precision Q that
 * scores; (ε − μ, D^−½ (A ε − A μ)) has no variance above 1 along any axis, and a squared length whose mean
 * is the number of latents. Draws that rounding spoilt break one of these, by any method of drawing. A
 * latent whose mean loses its digits in Aᵀ Q r is checked by rows alone.
 */
export class DrawCheck {
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #count = 0;
  #skipped = 0;
  readonly #latents: number;

  constructor(rows: number, latents: number) {
    this.#latents = latents;
    this.#sums = new Float64Array(rows + latents);
    this.#squares = new Float64Array(rows + latents);
  }

  /** Takes in a draw. */
  add(white: Float64Array, given: GivenRows, precision: Pick<Precision, "solve">): void {
    const weighted = given.residuals.slice();
    precision.solve(weighted);
    const { mean, lost } = given.across(weighted);
    const rows = given.away(white);
    given.whiten(rows);
    const expected = given.colouredAcross(weighted);
    const { length: d } = white;
    this.#count += 1;
    for (let k = 0; k < d; k++) {
      if (lost[k] < rounding) this.#take(k, white[k] - mean[k]);
      else this.#skipped += 1;
    }
    for (let i = 0; i < rows.length; i++) this.#take(d + i, rows[i] - expected[i]);
  }

  #take(k: number, deviation: number): void {
    this.#sums[k] += deviation;
    this.#squares[k] += deviation * deviation;
  }

  /** Whether means, variances and the squared length are those in closed form. */
  get agree(): boolean {
    const count = this.#count;
    const total = this.#squares.reduce((sum, square) => sum + square, 0);
    const [expected, most] = [
      count * this.#latents,
      this.#allowed(2 * count * this.#latents, total),
    ];
    if (!(total <= expected + most && total >= expected - this.#skipped - most)) return false;
    return this.#sums.every((sum, k) =>
      Math.abs(sum) <= this.#allowed(count, count) &&
      this.#squares[k] <= count + this.#allowed(2 * count, count)
    );
  }

  #allowed(variance: number, size: number): number {
    return mostErrors * Math.sqrt(variance) + rounding * size;
  }
}
