/** Trains a policy by a recipe, proposals beside its own walks, and counts what was met. */
import process from "node:process";
import { RandomStream } from "../../src/base/random.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { entryOf } from "../../src/gfn/replay/replay_entry.ts";
import { Learning } from "../../src/gfn/train/learning.ts";
import { ownLogRewards } from "../../src/gfn/train/own_entries.ts";
import { Proposer } from "../../src/gfn/train/propose/proposer.ts";
import { trainingSettings } from "../../src/gfn/train/training_settings.ts";
import type { Task } from "./tasks.ts";

/** Result of training. */
export interface Trained {
  readonly policy: Policy;
  /** Texts of all objects that were met, in the order of their first meeting. */
  readonly met: ReadonlySet<string>;
  /** Of training, all threads. */
  readonly cpuSeconds: number;
}

/** Trains from a seed; the same seed gives the same bits. */
export async function trained({ environment, recipe }: Task, seed: number): Promise<Trained> {
  const { layers, width, heads, objective, parameters, steps, batch, propose } = recipe;
  const network = heads === undefined
    ? { kind: "mlp", layers, width } as const
    : { kind: "transformer", layers, width, heads } as const;
  const before = process.cpuUsage();
  const start = new RandomStream("start", seed);
  const policy = await createPolicy(network, environment, start);
  const learning = new Learning(objective, parameters, trainingSettings.parse(recipe.settings));
  const proposer = new Proposer(propose);
  const met = new Set<string>();
  for (let step = 1; step <= steps; step++) {
    const moment = { fraction: (step - 1) / steps, random: new RandomStream("step", seed, step) };
    const walk = { count: batch, random: moment.random, epsilon: 0, temperature: 1 };
    const fresh = await policy.sample(environment, walk);
    const proposed = await proposer.step(policy, environment, fresh, {
      ...moment,
      rewards: (objects) => Promise.resolve(objects.map(({ logReward }) => logReward!)),
    });
    const all = [...fresh, ...Object.values(proposed).flat()];
    for (const { text } of all) met.add(text);
    const rewards = ownLogRewards(environment, all);
    await learning.step(policy, environment, all.map((one, i) => entryOf(one, rewards[i])), moment);
  }
  const { user, system } = process.cpuUsage(before);
  return { policy, met, cpuSeconds: (user + system) / 1e6 };
}
