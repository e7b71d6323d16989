/** The modes of a posterior that climbs from several places arrive at. */
import { RandomStream } from "../../../base/random.ts";
import type { GradientBudget } from "../../inference/mcmc/budget.ts";
import { type LaplaceApproximation, laplaceApproximation } from "../../inference/mcmc/laplace.ts";
import type { StreamKey } from "../../inference/mcmc/sample_chains.ts";
import { uniformStart } from "../../inference/mcmc/start.ts";
import { type LogDensity, solveLower } from "../../../numerics/math/mod.ts";
import type { Symmetry } from "../symmetries.ts";
import { thresholds } from "../thresholds.ts";

/** How many of the climbs have to arrive. A round number: half of them. */
const minArrivals = 2;

/**
 * Climbs from four places as chains start, and returns the modes that were found, best first; those
 * with less than e⁻¹⁰ of the best one's mass are left out, and of two that are less than four
 * standard deviations apart the worse. None if fewer than two climbs arrive.
 *
 * @param images maps that may take modes to modes.
 */
export function modesOf(
  density: LogDensity,
  key: StreamKey,
  budget: GradientBudget,
  images: () => readonly Symmetry[] = () => [],
): readonly LaplaceApproximation[] {
  const found = modesFrom(density, key, budget);
  return distinctModes([...found, ...modesNearImages(density, found.slice(0, 1), images, budget)]);
}

/** Nats by which an image has to be likelier than a normal density allows. A round number: e³ is twenty. */
const lessFall = 3;

/**
 * Modes that climbs from images of the best one arrive at, such as the other sign of a factor: from images that are
 * likelier than the density of a normal distribution around the mode would allow.
 */
function modesNearImages(
  density: LogDensity,
  [best]: readonly LaplaceApproximation[],
  images: () => readonly Symmetry[],
  budget: GradientBudget,
): readonly LaplaceApproximation[] {
  if (!best) return [];
  const gradient = new Float64Array(density.dimension);
  const valueAt = (at: Float64Array) =>
    density.valueAlone?.(at, 0) ?? density.logDensity(at, gradient, 0);
  const top = valueAt(best.mode);
  const from = images().map((image) => {
    const at = new Float64Array(density.dimension);
    image(best.mode, at);
    return at;
  }).filter((at) => {
    const expected = 0.5 * Math.min(distance(best, at), thresholds.minModeDistance) ** 2;
    return expected > lessFall && top - valueAt(at) < expected - lessFall;
  });
  return from.flatMap((at) => laplaceApproximation(density, at, budget) ?? []);
}

/** Modes that the climbs reach, best first; none if fewer than two climbs reach one. */
export function modesFrom(
  density: LogDensity,
  key: StreamKey,
  budget: GradientBudget,
): readonly LaplaceApproximation[] {
  const found: LaplaceApproximation[] = [];
  for (let c = 0; c < thresholds.climbs; c++) {
    const from = uniformStart(density, new RandomStream(...key, "climb", c), budget);
    const mode = from && laplaceApproximation(density, from, budget);
    if (mode) found.push(mode);
  }
  if (found.length < minArrivals) return [];
  return found.sort((a, b) => b.evidence - a.evidence);
}

/** Modes with mass enough that are not copies of another, best first. */
export function distinctModes(
  all: readonly LaplaceApproximation[],
): readonly LaplaceApproximation[] {
  const found = [...all].sort((a, b) => b.evidence - a.evidence);
  const distinct: LaplaceApproximation[] = [];
  for (const one of found) {
    if (one.evidence < found[0].evidence - thresholds.maxEvidenceGap) break;
    if (distinct.every((other) => distance(other, one.mode) > thresholds.minModeDistance)) {
      distinct.push(one);
    }
  }
  return distinct;
}

/**
 * The best mode and its mirror images among the others: these get a fit each. Ends of a ridge and
 * kinks of one peak, which climbs stop at as well, want one fit together.
 *
 * @param images maps that may take modes to modes.
 */
export function mirrored(
  modes: readonly LaplaceApproximation[],
  images: readonly Symmetry[],
): readonly LaplaceApproximation[] {
  const [best] = modes;
  const at = new Float64Array(best.mode.length);
  const isImage = ({ mode }: LaplaceApproximation) =>
    images.some((image) => {
      image(mode, at);
      return distance(best, at) < thresholds.minModeDistance;
    });
  return [best, ...modes.slice(1).filter(isImage)];
}

/** A point, and the Cholesky factor of a covariance that distances from it are measured in. */
export type Centre = Pick<LaplaceApproximation, "mode" | "factor">;

/** Distance of a point from the mode, in standard deviations. */
export function distance({ mode, factor }: Centre, point: Float64Array): number {
  const rest = point.map((x, i) => x - mode[i]);
  solveLower(factor, rest.length, rest);
  return Math.sqrt(rest.reduce((sum, r) => sum + r * r, 0));
}
