/** Integrated leave-one-out: the latent of each observation is integrated out of its likelihood. */
import type { ChainSet } from "../infer/chain_set.ts";
import { exp, log } from "../math/elementary.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import { integrateLogs } from "./adaptive_quadrature.ts";

/** Nodes to both sides of the centre, and their distance in standard deviations. */
const reach = 8;
const spacing = 0.75;
/** Newton steps towards the mode at most, and grids that are moved or widened at most. */
const newtonSteps = 6;
const widenings = 4;
/** Nats by which the integrand has to fall until the edge of the grid. */
const edgeFall = 14;
/** Nats by which half of the nodes may differ from all of them. */
const agreement = 1e-3;

/**
 * The same posterior, with log p(y_i | θ) = log ∫ p(y_i | θ, z_i) p(z_i | θ) dz_i in the place of
 * log p(y_i | θ, z_i), for the latent z_i that observation i has for itself. Importance ratios with
 * the latent in them have no finite variance, for the latent follows its one observation; those
 * without it are as calm as for any other parameter (Vehtari, Mononen, Tolvanen, Sivula, Winther
 * 2016, JMLR 17(103), section 3; Merkle, Furr, Rabe-Hesketh 2019).
 *
 * The integral is taken over the unconstrained coordinate by the trapezoidal rule with 17 nodes
 * 0.75 standard deviations apart around its mode, which for smooth integrands converges faster than
 * any power of the distance (Trefethen and Weideman 2014); all observations at once. Mode and
 * width are sought from where the latent is at each position, and the spread that it has in `set`.
 * Where every second node alone says otherwise, as with a kink, a narrow peak or two of them, the
 * integral is taken by bisection.
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
    mixture: (weights) => density.mixture(weights),
    quantities: density.quantities,
    quantityShapes: density.quantityShapes,
    constrain: (position, offset, out, outOffset) =>
      density.constrain(position, offset, out, outOffset),
  };
}

/** Buffers of the integrals over all observations at one position. */
class Integrator {
  readonly #density: PointwiseDensity;
  readonly #n: number;
  /** Coordinate of the latent of each observation. */
  readonly #coordinates: Int32Array;
  readonly #elements: Int32Array;
  /** Where the latents of the position are. */
  readonly #own: Float64Array;
  readonly #points: Float64Array;
  readonly #startScale: Float64Array;
  readonly #position: Float64Array;
  readonly #prior: Float64Array;
  readonly #centre: Float64Array;
  readonly #scale: Float64Array;
  readonly #middle: Float64Array;
  readonly #left: Float64Array;
  readonly #right: Float64Array;
  /** `[2 reach + 1, n]`. */
  readonly #values: Float64Array;

  constructor(density: PointwiseDensity, set: ChainSet) {
    const { latents, observations: n } = density;
    if (!latents) throw new Error("internal: nothing to integrate out");
    this.#density = density;
    this.#n = n;
    this.#elements = latents.elementOfRow;
    this.#coordinates = latents.elementOfRow.map((element) => latents.offset + element);
    const size = 1 + Math.max(...latents.elementOfRow);
    this.#prior = new Float64Array(size);
    this.#position = new Float64Array(density.dimension);
    this.#own = new Float64Array(n);
    this.#points = new Float64Array(n);
    this.#startScale = new Float64Array(n);
    this.#fillStarts(set);
    this.#centre = new Float64Array(n);
    this.#scale = new Float64Array(n);
    this.#middle = new Float64Array(n);
    this.#left = new Float64Array(n);
    this.#right = new Float64Array(n);
    this.#values = new Float64Array((2 * reach + 1) * n);
  }

