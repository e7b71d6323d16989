/** The posterior of what observations share: the latents of all are integrated out. */
import type { PointwiseDensity, PointwiseLikelihood, RowLatents } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import { integratedCells } from "./integrated_cells.ts";
import { LatentIntegrals } from "./latent_integrals.ts";
import type { PositionSet } from "./posterior.ts";
import { projected, sharedCoordinates } from "./shared_coordinates.ts";
import { thresholds } from "./thresholds.ts";

/** A posterior of some of another's coordinates. */
export interface MarginalPosterior extends PointwiseLikelihood {
  /** Its coordinates of draws of the other posterior. */
  project(set: PositionSet): PositionSet;
  /**
   * Writes a whole vector into `out[outOffset …)`: these coordinates, and latents drawn given them and the data.
   * `false` where an element is seen by no observation, or has no density that can be drawn from.
   */
  complete(
    from: Float64Array,
    offset: number,
    random: RandomStream,
    out: Float64Array,
    outOffset: number,
  ): boolean;
}

/**
 * The posterior of a density's other coordinates,
 * p(θ | y) ∝ p(θ) Π_e ∫ p(z_e | θ) Π p(y_i | θ, z_e) dz_e, each product over the observations that see
 * the element e of the latent z; its pointwise likelihood is log p(y_i | y_-i, θ)
 * (`LatentIntegrals`). It has few coordinates, whatever the number of observations, and none of the
 * funnels of a hierarchy. Gradients are differences, good enough to climb by;
 * `withLikelihood` gives none but zeros.
 */
export function marginalPosterior(density: PointwiseDensity): MarginalPosterior {
  const marginal = new Marginal(density);
  const { dimension, observations, startingRegion } = marginal;
  const pointwise = new Float64Array(observations);
  const point = new Float64Array(dimension);
  const valueAt = (k: number, at: number) => {
    const before = point[k];
    point[k] = at;
    const value = marginal.evaluate(point, 0, pointwise, 0);
    point[k] = before;
    return value;
  };
  return {
    dimension,
    observations,
    startingRegion,
    ...(density.logCells && {
      logCells: (position, offset, out, outOffset) =>
        marginal.writeCells(position, offset, out, outOffset),
      cellsError: () => marginal.cellsError,
    }),
    logDensity(position, gradient, offset) {
      for (let k = 0; k < dimension; k++) point[k] = position[offset + k];
      const value = marginal.evaluate(point, 0, pointwise, 0);
      let check = value - value;
      for (let k = 0; k < dimension; k++) {
        const step = thresholds.gradientStep * (startingRegion?.spread[k] ?? 1);
        const slope = (valueAt(k, point[k] + step) - value) / step;
        gradient[offset + k] = slope;
        check += slope - slope;
      }
      if (check === 0) return value;
      gradient.fill(0, offset, offset + dimension);
      return -Infinity;
    },
    valueAlone: (position, offset) => marginal.evaluate(position, offset, pointwise, 0),
    logLikelihood: (position, offset, out, outOffset) =>
      void marginal.evaluate(position, offset, out, outOffset),
    withLikelihood(position, gradient, offset, out, outOffset) {
      gradient.fill(0, offset, offset + dimension);
      return marginal.evaluate(position, offset, out, outOffset);
    },
    project: (set) => marginal.project(set),
    complete: (from, offset, random, out, outOffset) =>
      marginal.complete(from, offset, random, out, outOffset),
  };
}

class Marginal {
  readonly dimension: number;
  readonly observations: number;
  readonly startingRegion: PointwiseDensity["startingRegion"];
  readonly #density: PointwiseDensity;
  readonly #latents: RowLatents;
  /** Which of the density's coordinates are left `[dimension]`. */
  readonly #kept: Int32Array;
  readonly #integrals: LatentIntegrals;
  readonly #cells: ReturnType<typeof integratedCells>;
  /** Elements that no observation sees. */
  readonly #unseen: readonly number[];
  readonly #gradient: Float64Array;
  readonly #atModes: Float64Array;
  readonly #prior: Float64Array;

  constructor(density: PointwiseDensity) {
    const { latents, dimension, observations, startingRegion: region } = density;
    if (!latents) throw new Error("internal: nothing to integrate out");
    const { elements } = latents;
    this.#density = density;
    this.#latents = latents;
    this.#kept = sharedCoordinates(latents, dimension);
    this.dimension = this.#kept.length;
    this.observations = observations;
    this.startingRegion = region && {
      centre: Float64Array.from(this.#kept, (k) => region.centre[k]),
      spread: Float64Array.from(this.#kept, (k) => region.spread[k]),
    };
    const startsOf = (own: Int32Array) => ({
      centre: Float64Array.from(own, (k) => region?.centre[k] ?? 0),
      scale: Float64Array.from(own, (k) => region?.spread[k] ?? 1),
    });
    this.#integrals = new LatentIntegrals(density, startsOf);
    if (region) this.#integrals.position.set(region.centre);
    this.#cells = integratedCells(density, startsOf);
    const seen = new Set(latents.elementOfRow);
    this.#unseen = Array.from({ length: elements }, (_, e) => e).filter((e) => !seen.has(e));
    this.#gradient = new Float64Array(dimension);
    this.#atModes = new Float64Array(this.#integrals.ofLines.length);
    this.#prior = new Float64Array(elements);
  }

  /**
   * Log density at `from[offset …)`, −∞ where it is no number, and the likelihoods into
   * `out[outOffset …)`: log p(θ) = log p(θ, z, y) − Σ_e log (p(z_e | θ) Π p(y_i | θ, z_e)) for any z;
   * here, where the integrands are largest.
   */
  evaluate(from: Float64Array, offset: number, out: Float64Array, outOffset: number): number {
    const integrals = this.#integrals;
    for (let k = 0; k < this.dimension; k++) integrals.position[this.#kept[k]] = from[offset + k];
    integrals.write(out, outOffset);
    integrals.moveToModes(this.#atModes);
    let value = this.#density.logDensity(integrals.position, this.#gradient, 0);
    const { ofLines } = integrals;
    for (let e = 0; e < ofLines.length; e++) value += ofLines[e] - this.#atModes[e];
    value -= this.#priorOfUnseen();
    return value === value ? value : -Infinity;
  }

  /** Latents beside these coordinates, drawn given them. */
  complete(
    from: Float64Array,
    offset: number,
    random: RandomStream,
    out: Float64Array,
    outOffset: number,
  ): boolean {
    if (this.#unseen.length > 0) return false;
    const integrals = this.#integrals;
    for (let k = 0; k < this.dimension; k++) integrals.position[this.#kept[k]] = from[offset + k];
    integrals.write(new Float64Array(this.observations), 0);
    const found = integrals.draw(random);
    out.set(integrals.position, outOffset);
    return found;
  }

  /** Writes log probabilities of cells, the latents integrated out. */
  writeCells(from: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    const { position } = this.#integrals;
    for (let k = 0; k < this.dimension; k++) position[this.#kept[k]] = from[offset + k];
    this.#cells.logCells!(position, 0, out, outOffset);
  }

  /** How far these may be off, nats. */
  get cellsError(): number {
    return this.#cells.cellsError?.() ?? 0;
  }

  project(set: PositionSet): PositionSet {
    return projected(set, this.#kept);
  }

  #priorOfUnseen(): number {
    if (this.#unseen.length === 0) return 0;
    this.#latents.logPrior(this.#integrals.position, 0, this.#prior, 0);
    return this.#unseen.reduce((sum, element) => sum + this.#prior[element], 0);
  }
}
