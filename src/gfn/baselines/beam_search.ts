/** Beam search over derivations: prefixes are kept by the best object that was met behind them. */
import type { RandomStream } from "../../base/random.ts";
import { type BaselineResult, EvaluationBudget } from "./budget.ts";
import { knownRewards } from "./known_rewards.ts";
import { regrow, type WalkTarget } from "./rewarded_walk.ts";
import { exp } from "../../numerics/math/mod.ts";
import type { Environment } from "../environments/environment.ts";
import { actionAt, legalCount, legalIn } from "../environments/legal_actions.ts";

/** Budget of a search. */
export interface BeamOptions {
  /** Number of objects of the enumeration. */
  readonly objects: number;
  /** Distinct objects whose reward it may ask for; it stops where it would need one more. */
  readonly budget: number;
  /** Most trajectories: a search that has seen every object would not end. */
  readonly walks: number;
  /** Source of all randomness of the search. */
  readonly random: RandomStream;
}

/** Prefixes that are kept in a round, from the first on: a round that ends makes it twice as wide. */
const firstWidth = 4;

/** A prefix and the highest log reward of its completions. */
interface Branch {
  readonly prefix: readonly number[];
  readonly best: number;
}

/**
 * Rounds of a beam over prefixes. Every prefix of a beam is continued by every legal action, and
 * each continuation is completed once by the environment's own weights: the log reward of that
 * object, or the highest of earlier rounds, ranks the continuation. A prefix has no reward of its own,
 * so that it cannot be ranked without a completion. The best ones are the
 * next beam, until all have ended; then the search begins again with twice the width.
 *
 * A beam is a maximiser: it has no distribution of its own. `probability` is that of the rewards that it
 * asked for, renormalised.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "../evaluation/own_target.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { WalkTarget } from "./rewarded_walk.ts";
 * import { beamSearch } from "./beam_search.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 }));
 * const random = new RandomStream("seed");
 * const options = { objects: 10, budget: 10, walks: 2000, random };
 * const { probability } = beamSearch(new WalkTarget(target), options);
 * assert(Math.abs(probability.reduce((sum, one) => sum + one, 0) - 1) < 1e-9);
 * ```
 */
export function beamSearch(target: WalkTarget, options: BeamOptions): BaselineResult {
  const budget = new EvaluationBudget(options.budget);
  const best = new Map<string, number>();
  let walks = 0;
  /** The branch of a prefix; undefined if nothing more may be asked. */
  const branchOf = (prefix: readonly number[]): Branch | undefined => {
    walks++;
    const { object, logTarget } = regrow(target, prefix, options.random);
    if (walks > options.walks || !budget.ask(object)) return undefined;
    const key = prefix.join(" ");
    const height = Math.max(logTarget, best.get(key) ?? -Infinity);
    best.set(key, height);
    return { prefix, best: height };
  };
  for (let width = firstWidth; width <= 2 * options.objects; width *= 2) {
    if (!oneRound(target, width, branchOf)) break;
  }
  const logReward = Float64Array.from({ length: options.objects }, (_, x) => target.logReward(x));
  const probability = knownRewards(budget.asked, logReward).map(exp);
  const { used: distinctEvaluations, asked } = budget;
  return { probability, distinctEvaluations, asked, walks };
}

/** One beam to its end; false if the budget did not reach so far. */
function oneRound(
  { environment }: WalkTarget,
  width: number,
  branchOf: (prefix: readonly number[]) => Branch | undefined,
): boolean {
  let beam: readonly Branch[] = [{ prefix: [], best: -Infinity }];
  while (beam.length > 0) {
    const next: Branch[] = [];
    for (const { prefix } of beam) {
      if (prefix.at(-1) === environment.exitAction) continue;
      for (const action of continuations(environment, prefix)) {
        const branch = branchOf([...prefix, action]);
        if (!branch) return false;
        next.push(branch);
      }
    }
    beam = next.sort((a, b) => b.best - a.best).slice(0, width);
  }
  return true;
}

/** The legal actions behind a prefix, the exit among them. */
function continuations(environment: Environment, prefix: readonly number[]): number[] {
  let state = environment.initialState();
  for (const action of prefix) state = environment.step(state, action);
  const legal = legalIn(environment, state);
  const count = legalCount(legal, environment.actionNames.length);
  return Array.from({ length: count }, (_, place) => actionAt(legal, place));
}
