/** The interface between latent fields under non-normal responses and the samplers that average over them. */
import type { PredictiveLikelihood } from "./log_density.ts";
import type { RandomStream } from "../../base/random.ts";

/**
 * Posterior of few parameters θ, with normal latents integrated out by Laplace's approximation: log
 * density and terms are smooth in θ, and accurate enough to locate θ. Importance draws of the latents
 * (`conditional`) measure their error.
 */
export interface FieldPosterior extends PredictiveLikelihood {
  /** Number of coordinates that were integrated out. */
  readonly integrated: number;
  /**
   * The latents given θ; `undefined` outside of the support, or where there is no mode.
   *
   * @param careful with a distribution of its own for each posterior that lacks one of the rows that lie furthest
   * out: as much work again for each.
   */
  conditional(position: Float64Array, careful?: boolean): FieldConditional | undefined;
}

/** A draw of latents with its weight; arrays are overwritten by the next. */
export interface FieldDraw {
  /** log p(y, latents, θ) − log q. */
  readonly logWeight: number;
  /** The same without the likelihoods: log p(latents, θ) − log q. */
  readonly logRatio: number;
  /** log p(y_i | latents, θ) `[observations]`. */
  readonly logLikelihood: Float64Array;
  /** The logarithm of the same weight, were all approximations exact: its mean is known. */
  readonly logControl: number;
  /** The same of the weight over the likelihood of each observation `[observations]`. */
  readonly logControls: Float64Array;
}

/** Normal latents given θ and the data: draws of them with weights. */
export interface FieldConditional {
  /** Evaluations of the likelihood that finding it took. */
  readonly evaluations: number;
  /** log of the mean of exp(`logControl`): log p(y, θ), approximately. */
  readonly logEvidence: number;
  /** log of the means of exp(`logControls`): log p(y_-i, θ), approximately `[observations]`. */
  readonly logWithout: Float64Array;
  /**
   * Draws `count` times from a mixture of approximations to the posterior of the latents and to those
   * that lack an observation: means of the weights are p(y, θ) without bias, and those of weights over
   * p(y_i | …) are p(y_-i, θ); so are both less their controls, plus the means of these.
   */
  draw(stream: RandomStream, count: number, visit: (draw: FieldDraw) => void): void;
}
