/** Particles: positions, with the prior and the likelihoods at each. */
import type { LogDensity, PointwiseDensity } from "../../../numerics/math/mod.ts";

/** Positions, and what is known of them. */
export interface Population {
  readonly count: number;
  readonly dimension: number;
  readonly observations: number;
  /** `[count, dimension]`. */
  readonly positions: Float64Array;
  /** log p(θ), up to a constant `[count]`. */
  readonly logPrior: Float64Array;
  /** log p(y_i | θ), −∞ where it is no number `[count, observations]`. */
  readonly logLikelihood: Float64Array;
}

/** Room for so many particles. */
export function emptyPopulation(
  count: number,
  { dimension, observations }: Pick<PointwiseDensity, "dimension" | "observations">,
): Population {
  return {
    count,
    dimension,
    observations,
    positions: new Float64Array(count * dimension),
    logPrior: new Float64Array(count),
    logLikelihood: new Float64Array(count * observations),
  };
}

/** Copies particle `from` of one population over particle `to` of another. */
export function copyParticle(source: Population, from: number, target: Population, to: number) {
  const { dimension: d, observations: n } = source;
  target.positions.set(source.positions.subarray(from * d, (from + 1) * d), to * d);
  target.logPrior[to] = source.logPrior[from];
  target.logLikelihood.set(source.logLikelihood.subarray(from * n, (from + 1) * n), to * n);
}

/** Evaluates the prior and all likelihoods; values that are no numbers become −∞. */
export class Evaluator {
  /** The posterior of no observation. */
  readonly prior: LogDensity;
  readonly #at: Float64Array;
  readonly #gradient: Float64Array;

  constructor(readonly density: PointwiseDensity) {
    this.prior = density.without(Array.from({ length: density.observations }, (_, i) => i));
    this.#at = new Float64Array(density.dimension);
    this.#gradient = new Float64Array(density.dimension);
  }

  /** Fills in what is known of a particle at its position. */
  write(into: Population, particle: number): void {
    const { dimension: d, observations: n, positions, logLikelihood, logPrior } = into;
    for (let k = 0; k < d; k++) this.#at[k] = positions[particle * d + k];
    const prior = this.prior.valueAlone?.(this.#at, 0) ??
      this.prior.logDensity(this.#at, this.#gradient, 0);
    logPrior[particle] = prior < Infinity ? prior : -Infinity;
    const at = particle * n;
    if (logPrior[particle] === -Infinity) {
      logLikelihood.fill(-Infinity, at, at + n);
      return;
    }
    this.density.logLikelihood(this.#at, 0, logLikelihood, at);
    for (let i = at; i < at + n; i++) {
      if (!(logLikelihood[i] < Infinity)) logLikelihood[i] = -Infinity;
    }
  }
}