  /** Standard deviation of each coordinate over the draws. */
  #fillStarts({ positions, dimension, chains, draws }: ChainSet): void {
    const count = chains * draws;
    for (let i = 0; i < this.#n; i++) {
      let mean = 0;
      let square = 0;
      for (let s = 0; s < count; s++) mean += positions[s * dimension + this.#coordinates[i]];
      mean /= count;
      for (let s = 0; s < count; s++) {
        const rest = positions[s * dimension + this.#coordinates[i]] - mean;
        square += rest * rest;
      }
      const sd = Math.sqrt(square / count);
      this.#startScale[i] = sd > 1e-6 && sd < 1e6 ? sd : 1;
    }
  }

  logLikelihood(position: Float64Array, offset: number, out: Float64Array, outOffset: number) {
    const { dimension } = this.#density;
    for (let k = 0; k < dimension; k++) this.#position[k] = position[offset + k];
    for (let i = 0; i < this.#n; i++) this.#centre[i] = this.#position[this.#coordinates[i]];
    this.#own.set(this.#centre);
    this.#scale.set(this.#startScale);
    this.#seekModes();
    for (let attempt = 0; attempt <= widenings; attempt++) {
      this.#fillGrid();
      if (!this.#moveGrids()) break;
    }
    const rough: number[] = [];
    for (let i = 0; i < this.#n; i++) {
      out[outOffset + i] = this.#sumOf(i, 1);
      if (!this.#isSmooth(i, out[outOffset + i])) rough.push(i);
    }
    if (rough.length > 0) this.#integrateRough(rough, out, outOffset);
  }

  /**
   * Whether half the nodes say the same, and the latent's own value lies among them. The error of
   * all nodes is about the square of that of half of them.
   */
  #isSmooth(i: number, sum: number): boolean {
    if (!(Math.abs(sum) < Infinity)) return sum === -Infinity;
    const distance = Math.abs(this.#own[i] - this.#centre[i]);
    return Math.abs(this.#sumOf(i, 2) - sum) < agreement &&
      distance < reach * spacing * this.#scale[i];
  }

  /** By bisection; the centre is the highest node, and the scale that of its neighbourhood. */
  #integrateRough(rough: readonly number[], out: Float64Array, outOffset: number): void {
    for (const i of rough) {
      const top = this.#topOf(i);
      this.#middle[i] = this.#values[top * this.#n + i];
      this.#centre[i] += (top - reach) * spacing * this.#scale[i];
    }
    const logs = (points: Float64Array, into: Float64Array) => this.#evaluateAt(points, into, 0);
    const found = integrateLogs(logs, rough, this.#centre, this.#scale, this.#middle);
    rough.forEach((i, k) => {
      if (Math.abs(found[k]) < Infinity) out[outOffset + i] = found[k];
    });
  }

  /** log p(y_i, z_i | θ) of every observation at z = centre + shift · scale. */
  #evaluate(shift: number, out: Float64Array, at: number): void {
    for (let i = 0; i < this.#n; i++) {
      this.#points[i] = this.#centre[i] + shift * this.#scale[i];
    }
    this.#evaluateAt(this.#points, out, at);
  }

  /** log p(y_i, z_i | θ) of every observation at its point. */
  #evaluateAt(points: Float64Array, out: Float64Array, at: number): void {
    for (let i = 0; i < this.#n; i++) this.#position[this.#coordinates[i]] = points[i];
    this.#density.logLikelihood(this.#position, 0, out, at);
    this.#density.latents!.logPrior(this.#position, 0, this.#prior, 0);
    for (let i = 0; i < this.#n; i++) {
      const value = out[at + i] + this.#prior[this.#elements[i]];
      out[at + i] = value === value ? value : -Infinity;
    }
  }

  /** Newton's method with differences over half a standard deviation. */
  #seekModes(): void {
    for (let step = 0; step < newtonSteps; step++) {
      this.#evaluate(0, this.#middle, 0);
      this.#evaluate(-0.5, this.#left, 0);
      this.#evaluate(0.5, this.#right, 0);
      let settled = true;
      for (let i = 0; i < this.#n; i++) settled = this.#newton(i) && settled;
      if (settled) return;
    }
  }

  /** Moves the centre of one observation; returns whether it was there already. */
  #newton(i: number): boolean {
    const slope = this.#right[i] - this.#left[i];
    const bend = 2 * this.#middle[i] - this.#right[i] - this.#left[i];
    const scale = this.#scale[i];
    if (!(bend > 1e-8 && bend < Infinity)) {
      this.#centre[i] += slope > 0 ? scale : slope < 0 ? -scale : 0;
      return !(Math.abs(slope) < Infinity);
    }
    // In units of the scale: slope / 1, curvature bend / 0.25.
    const width = Math.min(4, Math.max(0.25, Math.sqrt(0.25 / bend)));
    const move = Math.min(3, Math.max(-3, 0.25 * slope / bend));
    this.#centre[i] += move * scale;
    this.#scale[i] = width * scale;
    return Math.abs(move) < 0.5 * width && width > 0.7 && width < 1.4;
  }

  #fillGrid(): void {
    for (let j = -reach; j <= reach; j++) {
      this.#evaluate(j * spacing, this.#values, (j + reach) * this.#n);
    }
  }

  /** Moves and widens the grids whose edges still carry mass; returns whether there was one. */
  #moveGrids(): boolean {
    const n = this.#n;
    let moved = false;
    for (let i = 0; i < n; i++) {
      const top = this.#topOf(i);
      const highest = this.#values[top * n + i];
      const edge = Math.max(this.#values[i], this.#values[2 * reach * n + i]);
      if (!(edge > highest - edgeFall) || highest === -Infinity) continue;
      this.#centre[i] += 0.5 * (top - reach) * spacing * this.#scale[i];
      this.#scale[i] *= 1.5;
      moved = true;
    }
    return moved;
  }

  /** Node at which the integrand of observation `i` is largest. */
  #topOf(i: number): number {
    let top = 0;
    for (let j = 1; j <= 2 * reach; j++) {
      if (this.#values[j * this.#n + i] > this.#values[top * this.#n + i]) top = j;
    }
    return top;
  }

  /** The trapezoidal rule over every node, or every second. */
  #sumOf(i: number, step: 1 | 2): number {
    const highest = this.#values[this.#topOf(i) * this.#n + i];
    if (!(Math.abs(highest) < Infinity)) return highest;
    let sum = 0;
    for (let j = 0; j <= 2 * reach; j += step) sum += exp(this.#values[j * this.#n + i] - highest);
    return highest + log(sum * step * spacing * this.#scale[i]);
  }
}
