/** Metropolis–Hastings over derivations: cut a trajectory at random and complete it by the prior. */
import type { RandomStream } from "../../base/random.ts";
import { exp, log } from "../../numerics/math/mod.ts";
import { type BaselineResult, EvaluationBudget } from "./budget.ts";
import { regrow, type RewardedWalk, type WalkTarget } from "./rewarded_walk.ts";

/** Length of a chain. */
export interface ChainOptions {
  /** Number of objects of the enumeration. */
  readonly objects: number;
  /** Distinct objects whose reward it may ask for; it stops where it would need one more. */
  readonly budget: number;
  /** Most proposals; a chain that has seen every object would not end. */
  readonly walks: number;
  /** Source of all randomness of the chain. */
  readonly random: RandomStream;
}

/** Share of the chain that is discarded as warm-up. */
const burnIn = 0.1;

/**
 * The empirical distribution of one chain (Hastings 1970). The proposal draws a place t uniformly
 * among the n actions of the trajectory, keeps the t actions before it, and draws the rest from the
 * environment's own weights p. For a fixed t the acceptance is
 *
 *     min(1, γ(τ′) n p(rest) / (γ(τ) n′ p(rest′))),   γ(τ) = R(x) P_B(τ|x),
 *
 * so that the chain's objects are distributed as R / Z, on graphs too (subtree regeneration,
 * Goodman et al. 2008).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "../evaluation/own_target.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { WalkTarget } from "./rewarded_walk.ts";
 * import { metropolisHastings } from "./metropolis_hastings.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 }));
 * const random = new RandomStream("seed");
 * const options = { objects: 10, budget: 10, walks: 2000, random };
 * const { probability } = metropolisHastings(new WalkTarget(target), options);
 * assert(Math.abs(probability.reduce((sum, one) => sum + one, 0) - 1) < 1e-9);
 * ```
 */
export function metropolisHastings(target: WalkTarget, options: ChainOptions): BaselineResult {
  const { objects, walks, random } = options;
  const budget = new EvaluationBudget(options.budget);
  const visits: number[] = [];
  let current = regrow(target, [], random);
  budget.ask(current.object);
  for (let walk = 1; walk < walks; walk++) {
    const cut = random.below(current.actions.length);
    const proposal = regrow(target, current.actions.slice(0, cut), random);
    if (!budget.ask(proposal.object)) break;
    if (random.uniform() < exp(logAcceptance(current, proposal, cut))) current = proposal;
    visits.push(current.object);
  }
  if (visits.length === 0) visits.push(current.object);
  const kept = visits.slice(Math.floor(burnIn * visits.length));
  const probability = new Float64Array(objects);
  for (const object of kept) probability[object] += 1 / kept.length;
  return {
    probability,
    distinctEvaluations: budget.used,
    asked: budget.asked,
    walks: visits.length,
  };
}

function logAcceptance(current: RewardedWalk, proposal: RewardedWalk, cut: number): number {
  const ratio = proposal.logTarget - current.logTarget;
  const proposed = rest(current, cut) - rest(proposal, cut);
  return Math.min(0, ratio + proposed + logRatio(current, proposal));
}

/** log p of the actions from `cut` on. */
function rest({ logPrior }: RewardedWalk, cut: number): number {
  return logPrior.slice(cut).reduce((sum, one) => sum + one, 0);
}

/** log n − log n′: a place is drawn among the actions of the current trajectory. */
function logRatio({ actions: a }: RewardedWalk, { actions: b }: RewardedWalk): number {
  return log(a.length) - log(b.length);
}
