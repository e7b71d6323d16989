/** Proposals that reach everywhere without a policy: the prior, and walkers with preferences. */
import { RandomStream } from "../../base/random.ts";
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";
import type { Environment } from "../environments/environment.ts";
import { actionAt, legalCount, legalIn, logPriorOf } from "../environments/legal_actions.ts";

/** Walkers with preferences beside the prior. */
const walkers = 15;

/** The component that draws by the environment's own weights. */
export const prior = 0;

/** Spread of the log preferences. */
const spread = 1.5;

/**
 * A mixture of trajectories: half of them by the environment's own weights, the others by walkers, each
 * of which prefers some actions in all states, and exits early or late. The prior alone seldom
 * reaches the far corners of a grid, or rare combinations of many terms; a walker with a strong
 * preference does. Every trajectory has a density, so the mixture is a start of annealing and of
 * importance sampling.
 */
export class BroadWalks {
  readonly #preferences: readonly Float64Array[];

  /** Draws the preferences of all walkers. */
  constructor(readonly environment: Environment, random: RandomStream) {
    const { actionNames, exitAction, maxActions } = environment;
    this.#preferences = Array.from({ length: walkers }, () => {
      const weights = Float64Array.from(actionNames, () => {
        const u = random.uniform();
        return exp(spread * (log(u) - log(1 - u)));
      });
      weights[exitAction] = exp(-random.uniform() * log(maxActions));
      return weights;
    });
  }

  /** `[walkers][actions]`: preferences, for `restore`. */
  save(): number[][] {
    return this.#preferences.map((weights) => [...weights]);
  }

  /** Restores the mixture from the preferences of `save`. */
  static restore(environment: Environment, saved: readonly (readonly number[])[]): BroadWalks {
    const walks = new BroadWalks(environment, new RandomStream("restored"));
    saved.forEach((weights, k) => walks.#preferences[k].set(weights));
    return walks;
  }

  /** The number of components; {@linkcode prior} is one of them. */
  get components(): number {
    return walkers + 1;
  }

  /** A component, drawn as the mixture weighs them. */
  drawComponent(random: RandomStream): number {
    return random.uniform() < 0.5 ? prior : 1 + random.below(walkers);
  }

  /** Log probabilities of the legal actions of a state, in their order, of one component. */
  logProbabilities(state: unknown, component: number): Float64Array {
    const { environment } = this;
    const legal = legalIn(environment, state);
    const count = legalCount(legal, environment.actionNames.length);
    const logs = new Float64Array(count);
    if (component === prior) {
      for (let k = 0; k < count; k++) logs[k] = logPriorOf(environment, state, actionAt(legal, k));
      return logs;
    }
    const weights = this.#preferences[component - 1];
    let total = 0;
    for (let k = 0; k < count; k++) total += weights[actionAt(legal, k)];
    for (let k = 0; k < count; k++) logs[k] = log(weights[actionAt(legal, k)] / total);
    return logs;
  }

  /** Actions from a state to an exit, by one component, with their log probability. */
  grow(
    state: unknown,
    component: number,
    random: RandomStream,
  ): { readonly actions: readonly number[]; readonly logP: number } {
    const { environment } = this;
    const actions: number[] = [];
    let [at, logP] = [state, 0];
    for (;;) {
      const logs = this.logProbabilities(at, component);
      const place = drawPlace(logs, random);
      const action = actionAt(legalIn(environment, at), place);
      actions.push(action);
      logP += logs[place];
      if (action === environment.exitAction) return { actions, logP };
      at = environment.step(at, action);
    }
  }

  /** Log probability of continuing by `actions` from a state, under one component. */
  logOf(states: readonly unknown[], actions: readonly number[], component: number): number {
    const { environment } = this;
    let sum = 0;
    actions.forEach((action, t) => {
      const legal = legalIn(environment, states[t]);
      const place = legal === "all" ? action : legal.indexOf(action);
      sum += this.logProbabilities(states[t], component)[place];
    });
    return sum;
  }

  /** Log density of a whole trajectory under the mixture. */
  logDensity(states: readonly unknown[], actions: readonly number[]): number {
    const { environment } = this;
    const sums = new Float64Array(this.components);
    actions.forEach((action, t) => {
      const legal = legalIn(environment, states[t]);
      const count = legalCount(legal, environment.actionNames.length);
      sums[0] += logPriorOf(environment, states[t], action);
      this.#preferences.forEach((weights, k) => {
        let total = 0;
        for (let i = 0; i < count; i++) total += weights[actionAt(legal, i)];
        sums[k + 1] += log(weights[action] / total);
      });
    });
    const each = log(0.5) - log(walkers);
    return logSumExp(sums.map((sum, k) => sum + (k === 0 ? log(0.5) : each)));
  }
}

/** Draws a place by inverting the cumulative distribution; one uniform number. */
function drawPlace(logs: Float64Array, random: RandomStream): number {
  const u = random.uniform();
  let [sum, last] = [0, 0];
  for (let k = 0; k < logs.length; k++) {
    if (logs[k] === -Infinity) continue;
    sum += exp(logs[k]);
    last = k;
    if (u < sum) return k;
  }
  return last; // Rounding left the sum a hair below 1.
}
