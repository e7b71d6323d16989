/** A trajectory as baselines see it: actions, the probabilities that they need, and its reward. */
import type { RandomStream } from "../../base/random.ts";
import { exp, log } from "../../numerics/math/mod.ts";
import type { Environment } from "../environments/environment.ts";
import type { EnumeratedTarget } from "../evaluation/exact.ts";

/** A trajectory to an object. */
export interface RewardedWalk {
  /** Exit included. */
  readonly actions: readonly number[];
  /** `[actions]`: log prior of each. */
  readonly logPrior: readonly number[];
  /** Index of the object in the enumeration. */
  readonly object: number;
  /** log R(x) + log P_B(τ|x): the log density of the trajectory under the target, up to log Z. */
  readonly logTarget: number;
}

/**
 * An enumerated target for searches, which find an object by its final state. A target lifted to
 * tokens is searched in the actions of the environment beneath, without tokens.
 */
export class WalkTarget {
  /** Environment that is searched; of one lifted to tokens, that beneath it. */
  readonly environment: Environment;
  readonly #index: ReadonlyMap<string, number>;
  readonly #logReward: Float64Array;

  /** Indexes the objects by text. */
  constructor({ environment, objects, logReward }: EnumeratedTarget) {
    this.environment = environment.written?.of ?? environment;
    this.#index = new Map(objects.map(({ text }, x) => [text, x]));
    this.#logReward = logReward;
  }

  /** The object that exiting in `state` gives. */
  objectOf(state: unknown): number {
    return this.#index.get(this.environment.terminal(state).text)!;
  }

  /** log R. */
  logReward(object: number): number {
    return this.#logReward[object];
  }

  /** log P_B of the step into `state`, uniform over its parents; 0 on trees. */
  logBackward(state: unknown): number {
    const { backward } = this.environment;
    if (!backward) return 0;
    const ways = backward.legalActions(state).reduce((sum, legal) => sum + legal, 0);
    return ways > 1 ? -log(ways) : 0;
  }
}

/** Index drawn from log probabilities by inverting their cumulative sum; one uniform. */
export function drawIndex(logP: ArrayLike<number>, random: RandomStream): number {
  const u = random.uniform();
  let [sum, last] = [0, -1];
  for (let i = 0; i < logP.length; i++) {
    if (logP[i] === -Infinity) continue;
    sum += exp(logP[i]);
    last = i;
    if (u < sum) return i;
  }
  return last; // Rounding left the sum a hair below 1.
}

/**
 * A trajectory that begins with `prefix` and goes on by the environment's own weights.
 *
 * @param prefix Legal actions without the exit.
 */
export function regrow(
  target: WalkTarget,
  prefix: readonly number[],
  random: RandomStream,
): RewardedWalk {
  const { environment } = target;
  const [actions, logPrior]: [number[], number[]] = [[], []];
  let [state, logPb] = [environment.initialState(), 0];
  for (;;) {
    const prior = environment.logPrior(state);
    const action = actions.length < prefix.length
      ? prefix[actions.length]
      : drawIndex(prior, random);
    actions.push(action);
    logPrior.push(prior[action]);
    if (action === environment.exitAction) break;
    state = environment.step(state, action);
    logPb += target.logBackward(state);
  }
  const object = target.objectOf(state);
  return { actions, logPrior, object, logTarget: target.logReward(object) + logPb };
}
