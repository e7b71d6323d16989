/** A policy by trajectory balance among the methods: its error after each count of executions. */
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import {
  type EnumeratedTarget,
  enumeratedTarget,
  evaluateExactly,
  policyMass,
} from "../../src/gfn/evaluation/exact.ts";
import { trajectoryBalance } from "../../src/gfn/objectives/trajectory_balance.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { entryOf } from "../../src/gfn/replay/replay_entry.ts";
import { Learning } from "../../src/gfn/train/learning.ts";
import { ownLogRewards } from "../../src/gfn/train/own_entries.ts";
import type { LogZStart } from "../../src/gfn/train/log_z_estimate.ts";
import {
  type GivenTrainingSettings,
  trainingSettings,
} from "../../src/gfn/train/training_settings.ts";
import type { Trajectory } from "../../src/gfn/trajectories/trajectory.ts";
import { type Point, totalVariation } from "./frontier.ts";
import type { Listed } from "./spaces.ts";
import type { Task } from "./tasks.ts";

/** Of training; objects sampled beyond the budget are not executed, and not learnt from. */
const [STEPS, BATCH] = [1500, 32] as const;

const common: GivenTrainingSettings = {
  learning_rate: { start: 5e-3, schedule: "cosine", end: 0 },
  replay: { capacity: 4096, fraction: 0.5, choice: "prioritised" },
};

/** Input of a policy's training: rewards, a seed, and where log Z starts. */
export interface Training {
  readonly seed: number;
  readonly logZStart: LogZStart;
}

/** Total variations of a policy, and of the rewards that it asked for, renormalised. */
export interface Learnt {
  readonly points: readonly Point[];
  readonly knownTv: number;
}

/** Trains a small transformer, and measures it exactly at every mark and at its end. */
export async function trainedPolicy(
  { budget, marks }: Task,
  environment: Environment,
  { objects, logReward }: Listed,
  { seed, logZStart }: Training,
): Promise<Learnt> {
  const target = enumeratedTarget(environment, objects, logReward);
  const distance = async () => {
    return evaluateExactly(target, await policyMass(policy, target)).totalVariation;
  };
  const start = new RandomStream("trained policy", seed);
  const network = { kind: "transformer", layers: 1, width: 32, heads: 4 } as const;
  const policy = await createPolicy(network, environment, start);
  const settings = trainingSettings.parse({ ...common, log_z_start: logZStart });
  const learning = new Learning(trajectoryBalance, {}, settings);
  const executed = new Set<string>();
  const points: Point[] = [];
  for (let step = 1; step <= STEPS; step++) {
    const moment = { fraction: (step - 1) / STEPS, random: new RandomStream("step", seed, step) };
    const epsilon = 0.1 * (1 - moment.fraction);
    const walk = { count: BATCH, random: moment.random, epsilon, temperature: 1 };
    const fresh = executable(await policy.sample(environment, walk), executed, budget);
    const passed = marks.find((mark) => mark <= executed.size && !(mark <= reached(points)));
    if (passed !== undefined && executed.size < budget) {
      points.push({ executions: executed.size, tv: await distance() });
    }
    if (fresh.length < 2) continue;
    const rewards = ownLogRewards(environment, fresh);
    const entries = fresh.map((one, i) => entryOf(one, rewards[i]));
    await learning.step(policy, environment, entries, moment);
  }
  points.push({ executions: executed.size, tv: await distance() });
  return { points, knownTv: knownDistance(target, executed) };
}

const reached = (points: readonly Point[]) => points.at(-1)?.executions ?? 0;

/** Walks to what was executed, or still can be. */
function executable(walks: readonly Trajectory[], executed: Set<string>, budget: number) {
  return walks.filter(({ text }) => {
    if (executed.size < budget) executed.add(text);
    return executed.has(text);
  });
}

function knownDistance(
  { objects, logReward }: EnumeratedTarget,
  executed: ReadonlySet<string>,
): number {
  const known = logReward.map((one, i) => executed.has(objects[i].text) ? one : -Infinity);
  return totalVariation(known, logReward);
}
