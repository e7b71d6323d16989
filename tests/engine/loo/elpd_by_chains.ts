/** Leave-one-out from the draws of chains, whatever importance draws might say. */
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { elpdLoo, elpdOfChains, type ElpdResult } from "../../../src/engine/loo/elpd.ts";
import type { ElpdSettings } from "../../../src/engine/loo/drawn_chains.ts";
import { sampleMixed } from "../../../src/engine/loo/mixed_chains.ts";
import type { GradientBudget } from "../../../src/engine/inference/mcmc/budget.ts";

/** As `elpdLoo`, without its first part. */
export function* elpdByChains(
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, ElpdResult> {
  const usedBefore = budget.used;
  const found = yield* sampleMixed(first, settings, budget, other);
  return found.kind === "chains" ? yield* elpdOfChains(found, settings, budget, usedBefore) : found;
}

/** `elpdLoo` of a density that is made already. */
export const elpdOf: typeof elpdByChains = (density, settings, budget, other) =>
  elpdLoo(() => density, settings, budget, other);
