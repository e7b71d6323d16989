/** The modes of a posterior that climbs from several places arrive at. */
import { RandomStream } from "../../../base/random.ts";
import type { GradientBudget } from "../../inference/mcmc/budget.ts";
import { type LaplaceApproximation, laplaceApproximation } from "../../inference/mcmc/laplace.ts";
import type { StreamKey } from "../../inference/mcmc/sample_chains.ts";
import { uniformStart } from "../../inference/mcmc/start.ts";
import { type LogDensity, solveLower } from "../../../numerics/math/mod.ts";
import { thresholds } from "../thresholds.ts";

/** How many of the climbs have to arrive. A round number: half of them. */
const minArrivals = 2;

/**
 * Climbs from four places as chains start, and returns the modes that were found, best first; those
 * with less than e⁻¹⁰ of the best one's mass are left out, and of two that are less than four
 * standard deviations apart the worse. None if fewer than two climbs arrive.
 */
export function modesOf(
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
  found.sort((a, b) => b.evidence - a.evidence);
  const distinct: LaplaceApproximation[] = [];
  for (const one of found) {
    if (one.evidence < found[0].evidence - thresholds.maxEvidenceGap) break;
    if (distinct.every((other) => distance(other, one.mode) > thresholds.minModeDistance)) {
      distinct.push(one);
    }
  }
  return distinct;
}

/** Distance of a point from the mode, in standard deviations. */
function distance({ mode, factor }: LaplaceApproximation, point: Float64Array): number {
  const rest = point.map((x, i) => x - mode[i]);
  solveLower(factor, rest.length, rest);
  return Math.sqrt(rest.reduce((sum, r) => sum + r * r, 0));
}
