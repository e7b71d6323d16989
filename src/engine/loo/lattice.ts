/** Posteriors of few coordinates on a lattice that covers them and those that lack an observation. */
import { RandomStream } from "../../base/random.ts";
import { log, type PredictiveLikelihood, SobolNets } from "../../numerics/math/mod.ts";
import { climb } from "../inference/mcmc/bfgs.ts";
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import { type LaplaceApproximation, laplaceApproximation } from "../inference/mcmc/laplace.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import { thresholds } from "./thresholds.ts";

/** Points between which others may run. */
const pointsAtOnce = 16;

/** Values at a point of a lattice. */
export interface LatticePoint {
  /** Its whole coordinates. */
  readonly at: readonly number[];
  /** Where it lies `[dimension]`. */
  readonly position: Float64Array;
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
interface LatticeFrame {
  /** The point that all of its coordinates are zero at, and how wide the posterior is around it. */
  readonly around: LaplaceApproximation;
  /** Points to begin with. */
  readonly seeds: readonly Float64Array[];
}

/** Finds modes, the best one first. `undefined` if no climb arrives. */
export function latticeFrame(
  density: PredictiveLikelihood,
  key: StreamKey,
  budget: GradientBudget,
): LatticeFrame | undefined {
  const places = glanced(density, new RandomStream(...key, "glances"), budget);
  const modes: LaplaceApproximation[] = [];
  for (const place of places.slice(0, thresholds.latticeClimbs)) {
    const from = modes.length === 0 ? place : beyond(density, place, modes, budget);
    const mode = from && laplaceApproximation(density, from, budget);
    if (mode) modes.push(mode);
  }
  if (modes.length === 0) return undefined;
  modes.sort((a, b) => b.evidence - a.evidence);
  return { around: modes[0], seeds: [...modes.map(({ mode }) => mode), ...places] };
}

/** Where a climb ends that stays away from modes that are known; `undefined` if it comes near one. */
function beyond(
  density: PredictiveLikelihood,
  from: Float64Array,
  modes: readonly LaplaceApproximation[],
  budget: GradientBudget,
): Float64Array | undefined {
  const isKnown = (position: Float64Array) =>
    modes.some((mode) =>
      whitened(mode, position).every((z) => Math.abs(z) < thresholds.latticeNear)
    );
  let arrived = false;
  const stopping = {
    dimension: density.dimension,
    logDensity(position: Float64Array, gradient: Float64Array, offset: number) {
      arrived ||= isKnown(position.subarray(offset, offset + density.dimension));
      if (!arrived) return density.logDensity(position, gradient, offset);
      gradient.fill(0, offset, offset + density.dimension);
      return Infinity;
    },
  };
  const top = climb(stopping, from, 100 + 10 * from.length);
  budget.used += top.evaluations;
  return arrived ? undefined : top.position;
}

/** A position in standard deviations from a mode. */
function whitened({ mode, factor }: LaplaceApproximation, position: Float64Array): Float64Array {
  const d = mode.length;
  const white = position.map((x, i) => x - mode[i]);
  for (let i = 0; i < d; i++) {
    for (let k = 0; k < i; k++) white[i] -= factor[i * d + k] * white[k];
    white[i] /= factor[i * d + i];
  }
  return white;
}

/** The centre of the prior and places around it, the best first. */
function glanced(
  density: PredictiveLikelihood,
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

/** Log probabilities of cells at a position, if data were recorded to a step. */
export function cellsAt(
  density: PredictiveLikelihood,
  position: Float64Array,
): Pick<LatticePoint, "cells"> {
  if (!density.logCells) return {};
  const cells = new Float64Array(density.observations);
  density.logCells(position, 0, cells, 0);
  return { cells };
}

/**
 * A lattice over a posterior: points at which the posterior, or one that lacks an observation, is
 * within e⁻⁹ of its largest value. It grows from each point that matters to its neighbours; one
 * that cannot matter if the density falls no slower than it did before is not evaluated. Distances
 * along an axis can be halved, and all points are kept.
 */
export class Lattice {
  /** Distances of the points along each axis, in standard deviations. */
  readonly steps: number[];
  readonly #density: PredictiveLikelihood;
  readonly #frame: LatticeFrame;
  #known = new Map<string, LatticePoint>();
  /** Largest log density so far, and those without each observation. */
  #top = -Infinity;
  readonly #topWithout: Float64Array;

  constructor(density: PredictiveLikelihood, frame: LatticeFrame, steps: readonly number[]) {
    this.#density = density;
    this.#frame = frame;
    this.steps = [...steps];
    this.#topWithout = new Float64Array(density.observations).fill(-Infinity);
  }

  /** Its points, those without any density left out. */
  get points(): readonly LatticePoint[] {
    return [...this.#known.values()].filter(({ logDensity }) => logDensity > -Infinity);
  }

  /** Whether a density ends beside a point where it matters: a lattice does not know how much lies beyond. */
  get isCut(): boolean {
    const matters = [...this.#known.values()].filter((point) => this.#matters(point));
    return matters.some(({ at }) =>
      at.some((x, k) => [1, -1].some((by) => this.logDensityAt(at.with(k, x + by)) === -Infinity))
    );
  }

  /** log of the volume that each point stands for. */
  get logVolume(): number {
    const { mode: { length: d }, factor } = this.#frame.around;
    return this.steps.reduce((sum, step, k) => sum + log(step * factor[k * d + k]), 0);
  }

  /** Number of points evaluated. */
  get size(): number {
    return this.#known.size;
  }

  /** Halves the distance along an axis. */
  halve(axis: number): void {
    const points = [...this.#known.values()];
    this.steps[axis] /= 2;
    this.#known = new Map(points.map((point) => {
      const at = point.at.with(axis, 2 * point.at[axis]);
      return [at.join(), { ...point, at }];
    }));
  }

  /** Evaluates all points that matter; false if there are more than `most`, or than the budget has room for. */
  *grow(most: number, budget: GradientBudget): Generator<void, boolean> {
    const queue = this.#starts();
    for (let next = 0; next < queue.length; next++) {
      const at = queue[next];
      const id = at.join();
      if (this.#known.has(id)) continue;
      if (this.#known.size >= most || budget.used >= budget.limit) return false;
      const point = this.#point(at);
      budget.used += 1;
      this.#known.set(id, point);
      if (this.#known.size % pointsAtOnce === 0) yield;
      if (this.#matters(point)) queue.push(...this.#beside(point));
    }
    return true;
  }

  /** The log density at a point that is known. */
  logDensityAt(at: readonly number[]): number | undefined {
    return this.#known.get(at.join())?.logDensity;
  }

  /** A position beside a point, so many distances away along each axis. */
  beside({ at }: LatticePoint, away: ArrayLike<number>): Float64Array {
    return this.#positionOf(at.map((x, k) => x + away[k]));
  }

  /** Where to go on from: the seeds, or what is beside points that are known. */
  #starts(): (readonly number[])[] {
    if (this.#known.size === 0) return this.#frame.seeds.map((seed) => this.#nearest(seed));
    return [...this.#known.values()].filter((point) => this.#matters(point))
      .flatMap((point) => this.#beside(point));
  }

  /** The coordinates of the point that is nearest to a position. */
  #nearest(position: Float64Array): number[] {
    return Array.from(
      whitened(this.#frame.around, position),
      (z, k) => Math.round(z / this.steps[k]),
    );
  }

  #point(at: readonly number[]): LatticePoint {
    const { observations } = this.#density;
    const d = at.length;
    const position = this.#positionOf(at);
    const terms = new Float64Array(observations);
    const predictive = new Float64Array(observations);
    const logDensity = this.#density.withLikelihood!(position, new Float64Array(d), 0, terms, 0);
    if (logDensity > -Infinity) this.#density.logPredictive(position, 0, predictive, 0);
    const cells = logDensity > -Infinity ? cellsAt(this.#density, position) : {};
    return { at, position, logDensity, terms, predictive, ...cells };
  }

  #positionOf(at: readonly number[]): Float64Array {
    const { mode, factor } = this.#frame.around;
    const d = mode.length;
    return mode.map((m, i) => {
      let sum = m;
      for (let k = 0; k <= i; k++) sum += this.steps[k] * factor[i * d + k] * at[k];
      return sum;
    });
  }

  /** Whether a density is not negligible there, as far as is known. */
  #matters({ logDensity, terms }: LatticePoint): boolean {
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

  /** Neighbours that are not known and may matter. */
  #beside(point: LatticePoint): (readonly number[])[] {
    return point.at.flatMap((x, k) =>
      [1, -1].filter((by) => {
        const before = this.#known.get(point.at.with(k, x - by).join());
        return !this.#known.has(point.at.with(k, x + by).join()) &&
          (!before || this.#mayMatter(point, before));
      }).map((by) => point.at.with(k, x + by))
    );
  }

  /** Whether a density matters one step on, if it goes on as it came from the point before. */
  #mayMatter(point: LatticePoint, before: LatticePoint): boolean {
    const { latticeDepth } = thresholds;
    const next = 2 * point.logDensity - before.logDensity;
    if (!(next < Infinity) || next > this.#top - latticeDepth) return true;
    return point.terms.some((term, i) =>
      next - 2 * term + before.terms[i] > this.#topWithout[i] - latticeDepth
    );
  }
}
