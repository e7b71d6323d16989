/** Withheld rows of linear-Gaussian programs given the others, as what a posterior averages over. */
import type { PredictiveLikelihood, StartingRegion } from "../../../numerics/math/mod.ts";
import { byDifferences } from "./by_differences.ts";
import type { MeasuredPosterior } from "./marginal.ts";

/**
 * The posterior of θ given all rows but these, with likelihoods 1 / p(y_i | θ, the other rows) for each of these:
 * its leave-one-out density of row i, 1 / E[p(y_i | …)], is the inverse of the predictive density of row i.
 */
export class WithheldRows implements PredictiveLikelihood {
  readonly dimension: number;
  readonly observations: number;
  readonly startingRegion: StartingRegion;
  readonly #whole: MeasuredPosterior;
  readonly #rows: readonly number[];

  /** @param whole the posterior given all rows. */
  constructor(whole: MeasuredPosterior, rows: readonly number[]) {
    this.dimension = whole.dimension;
    this.observations = rows.length;
    this.startingRegion = whole.startingRegion;
    this.#whole = whole;
    this.#rows = rows;
  }

  valueAlone(position: Float64Array, offset: number): number {
    return this.#whole.withheld(position, offset, this.#rows)?.logDensity ?? -Infinity;
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return byDifferences(this, position, gradient, offset);
  }

  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const found = this.#whole.withheld(position, offset, this.#rows);
    for (let k = 0; k < this.observations; k++) out[outOffset + k] = found ? -found.terms[k] : NaN;
  }

  withLikelihood(
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    gradient.fill(0, offset, offset + this.dimension);
    this.logLikelihood(position, offset, out, outOffset);
    return this.valueAlone(position, offset);
  }

  logPredictive(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    this.logLikelihood(position, offset, out, outOffset);
  }
}
