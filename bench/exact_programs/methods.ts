/** The methods that stand in the benchmark's table beside those of others. */
import type { RandomStream } from "../../src/base/random.ts";
import { activeSurrogate } from "../../src/gfn/baselines/active_surrogate.ts";
import { beamSearch } from "../../src/gfn/baselines/beam_search.ts";
import { metropolisHastings } from "../../src/gfn/baselines/metropolis_hastings.ts";
import { WalkTarget } from "../../src/gfn/baselines/rewarded_walk.ts";
import { sequentialMonteCarlo } from "../../src/gfn/baselines/sequential_monte_carlo.ts";
import { surrogateChains } from "../../src/gfn/baselines/surrogate_chains.ts";
import { tanh } from "../../src/numerics/math/elementary.ts";
import { BroadWalks } from "../../src/gfn/certificates/broad_walks.ts";
import { reached, walkOf } from "../../src/gfn/certificates/moves.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { exactInclusion } from "../../src/gfn/environments/regressions.ts";
import { enumeratedTarget } from "../../src/gfn/evaluation/exact.ts";
import {
  defaultSurrogate,
  type RewardSurrogate,
} from "../../src/gfn/evaluation/surrogate/reward_surrogate.ts";
import { knownFrontier, type Point, totalVariation } from "./frontier.ts";
import { withOwnReward } from "./own_reward.ts";
import type { Opened } from "./spaces.ts";
import type { Task } from "./tasks.ts";
import { trainedPolicy } from "./trained_policy.ts";

/** Input of a method. */
export interface Given extends Opened {
  readonly task: Task;
  readonly random: RandomStream;
  readonly seed: number;
}

/** Result of a method; undefined where the method does not apply to the task. */
type Result = {
  readonly points?: readonly Point[];
  /** Of the rewards that were asked for, renormalised, where the points are not. */
  readonly knownTv?: number;
  /** After all executions, where nothing is looked at before. */
  readonly endTv?: number;
  readonly inclusionError?: number;
  readonly executions?: number;
} | undefined;

/** Every method by its name in the table. */
export const methods: Readonly<Record<string, (given: Given) => Promise<Result> | Result>> = {
  "uniform choice, known rewards": ({ task, listed, random }) => {
    if (!listed) return undefined;
    const { logReward } = listed;
    const order = Array.from({ length: 4 * task.budget }, () => random.below(logReward.length));
    return { points: knownFrontier(order, logReward, task.marks) };
  },
  "Metropolis–Hastings, known rewards": (given) => searched(given, metropolisHastings),
  "sequential Monte Carlo, known rewards": (given) => searched(given, sequentialMonteCarlo),
  "beam search, known rewards": (given) => searched(given, beamSearch),
  "trained policy, trajectory balance": (given) => trained(given, "mean"),
  "trained policy, log Z by importance": (given) => trained(given, "importance"),
  "policy trained by the surrogate": async (given) => {
    const { task, environment, listed, seed } = given;
    if (!listed) return undefined;
    const surrogate = await surrogateOf(given);
    const believed = surrogate.logRewards(listed.objects);
    const byText = new Map(listed.objects.map(({ text }, i) => [text, believed[i]]));
    const free = withOwnReward(environment, ({ text }) => byText.get(text)!);
    const endless = { ...task, budget: Infinity, marks: [] };
    const { points } = await trainedPolicy(endless, free, listed, {
      seed,
      logZStart: "importance",
    });
    return { endTv: points.at(-1)!.tv, executions: task.budget };
  },
  "surrogate without a policy": async (given) => {
    const { listed } = given;
    const points: Point[] = [];
    const surrogate = await surrogateOf(given, (now) => {
      if (!listed || points.at(-1)?.executions === now.size) return;
      const tv = totalVariation(now.logRewards(listed.objects), listed.logReward);
      points.push({ executions: now.size, tv });
    });
    if (listed) return { points };
    const inclusionError = inclusionErrorOf(given, surrogate);
    return { inclusionError, executions: surrogate.size };
  },
};

async function trained(
  { task, environment, listed, seed }: Given,
  logZStart: "mean" | "importance",
): Promise<Result> {
  return listed && await trainedPolicy(task, environment, listed, { seed, logZStart });
}

function surrogateOf(
  { task, environment, listed, random }: Given,
  onRound: (now: RewardSurrogate) => void = () => {},
): Promise<RewardSurrogate> {
  return activeSurrogate({
    ...defaultSurrogate,
    depth: listed ? 15 : 60,
    environment,
    ...(listed && { objects: listed.objects }),
    ...{ random, budget: task.budget, first: 60, growth: 0.25 },
    ask: (some) => Promise.resolve(some.map(({ logReward }) => logReward!)),
    onRound: ({ surrogate }) => onRound(surrogate),
  });
}

function searched(
  { task, environment, listed, random }: Given,
  search: typeof metropolisHastings | typeof sequentialMonteCarlo | typeof beamSearch,
): Result {
  if (!listed) return undefined;
  const { objects, logReward } = listed;
  const { asked } = search(new WalkTarget(enumeratedTarget(environment, objects, logReward)), {
    ...{ objects: objects.length, budget: task.budget, walks: 40 * task.budget },
    ...{ particles: 64, random },
  });
  return { points: knownFrontier(asked, logReward, task.marks) };
}

/** Chains, steps that are discarded, steps that follow, and how many lie between two looks. */
const [CHAINS, BURN_IN, FOLLOWING, BETWEEN] = [32, 300, 600, 50] as const;

/**
 * The largest error of an inclusion probability. Chains walk on the surrogate, which needs no executions;
 * at every look the mean is taken of each predictor's probability given all others (Rao and
 * Blackwell), by the surrogate with the predictor and without.
 */
function inclusionErrorOf(
  { task, environment, random }: Given,
  surrogate: RewardSurrogate,
): number {
  if (task.space.kind !== "regressions") throw new Error("internal: regressions are wanted");
  const exact = exactInclusion(task.space.spec);
  const base = new BroadWalks(environment, random);
  const best = surrogate.json.scored.toSorted((a, b) => b[2] - a[2]).slice(0, CHAINS);
  const starts = best.map(([, actions]) => walkOf(environment, actions)!);
  const sums = exact.map(() => 0);
  let [step, looks] = [0, 0];
  const steps = BURN_IN + FOLLOWING;
  for (const states of surrogateChains(base, surrogate, { starts, steps, random })) {
    if (step++ < BURN_IN || step % BETWEEN !== 0) continue;
    looks += states.length;
    for (const { actions } of states) {
      conditional(environment, surrogate, actions).forEach((p, j) => sums[j] += p);
    }
  }
  return exact.reduce((most, p, j) => Math.max(most, Math.abs(p - sums[j] / looks)), 0);
}

/** `[terms]`: the probability of each predictor given all others. */
function conditional(
  environment: Environment,
  surrogate: RewardSurrogate,
  actions: readonly number[],
): number[] {
  const terms = actions.length - 1;
  const ends = Array.from({ length: terms }, (_, j) => [2 * j, 2 * j + 1]).flatMap((choices, j) =>
    choices.map((choice) =>
      reached(environment, walkOf(environment, actions.with(j, choice))!).object
    )
  );
  const logRewards = surrogate.logRewards(ends);
  return Array.from({ length: terms }, (_, j) => {
    return 0.5 + 0.5 * tanh((logRewards[2 * j + 1] - logRewards[2 * j]) / 2);
  });
}
