/** Posteriors of few coordinates on a lattice that covers them and those that lack an observation. */
import { RandomStream } from "../../base/random.ts";
import type { ClosedFormPosterior } from "../../base/math/log_density.ts";
import { SobolNets } from "../../base/math/sobol_nets.ts";
import type { GradientBudget } from "../mcmc/budget.ts";
import { type LaplaceApproximation, laplaceApproximation } from "../mcmc/laplace.ts";
import type { StreamKey } from "../mcmc/sample_chains.ts";
import { thresholds } from "./thresholds.ts";

/** Points between which others may run. */
const pointsAtOnce = 16;

/** What is known at a point of a lattice. */
export interface LatticePoint {
  /** Its whole coordinates. */
  readonly at: readonly number[];
  /** log p(θ, y), up to a constant. */
  readonly logDensity: number;
  /** log p(y_i | y_-i, θ) `[observations]`. */
  readonly terms: Float64Array;
  /** log p(y_i | y, θ) `[observations]`. */
  readonly predictive: Float64Array;
  /** log of the mean of p(y_i | y_-i, θ) over the cell of y_i `[observations]`, if it was recorded to a step. */
  readonly cells?: Float64Array;
}

/** Where a lattice lies. */
export interface LatticeFrame {
  /** The point that all of its coordinates are zero at, and how wide the posterior is around it. */
  readonly around: LaplaceApproximation;
  /** Points to begin with. */
  readonly seeds: readonly Float64Array[];
}

/** Finds modes, the best one first. `undefined` if no climb arrives. */
export function latticeFrame(
  density: ClosedFormPosterior,
  key: StreamKey,
  budget: GradientBudget,
): LatticeFrame | undefined {
  const places = glanced(density, new RandomStream(...key, "glances"), budget);
  const modes: LaplaceApproximation[] = [];
  for (const place of places.slice(0, thresholds.latticeClimbs)) {
    const mode = laplaceApproximation(density, place, budget);
    if (mode) modes.push(mode);
  }
  if (modes.length === 0) return undefined;
  modes.sort((a, b) => b.evidence - a.evidence);
  return { around: modes[0], seeds: [...modes.map(({ mode }) => mode), ...places] };
}

/** The centre of the prior and places around it, the best first. */
function glanced(
  density: ClosedFormPosterior,
  stream: RandomStream,
  budget: GradientBudget,
): Float64Array[] {
  const { dimension, startingRegion } = density;
  const { centre, spread } = startingRegion!;
  const { latticeBox, latticeGlances } = thresholds;
  const nets = new SobolNets(stream, dimension);
  nets.begin(latticeGlances);
  const places = Array.from({ length: latticeGlances }, (_, s) => {
    nets.next();
    return centre.map((c, k) => s === 0 ? c : c + spread[k] * latticeBox * (nets.point[k] - 0.5));
  });
  budget.used += latticeGlances;
  return places.map((place) => ({ place, value: density.valueAlone!(place, 0) }))
    .filter(({ value }) => value > -Infinity)
    .sort((a, b) => b.value - a.value)
    .map(({ place }) => place);
}

/**
 * The points of a lattice, `steps` standard deviations apart along each axis, at which the posterior or one that lacks
 * an observation is within e⁻¹² of its largest value: from each point that matters to its neighbours.
 * `undefined` if there are more than `most`, or than the budget has room for.
 */
export function* latticePoints(
  density: ClosedFormPosterior,
  { around, seeds }: LatticeFrame,
  steps: readonly number[],
  most: number,
  budget: GradientBudget,
): Generator<void, readonly LatticePoint[] | undefined> {
  const lattice = new Lattice(density, around, steps);
  const queue = seeds.map((seed) => lattice.nearest(seed));
  const known = new Map<string, LatticePoint>();
  for (let next = 0; next < queue.length; next++) {
    const at = queue[next];
    const id = at.join();
    if (known.has(id)) continue;
    if (known.size >= most || budget.used >= budget.limit) return undefined;
    const point = lattice.point(at);
    budget.used += 1;
    known.set(id, point);
    if (known.size % pointsAtOnce === 0) yield;
    if (lattice.matters(point)) queue.push(...neighbours(at));
  }
  return [...known.values()].filter(({ logDensity }) => logDensity > -Infinity);
}

function neighbours(at: readonly number[]): number[][] {
  return at.flatMap((_, k) => [1, -1].map((by) => at.with(k, at[k] + by)));
}

/** What cells are worth at a position, if data were recorded to a step. */
export function cellsAt(
  density: ClosedFormPosterior,
  position: Float64Array,
): Pick<LatticePoint, "cells"> {
  if (!density.logCells) return {};
  const cells = new Float64Array(density.observations);
  density.logCells(position, 0, cells, 0);
  return { cells };
}

class Lattice {
  readonly #density: ClosedFormPosterior;
  readonly #around: LaplaceApproximation;
  readonly #steps: readonly number[];
  /** Largest log density so far, and those without each observation. */
  #top = -Infinity;
  readonly #topWithout: Float64Array;

  constructor(
    density: ClosedFormPosterior,
    around: LaplaceApproximation,
    steps: readonly number[],
  ) {
    this.#density = density;
    this.#around = around;
    this.#steps = steps;
    this.#topWithout = new Float64Array(density.observations).fill(-Infinity);
  }

  /** The coordinates of the point that is nearest to a position. */
  nearest(position: Float64Array): number[] {
    const { mode, factor } = this.#around;
    const d = mode.length;
    const white = position.map((x, i) => x - mode[i]);
    for (let i = 0; i < d; i++) {
      for (let k = 0; k < i; k++) white[i] -= factor[i * d + k] * white[k];
      white[i] /= factor[i * d + i];
    }
    return Array.from(white, (z, k) => Math.round(z / this.#steps[k]));
  }

  point(at: readonly number[]): LatticePoint {
    const { mode, factor } = this.#around;
    const { observations } = this.#density;
    const d = mode.length;
    const position = mode.map((m, i) => {
      let sum = m;
      for (let k = 0; k <= i; k++) sum += this.#steps[k] * factor[i * d + k] * at[k];
      return sum;
    });
    const terms = new Float64Array(observations);
    const predictive = new Float64Array(observations);
    const logDensity = this.#density.withLikelihood!(position, new Float64Array(d), 0, terms, 0);
    this.#density.logPredictive(position, 0, predictive, 0);
    return { at, logDensity, terms, predictive, ...cellsAt(this.#density, position) };
  }

  /** Whether a density is not negligible there, as far as is known. */
  matters({ logDensity, terms }: LatticePoint): boolean {
    if (!(logDensity > -Infinity)) return false;
    let matters = logDensity > this.#top - thresholds.latticeDepth;
    if (logDensity > this.#top) this.#top = logDensity;
    for (let i = 0; i < terms.length; i++) {
      const without = logDensity - terms[i];
      if (without > this.#topWithout[i] - thresholds.latticeDepth) matters = true;
      if (without > this.#topWithout[i]) this.#topWithout[i] = without;
    }
    return matters;
  }
}
