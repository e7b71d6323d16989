/** Behaviours at equal executions, sparse grid: `deno task bench behaviours [seeds]`. */
import { RandomStream } from "../src/base/random.ts";
import { enumeratedTarget, evaluateExactly, policyMass } from "../src/gfn/evaluation/exact.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { environmentNamed } from "../src/gfn/environments/built_in_environments.ts";
import { trajectoryBalance } from "../src/gfn/objectives/trajectory_balance.ts";
import { createPolicy } from "../src/gfn/policies/create_policy.ts";
import type { Policy } from "../src/gfn/policies/policy.ts";
import { entryOf } from "../src/gfn/replay/replay_entry.ts";
import { Learning } from "../src/gfn/train/learning.ts";
import { ownLogRewards } from "../src/gfn/train/own_entries.ts";
import { type ProposeOptions, Proposer } from "../src/gfn/train/propose/proposer.ts";
import { trainingSettings } from "../src/gfn/train/training_settings.ts";
import { both, table } from "./learning/numbers.ts";

const steps = 400;
/** Trajectories per step: the policy's own and proposed ones. */
const batch = 24;
/** Distinct cells asked for, of 256, at which total variation is taken. */
const budgets = [100, 150, 200];

/** A behaviour beside the policy's own walks, in place of a third of them. */
interface Behaviour {
  readonly name: string;
  readonly epsilon: number;
  readonly propose?: Omit<ProposeOptions, "memory">;
}

const behaviours: readonly Behaviour[] = [
  { name: "the policy alone", epsilon: 0 },
  { name: "epsilon 0.1", epsilon: 0.1 },
  {
    name: "local search",
    epsilon: 0,
    propose: { localSearch: { count: 8, rounds: 1, cut: 0.5 } },
  },
  {
    name: "Thompson, 5 members",
    epsilon: 0,
    propose: { thompson: { count: 8, heads: 5, keep: 0.5, learningRate: 0.01 } },
  },
];

/** Course of a training: total variation where each budget was spent, and at the end. */
interface Course {
  readonly atBudgets: readonly number[];
  readonly end: number;
  readonly seen: number;
}

/** Trains by every behaviour from every seed, and prints a table. */
export async function benchBehaviours(args: readonly string[]): Promise<void> {
  const seeds = Array.from({ length: Number(args[0] ?? 3) }, (_, seed) => seed);
  const rows: string[][] = [];
  for (const behaviour of behaviours) {
    const courses: Course[] = [];
    for (const seed of seeds) courses.push(await trained(behaviour, seed));
    console.log(
      `${behaviour.name}: ${courses.map(({ end, seen }) => `${end.toFixed(4)} ${seen}`)}`,
    );
    const at = budgets.map((_, i) => both(courses.map((one) => one.atBudgets[i] ?? one.end)));
    const [end, seen] = [courses.map((one) => one.end), courses.map((one) => one.seen)];
    rows.push([behaviour.name, ...at, both(end), both(seen)]);
  }
  const head = [...budgets.map((one) => `TV at ${one} cells`), "TV at the end", "cells"];
  console.log(table(["behaviour", ...head], rows));
}

async function trained({ epsilon, propose }: Behaviour, seed: number): Promise<Course> {
  const grid = { ndim: 2, height: 16, r0: 1e-3, r1: 0.5, r2: 2 };
  const environment = environmentNamed("hypergrid", grid);
  const start = new RandomStream("start", seed);
  const policy = await createPolicy({ kind: "mlp", layers: 2, width: 64 }, environment, start);
  const settings = trainingSettings.parse({
    learning_rate: { start: 0.01, schedule: "cosine", end: 0 },
    log_z_learning_rate: 0.1,
    replay: { capacity: 4096, fraction: 0.5, choice: "prioritised" },
  });
  const learning = new Learning(trajectoryBalance, {}, settings);
  const proposer = new Proposer({ memory: 1000, ...propose });
  const count = propose ? batch - 8 : batch;
  const seen = new Set<string>();
  const atBudgets: number[] = [];
  for (let step = 1; step <= steps; step++) {
    const fraction = (step - 1) / steps;
    const random = new RandomStream("step", seed, step);
    const fresh = await policy.sample(environment, { count, random, epsilon, temperature: 1 });
    const proposed = propose
      ? await proposer.step(policy, environment, fresh, {
        ...{ fraction, random },
        rewards: (objects) => Promise.resolve(objects.map(({ logReward }) => logReward!)),
      })
      : {};
    const all = [...fresh, ...Object.values(proposed).flat()];
    for (const { text } of all) seen.add(text);
    const rewards = ownLogRewards(environment, all);
    const entries = all.map((one, i) => entryOf(one, rewards[i]));
    await learning.step(policy, environment, entries, { fraction, random });
    while (seen.size >= budgets[atBudgets.length]) {
      atBudgets.push(await variation(policy, environment));
    }
  }
  return { atBudgets, end: await variation(policy, environment), seen: seen.size };
}

async function variation(policy: Policy, environment: Environment): Promise<number> {
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (one) => one.logReward!);
  const target = enumeratedTarget(environment, objects, logReward);
  return evaluateExactly(target, await policyMass(policy, target)).totalVariation;
}
