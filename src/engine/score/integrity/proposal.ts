/** A proper distribution of the host's, near another distribution and with heavier tails, for each row. */
import { RandomStream } from "../../../base/random.ts";
import { exp, log, log1p } from "../../../numerics/math/mod.ts";
import type { RowDistributions } from "./distribution_at.ts";

/**
 * Student's t with 2 degrees of freedom on the scale of the support (the number, its logarithm or
 * its log odds), whose quantile function is elementary: t(u) = (2u − 1) / √(2u(1 − u)).
 */
export class Proposal {
  readonly #location: Float64Array;
  readonly #scale: Float64Array;

  /** Placed by the median and the quartiles of draws that the distribution itself makes. */
  constructor(
    readonly distribution: RowDistributions,
    key: readonly (string | number)[],
    draws = 65,
  ) {
    const random = new RandomStream(...key, "proposal");
    const columns = Array.from({ length: distribution.rows }, () => new Float64Array(draws));
    const row = new Float64Array(distribution.rows);
    for (let s = 0; s < draws; s++) {
      distribution.draw(random, row);
      for (let i = 0; i < distribution.rows; i++) columns[i][s] = this.#toLine(row[i]);
    }
    this.#location = Float64Array.from(columns, (own) => quantile(own, 0.5));
    this.#scale = Float64Array.from(columns, spread);
  }

  /** The value of row `i` below which the share `u` of the proposal lies. */
  at(i: number, u: number): number {
    const t = (2 * u - 1) / Math.sqrt(2 * u * (1 - u));
    const z = this.#location[i] + this.#scale[i] * t;
    if (this.distribution.support === "positive") return exp(z);
    return this.distribution.support === "unit" ? 1 / (1 + exp(-z)) : z;
  }

  /** The share of row `i` below a value; NaN where there is none. */
  below(i: number, y: number): number {
    const t = (this.#toLine(y) - this.#location[i]) / this.#scale[i];
    return 0.5 + t / (2 * Math.sqrt(2 + t * t));
  }

  /** log q of row `i` at the value with this share below it. */
  logDensity(i: number, u: number, y: number): number {
    const own = 1.5 * log(2 * u * (1 - u)) - log(this.#scale[i]);
    if (this.distribution.support === "positive") return own - log(y);
    return this.distribution.support === "unit" ? own - log(y) - log1p(-y) : own;
  }

  #toLine(y: number): number {
    if (this.distribution.support === "positive") return log(y);
    return this.distribution.support === "unit" ? log(y) - log1p(-y) : y;
  }
}

function quantile(values: Float64Array, share: number): number {
  const sorted = [...values].filter(Number.isFinite).sort((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
}

/** Half of the distance between the quartiles; never 0. */
function spread(values: Float64Array): number {
  const half = (quantile(values, 0.75) - quantile(values, 0.25)) / 2;
  return half > 0 ? half : Math.max(1e-3, 1e-3 * Math.abs(quantile(values, 0.5)));
}
