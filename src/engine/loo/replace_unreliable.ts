/** Replaces what smoothing cannot be trusted with: by draws of a mixture, by refits. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import { type ElpdSettings, wantsMixture } from "./drawn_chains.ts";
import { type Estimate, refitLimit } from "./estimate.ts";
import { distantObservations, mixtureLoo } from "./mixture.ts";
import { refitBad, refitEach, type Refitted, withRefits } from "./refits.ts";
import { sharesLatents } from "./units.ts";

/**
 * Share of the squared error asked for that the mixture gets in any case. A round number: half
 * the error.
 */
const minErrorShare = 0.25;

/**
 * Refits at most where latents that observations share are integrated at every draw. A round
 * number: every gradient of theirs is many integrals.
 */
const maxRefitsWithIntegrals = 5;

/** Replaces what smoothing cannot be trusted with: by a mixture, by refits. */
export function* replaceUnreliable(
  units: PointwiseDensity,
  estimate: Estimate,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Refitted> {
  const distant = distantObservations(estimate);
  const fewDistant = distant.length <= refitLimit(estimate.psis.observations);
  if (wantsMixture(units, estimate) && fewDistant) {
    const found = yield* mixtureAndRefits(units, estimate, distant, settings, budget);
    if (found) return found;
  }
  const dear = estimate.full.density !== units && sharesLatents(units);
  const limit = dear ? maxRefitsWithIntegrals : refitLimit(estimate.psis.observations);
  return yield* refitBad(estimate, settings, budget, limit);
}

/** Refits of those that are distant, and a mixture for all others; `undefined` if one of both fails. */
function* mixtureAndRefits(
  units: PointwiseDensity,
  estimate: Estimate,
  distant: readonly number[],
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Refitted | undefined> {
  const refits = yield* refitEach(estimate, distant, settings, budget);
  if (refits.values.size < distant.length) return undefined;
  const { mcse } = estimate.variates.correct(refits.influence);
  const squaredError = refits.squaredError + mcse * mcse;
  const { targetMcse } = settings;
  const left = Math.max(
    minErrorShare * targetMcse * targetMcse,
    targetMcse * targetMcse - squaredError,
  );
  const goal = { ...settings, targetMcse: Math.sqrt(left) };
  const found = yield* mixtureLoo(units, estimate, goal, budget);
  if (!found) return undefined;
  for (const [i, value] of refits.values) found.pointwise[i] = value;
  const total = Math.sqrt(found.mcse * found.mcse + squaredError);
  const gains = found.gains && withRefits(found.gains, refits);
  const own = { ...found, mcse: total, done: distant, left: [], mixture: true };
  return { ...own, ...(gains && { gains }) };
}
