/** Importance draws of a posterior that is its own mirror image, by one of its images. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import { laplaceApproximation } from "../inference/mcmc/laplace.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import type { PointwiseLikelihood } from "../../numerics/math/mod.ts";
import type { Leavable } from "./distant_rows.ts";
import type { ImportanceEstimate } from "./importance_estimate.ts";
import { importanceFrom, type ImportanceGoal } from "./importance_loo.ts";
import { type Centre, distance, distinctModes, modesFrom } from "./proposals/modes.ts";
import type { Symmetry } from "./symmetries.ts";
import type { ImportanceDraws } from "./importance_draws.ts";

/**
 * Leave-one-out from importance draws of the part of a posterior that is nearer to its best mode than to any image of
 * that: exchangeable labels and signs leave as many modes as there are symmetries, of which one has all information
 * of the likelihoods (Stephens 2000). Distances are in standard deviations of Laplace's approximation.
 *
 * @returns `undefined` as `importanceLoo`.
 */
export function* foldedImportance(
  density: PointwiseLikelihood,
  symmetries: readonly Symmetry[],
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  const key: StreamKey = [...goal.seedKey, "folded"];
  const climbed = modesFrom(density, key, budget);
  if (climbed.length === 0) return undefined;
  const part = new Part(climbed[0], symmetries);
  const folded = climbed.map(({ mode }) => part.fold(mode))
    .map((from) => laplaceApproximation(density, from, budget))
    .filter((one) => one !== undefined);
  return yield* importanceFrom(part.of(density), distinctModes(folded), {
    ...goal,
    seedKey: key,
  }, budget);
}

/** Completes draws of one part: each goes to an image of it, all of them equally likely. */
export function unfolding(symmetries: readonly Symmetry[]): ImportanceDraws["complete"] {
  return (from, offset, random, out, outOffset) => {
    const own = from.slice(offset, offset + (out.length - outOffset));
    const image = symmetries.at(random.below(symmetries.length + 1));
    const at = new Float64Array(own.length);
    if (image !== undefined) image(own, at);
    out.set(image === undefined ? own : at, outOffset);
    return true;
  };
}

/**
 * Particles, each moved to its image nearest to the likeliest of all: so that groups agree on what
 * is no more than a label.
 */
export function foldedParticles(
  density: PointwiseLikelihood,
  { positions, logWeights }: Pick<ImportanceDraws, "positions" | "logWeights">,
  symmetries: readonly Symmetry[],
): Pick<ImportanceDraws, "positions" | "logWeights"> {
  if (symmetries.length === 0) return { positions, logWeights };
  const part = new Part(likeliest(density, positions), symmetries);
  const d = density.dimension;
  const folded = positions.slice();
  for (let at = 0; at < folded.length; at += d) {
    folded.set(part.fold(folded.slice(at, at + d)), at);
  }
  return { positions: folded, logWeights };
}

/** The likeliest of some positions, as a centre of distances in which all coordinates count alike. */
function likeliest(density: PointwiseLikelihood, all: Float64Array): Centre {
  const { dimension: d } = density;
  const gradient = new Float64Array(d);
  let [best, mode] = [-Infinity, all.slice(0, d)];
  for (let at = 0; at < all.length; at += d) {
    const own = all.slice(at, at + d);
    const value = density.valueAlone?.(own, 0) ?? density.logDensity(own, gradient, 0);
    if (value > best) [best, mode] = [value, own];
  }
  const factor = new Float64Array(d * d);
  for (let k = 0; k < d; k++) factor[k * d + k] = 1;
  return { mode, factor };
}

/** The part of the space that is nearer to a mode than to its images. */
class Part {
  readonly #mode: Centre;
  readonly #symmetries: readonly Symmetry[];
  readonly #image: Float64Array;
  readonly #at: Float64Array;

  constructor(mode: Centre, symmetries: readonly Symmetry[]) {
    this.#mode = mode;
    this.#symmetries = symmetries;
    this.#image = new Float64Array(mode.mode.length);
    this.#at = new Float64Array(mode.mode.length);
  }

  /** The image of a point that lies in this part. */
  fold(point: Float64Array): Float64Array {
    let [best, least] = [point, distance(this.#mode, point)];
    for (const symmetry of this.#symmetries) {
      symmetry(point, this.#image);
      const own = distance(this.#mode, this.#image);
      if (own < least) [best, least] = [this.#image.slice(), own];
    }
    return best;
  }

  /** The density here, −∞ elsewhere. */
  of({ without: _everyImage, ...density }: Leavable): PointwiseLikelihood {
    const { valueAlone, withLikelihood } = density;
    return {
      ...density,
      logLikelihood: (from, offset, out, at) => density.logLikelihood(from, offset, out, at),
      logDensity: (from, gradient, offset) => {
        if (this.#has(from, offset)) return density.logDensity(from, gradient, offset);
        gradient.fill(0, offset, offset + density.dimension);
        return -Infinity;
      },
      ...(valueAlone && {
        valueAlone: (from, offset) =>
          this.#has(from, offset) ? density.valueAlone!(from, offset) : -Infinity,
      }),
      ...(withLikelihood && {
        withLikelihood: (from, gradient, offset, out, outOffset) => {
          const value = density.withLikelihood!(from, gradient, offset, out, outOffset);
          return this.#has(from, offset) ? value : -Infinity;
        },
      }),
    };
  }

  #has(from: Float64Array, offset: number): boolean {
    const at = this.#at;
    at.set(from.subarray(offset, offset + at.length));
    const own = distance(this.#mode, at);
    return this.#symmetries.every((symmetry) => {
      symmetry(at, this.#image);
      return distance(this.#mode, this.#image) >= own;
    });
  }
}
