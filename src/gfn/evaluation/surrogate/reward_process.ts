/** A Gaussian process over log rewards, given some of them: mean, variance, and leave-one-out predictions. */
import { cholesky, solveLower, solveUpper } from "../../../numerics/math/mod.ts";
import { type KernelParameters, ProductionKernel } from "./production_kernel.ts";
import type { Points } from "./relevance.ts";

/** Objects whose variances are solved for together: a row of the factor is read once for all. */
const together = 16;

/** A prediction for one object, in nats. */
export interface Prediction {
  /** Posterior mean of the log reward. */
  readonly mean: number;
  /** Its variance, the nugget included. */
  readonly variance: number;
}

/** The posterior of a process with given parameters (Rasmussen and Williams 2006, algorithm 2.1). */
export class RewardProcess {
  readonly #kernel: ProductionKernel;
  readonly #lower: Float64Array;
  readonly #weights: Float64Array;
  readonly #points: Points;

  private constructor(
    readonly parameters: KernelParameters,
    readonly center: number,
    points: Points,
    kernel: ProductionKernel,
    lower: Float64Array,
  ) {
    this.#kernel = kernel;
    this.#lower = lower;
    this.#points = points;
    this.#weights = Float64Array.from(points.heights);
    solveLower(lower, points.heights.length, this.#weights);
    solveUpper(lower, points.heights.length, this.#weights);
  }

  /** @throws internal, if no nugget makes the covariance positive definite. */
  static of(parameters: KernelParameters, center: number, points: Points): RewardProcess {
    for (let nugget = parameters.nugget; nugget < 1e6; nugget *= 10) {
      const used = { ...parameters, nugget };
      const kernel = new ProductionKernel(used);
      const lower = factorOf(kernel, points);
      if (lower) return new RewardProcess(used, center, points, kernel, lower);
    }
    throw new Error("internal: the covariance of a surrogate is not positive definite");
  }

  /** Scored objects that it rests on. */
  get size(): number {
    return this.#points.heights.length;
  }

  /** `[count]`: posterior means of objects. */
  means(codes: Uint8Array, count: number): Float64Array {
    const n = this.size;
    const row = new Float64Array(n);
    const means = new Float64Array(count);
    for (let x = 0; x < count; x++) {
      this.#kernel.row(codes, x, this.#points.codes, n, row);
      let sum = this.center;
      for (let i = 0; i < n; i++) sum += row[i] * this.#weights[i];
      means[x] = sum;
    }
    return means;
  }

  /** `[count]`: posterior variances of log rewards. */
  variances(codes: Uint8Array, count: number): Float64Array {
    const n = this.size;
    const variances = new Float64Array(count).fill(
      this.#kernel.variance + this.parameters.nugget,
    );
    const rows = new Float64Array(together * n);
    const pieces = this.#points.codes.length / n;
    for (let first = 0; first < count; first += together) {
      const some = Math.min(together, count - first);
      const own = codes.subarray(first * pieces, (first + some) * pieces);
      for (let k = 0; k < some; k++) {
        this.#kernel.row(own, k, this.#points.codes, n, rows, k * n);
      }
      solveTogether(this.#lower, n, rows, some);
      for (let k = 0; k < some; k++) {
        let explained = 0;
        for (let i = 0; i < n; i++) explained += rows[k * n + i] * rows[k * n + i];
        variances[first + k] = Math.max(this.parameters.nugget, variances[first + k] - explained);
      }
    }
    return variances;
  }

  /**
   * Leave-one-out predictions of points: [K⁻¹]ᵢᵢ is the squared length of L⁻¹ eᵢ
   * (Rasmussen and Williams 2006, eq. 5.12).
   *
   * @param places Of the points.
   */
  leaveOneOut(places: readonly number[]): Prediction[] {
    const n = this.size;
    const column = new Float64Array(n);
    return places.map((i) => {
      column.fill(0);
      column[i] = 1;
      solveLower(this.#lower, n, column);
      const variance = 1 / column.reduce((sum, one) => sum + one * one, 0);
      return {
        mean: this.center + this.#points.heights[i] - this.#weights[i] * variance,
        variance,
      };
    });
  }
}

function factorOf(kernel: ProductionKernel, { codes, heights }: Points) {
  const n = heights.length;
  const covariance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    kernel.row(codes, i, codes, i + 1, covariance, i * n);
    covariance[i * n + i] += kernel.parameters.nugget;
  }
  return cholesky(covariance, n) ? covariance : undefined;
}

/** Solves L x = b in place for several right-hand sides, each `n` numbers, one behind the other. */
function solveTogether(lower: Float64Array, n: number, rows: Float64Array, count: number): void {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let k = 0; k < count; k++) {
      const at = k * n;
      let sum = rows[at + i];
      for (let m = 0; m < i; m++) sum -= lower[row + m] * rows[at + m];
      rows[at + i] = sum / lower[row + i];
    }
  }
}
