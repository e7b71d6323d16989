/** Proposals fitted to known rewards, with a density, for spaces without a list. */
import type { RandomStream } from "../../base/random.ts";
import { exp, indexAbove, log, logAddExp, logSumExp } from "../../numerics/math/mod.ts";
import { kernelWeights } from "./kernel_weights.ts";
import type { Actions, Environment } from "../environments/environment.ts";
import {
  actionAt,
  legalCount,
  legalIn,
  logPriorOf,
  placeIn,
} from "../environments/legal_actions.ts";
import { bestAndAny } from "../evaluation/surrogate/best_and_any.ts";
import type { Scored } from "./scored_objects.ts";

/** Scored objects that it learns from at most. */
const mostPoints = 500;

/** Nugget variances, beside 1 for each part of a step. */
const nuggets = [0.003, 0.1, 1] as const;

/** Nats below the best at which an object counts half as much: small rewards need not fit. */
const depth = 10;

/** Share of trajectories drawn from the prior, so that no weight is beyond ten times R / prior. */
const share = 0.1;

/** A trajectory, and the log of its density. */
export interface FittedWalk {
  /** Exit included. */
  readonly actions: readonly number[];
  /** log of the probability with which it is drawn. */
  readonly logQ: number;
}

/**
 * Models log R of an object as a sum of parts, one for each step: of the action in its place, and
 * after the action before it (ridge regression on scored objects, its nugget by marginal likelihood).
 * Each action is drawn by its part and by the sum over all continuations, a sum of products over
 * places (Baum 1972); a share of the trajectories is drawn from the prior.
 */
export class FittedWalks {
  readonly #parts: ReadonlyMap<string, number>;
  readonly #beyond: ReadonlyMap<string, number>;

  /**
   * Fits the parts.
   *
   * @param ways Trajectories to many objects, scored or not: they show which action may follow which where.
   */
  constructor(
    readonly environment: Environment,
    scored: readonly Scored[],
    ways: readonly Actions[],
    random: RandomStream,
  ) {
    this.#parts = partsOf(scored.filter(({ logReward }) => logReward > -Infinity), random);
    this.#beyond = this.#worthOf(ways);
  }

  /** log weight of a step by itself. */
  #part(t: number, before: number, action: number): number {
    return (this.#parts.get(`${t} ${action}`) ?? 0) +
      (this.#parts.get(`${t} ${before} ${action}`) ?? 0);
  }

  /** By place and action before: log of the sum over all continuations. */
  #worthOf(ways: readonly Actions[]): ReadonlyMap<string, number> {
    const follow: Map<number, Set<number>>[] = [];
    for (const actions of ways) {
      actions.forEach((action, t) => {
        const at = follow[t] ??= new Map();
        const before = t === 0 ? -1 : actions[t - 1];
        at.set(before, (at.get(before) ?? new Set()).add(action));
      });
    }
    const worth = new Map<string, number>();
    for (let t = follow.length - 1; t >= 0; t--) {
      for (const [before, after] of follow[t]) {
        const each = [...after].map((action) =>
          this.#part(t, before, action) + (worth.get(`${t + 1} ${action}`) ?? 0)
        );
        worth.set(`${t} ${before}`, logSumExp(each));
      }
    }
    return worth;
  }

