/** Leave-one-out where latents were integrated out in closed form: the few other coordinates remain. */
import type { ClosedFormPosterior } from "../../base/math/log_density.ts";
import type { GradientBudget } from "../mcmc/budget.ts";
import { sampleChains, type StreamKey } from "../mcmc/sample_chains.ts";
import { importanceByChains, type ImportanceGoal, importanceLoo } from "./importance_loo.ts";
import type { ImportanceEstimate } from "./importance_estimate.ts";
import { type QuadratureEstimate, quadratureLoo } from "./quadrature.ts";
import { thresholds } from "./thresholds.ts";

/** A posterior without its linear latents, and when to ask for it. */
export interface ClosedFormChoice {
  /** Whether it comes before importance draws of the whole posterior, and not after them. */
  readonly first: boolean;
  /** Makes it; `undefined` if there is too much of it. */
  posterior(): ClosedFormPosterior | undefined;
}

/** What the remaining coordinates were averaged by. */
export type ClosedFormEstimate =
  | { readonly kind: "quadrature"; readonly found: QuadratureEstimate }
  | { readonly kind: "importance"; readonly found: ImportanceEstimate };

/**
 * By quadrature over few coordinates, by importance draws over more: of a proposal that is fitted from
 * a mode, or from chains where that fails. `undefined` if nothing of it works.
 */
export function* closedFormLoo(
  choice: ClosedFormChoice,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ClosedFormEstimate | undefined> {
  const posterior = choice.posterior();
  if (!posterior) return undefined;
  const key = [...goal.seedKey, "closed form"];
  const limit = Math.min(budget.limit, budget.used + thresholds.closedFormEvaluations);
  const allowance = { used: budget.used, limit };
  const found = yield* averaged(posterior, { ...goal, seedKey: key }, allowance);
  budget.used = allowance.used;
  return found;
}

function* averaged(
  posterior: ClosedFormPosterior,
  goal: ImportanceGoal,
  budget: GradientBudget,
): Generator<void, ClosedFormEstimate | undefined> {
  const summed = yield* quadratureLoo(posterior, goal.targetMcse, goal.seedKey, budget);
  if (summed) return { kind: "quadrature", found: summed };
  const drawn = (yield* importanceLoo(posterior, goal, budget)) ??
    (yield* fromChains(posterior, goal, goal.seedKey, budget));
  return drawn && { kind: "importance", found: drawn };
}

function* fromChains(
  posterior: ClosedFormPosterior,
  goal: ImportanceGoal,
  key: StreamKey,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  if (posterior.dimension === 0) return undefined;
  const draws = thresholds.closedFormTransitions;
  const schedule = { chains: goal.chains, tune: draws, draws };
  const sampled = yield* sampleChains(posterior, schedule, [...key, "chains"], budget);
  if (sampled.kind !== "chains") return undefined;
  return yield* importanceByChains(posterior, sampled.chainSet, goal, budget);
}
