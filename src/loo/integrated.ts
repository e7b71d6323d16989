/** Integrated leave-one-out: the latent of each observation is integrated out of its likelihood. */
import type { ChainSet } from "../infer/chain_set.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import { LineIntegrals } from "./line_integrals.ts";
import type { Peaks } from "./line_modes.ts";

/**
 * The same posterior, with log p(y_i | θ) = log ∫ p(y_i | θ, z_i) p(z_i | θ) dz_i in the place of
 * log p(y_i | θ, z_i), for the latent z_i that observation i has for itself. Importance ratios with
 * the latent in them have no finite variance, for the latent follows its one observation; those
 * without it are as calm as for any other parameter (Vehtari, Mononen, Tolvanen, Sivula, Winther
 * 2016, JMLR 17(103), section 3; Merkle, Furr, Rabe-Hesketh 2019).
 *
 * The integrals are taken over the unconstrained coordinate (`LineIntegrals`), of all observations
 * at once. Mode and width are sought from the mean and spread that the coordinate has in `set`, and
 * again from every position alone, so that the value is a function of the position.
 */
export function integratedPosterior(density: PointwiseDensity, set: ChainSet): PointwiseDensity {
  const integrator = new Integrator(density, set);
  return {
    dimension: density.dimension,
    observations: density.observations,
    startingRegion: density.startingRegion,
    logDensity: (position, gradient, offset) => density.logDensity(position, gradient, offset),
    logLikelihood: (position, offset, out, outOffset) =>
      integrator.logLikelihood(position, offset, out, outOffset),
    without: (rows) => density.without(rows),
    mixture: (components) => density.mixture(components),
    quantities: density.quantities,
    quantityShapes: density.quantityShapes,
    constrain: (position, offset, out, outOffset) =>
      density.constrain(position, offset, out, outOffset),
  };
}

/** The integrals over the latents of all observations at one position. */
class Integrator {
  readonly #density: PointwiseDensity;
  /** Coordinate of the latent of each observation, and its place among the latents. */
  readonly #coordinates: Int32Array;
  readonly #elements: Int32Array;
  readonly #starts: Peaks;
  readonly #peaks: Peaks;
  readonly #position: Float64Array;
  readonly #prior: Float64Array;
  readonly #integrals: LineIntegrals;

  constructor(density: PointwiseDensity, set: ChainSet) {
    const { latents, observations: n } = density;
    if (!latents) throw new Error("internal: nothing to integrate out");
    this.#density = density;
    this.#elements = latents.elementOfRow;
    this.#coordinates = latents.elementOfRow.map((element) => latents.offset + element);
    this.#prior = new Float64Array(1 + Math.max(...latents.elementOfRow));
    this.#position = new Float64Array(density.dimension);
    const make = () => ({ centre: new Float64Array(n), scale: new Float64Array(n) });
    [this.#starts, this.#peaks] = [make(), make()];
    this.#integrals = new LineIntegrals((points, logs) => this.#evaluate(points, logs), n);
    this.#coordinates.forEach((k, i) => fillStart(this.#starts, i, set, k));
  }

  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const { dimension } = this.#density;
    for (let k = 0; k < dimension; k++) this.#position[k] = position[offset + k];
    this.#peaks.centre.set(this.#starts.centre);
    this.#peaks.scale.set(this.#starts.scale);
    this.#integrals.write(this.#peaks, out, outOffset);
  }

  /** log p(y_i, z_i | θ) of every observation at z_i = points[i]. */
  #evaluate(points: Float64Array, logs: Float64Array): void {
    for (let i = 0; i < points.length; i++) this.#position[this.#coordinates[i]] = points[i];
    this.#density.logLikelihood(this.#position, 0, logs, 0);
    this.#density.latents!.logPrior(this.#position, 0, this.#prior, 0);
    for (let i = 0; i < points.length; i++) {
      const value = logs[i] + this.#prior[this.#elements[i]];
      logs[i] = value === value ? value : -Infinity;
    }
  }
}

/** Mean and standard deviation of coordinate `k` over the draws, as a start for observation `i`. */
function fillStart({ centre, scale }: Peaks, i: number, set: ChainSet, k: number): void {
  const { positions, dimension, chains, draws } = set;
  const count = chains * draws;
  let [mean, square] = [0, 0];
  for (let s = 0; s < count; s++) mean += positions[s * dimension + k] / count;
  for (let s = 0; s < count; s++) {
    const rest = positions[s * dimension + k] - mean;
    square += rest * rest / count;
  }
  const sd = Math.sqrt(square);
  centre[i] = mean;
  scale[i] = sd > 1e-6 && sd < 1e6 ? sd : 1;
}