  /** The legal actions of a state, with log probabilities by the fit and by the prior. */
  #rows(state: unknown, t: number, before: number) {
    const { environment } = this;
    const legal = legalIn(environment, state);
    const all = Array.from(
      { length: legalCount(legal, environment.actionNames.length) },
      (_, k) => actionAt(legal, k),
    );
    const logs = all.map((action) =>
      this.#part(t, before, action) + (this.#beyond.get(`${t + 1} ${action}`) ?? 0)
    );
    const total = logSumExp(logs);
    const prior = all.map((action) => logPriorOf(environment, state, action));
    return { legal, all, prior, fitted: logs.map((one) => one - total) };
  }

  /** A trajectory from the initial state to an exit. */
  draw(random: RandomStream): FittedWalk {
    const { environment } = this;
    const byPrior = random.uniform() < share;
    const actions: number[] = [];
    let state = environment.initialState();
    let [logFitted, logPrior, before] = [0, 0, -1];
    for (let t = 0;; t++) {
      const { all, prior, fitted } = this.#rows(state, t, before);
      const place = drawn(byPrior ? prior : fitted, random);
      logFitted += fitted[place];
      logPrior += prior[place];
      before = all[place];
      actions.push(before);
      if (before === environment.exitAction) {
        return { actions, logQ: mixed(logFitted, logPrior) };
      }
      state = environment.step(state, before);
    }
  }

  /** The log density of a trajectory. */
  logOf(way: Actions): number {
    const { environment } = this;
    let state = environment.initialState();
    let [logFitted, logPrior, before] = [0, 0, -1];
    for (const [t, action] of way.entries()) {
      const { legal, prior, fitted } = this.#rows(state, t, before);
      const place = placeIn(legal, action);
      logFitted += fitted[place];
      logPrior += prior[place];
      before = action;
      if (action !== environment.exitAction) state = environment.step(state, action);
    }
    return mixed(logFitted, logPrior);
  }
}

function mixed(logFitted: number, logPrior: number): number {
  return logAddExp(log(1 - share) + logFitted, log(share) + logPrior);
}

function drawn(logs: readonly number[], random: RandomStream): number {
  let sum = 0;
  const cumulative = logs.map((one) => sum += exp(one));
  return Math.min(indexAbove(cumulative, random.uniform() * sum), logs.length - 1);
}

/** The parts of log R, by their names. */
function partsOf(scored: readonly Scored[], random: RandomStream): ReadonlyMap<string, number> {
  if (scored.length < 2) return new Map();
  const heights = scored.map(({ logReward }) => logReward);
  const points = bestAndAny(heights, random).slice(0, mostPoints).map((i) => scored[i]);
  const names = points.map(({ object: { actions } }) => namesOf(actions));
  const best = heights.reduce((a, b) => Math.max(a, b));
  const doubts = points.map(({ logReward }) => 1 + ((best - logReward) / depth) ** 2);
  const centre = weightedMean(points.map(({ logReward }) => logReward), doubts);
  const y = points.map(({ logReward }) => logReward - centre);
  const kernel = sharedNames(names);
  const fits = nuggets.map((nugget) => solve(kernel, y, doubts.map((one) => nugget * one)));
  const { weights } = fits.reduce((a, b) => a.logEvidence >= b.logEvidence ? a : b);
  const parts = new Map<string, number>();
  names.forEach((own, i) => {
    for (const name of own) parts.set(name, (parts.get(name) ?? 0) + weights[i]);
  });
  return parts;
}

function namesOf(actions: Actions): string[] {
  return actions.flatMap((action, t) => [
    `${t} ${action}`,
    `${t} ${t === 0 ? -1 : actions[t - 1]} ${action}`,
  ]);
}

function weightedMean(values: readonly number[], doubts: readonly number[]): number {
  const total = doubts.reduce((sum, one) => sum + 1 / one, 0);
  return values.reduce((sum, one, i) => sum + one / doubts[i], 0) / total;
}

/** Numbers of parts that pairs of objects share `[objects, objects]`. */
function sharedNames(names: readonly (readonly string[])[]): Float64Array {
  const numbers = new Map<string, number>();
  const own = names.map((some) =>
    some.map((name) => {
      if (!numbers.has(name)) numbers.set(name, numbers.size);
      return numbers.get(name)!;
    })
  );
  const n = names.length;
  const kernel = new Float64Array(n * n);
  const holders: number[][] = Array.from({ length: numbers.size }, () => []);
  own.forEach((some, i) => some.forEach((name) => holders[name].push(i)));
  for (const some of holders) {
    for (const i of some) for (const j of some) kernel[i * n + j]++;
  }
  return kernel;
}

/** (K + D)⁻¹ y, and the log marginal likelihood with the amplitude at its best. */
function solve(kernel: Float64Array, y: readonly number[], noise: readonly number[]) {
  const n = y.length;
  const k = kernel.slice();
  noise.forEach((one, i) => k[i * n + i] += one);
  return kernelWeights(k, y);
}
