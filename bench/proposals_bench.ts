/** Sparse grids with and without proposals: `deno task bench proposals [seeds] [16|8]`. */
import { RandomStream } from "../src/base/random.ts";
import { enumeratedTarget, evaluateExactly, policyMass } from "../src/gfn/evaluation/exact.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../src/gfn/environments/mod.ts";
import { subTrajectoryBalance } from "../src/gfn/objectives/sub_trajectory_balance.ts";
import { createPolicy } from "../src/gfn/policies/mod.ts";
import { entryOf } from "../src/gfn/replay/replay_entry.ts";
import { Learning } from "../src/gfn/train/learning.ts";
import { ownLogRewards } from "../src/gfn/train/own_entries.ts";
import { Proposer } from "../src/gfn/train/propose/proposer.ts";
import { trainingSettings } from "../src/gfn/train/training_settings.ts";

interface Grid {
  readonly name: string;
  readonly ndim: number;
  readonly height: number;
  readonly steps: number;
  /** Of the policy's own walks; there are half as many walks all over, and as many searches. */
  readonly batch: number;
}

const grids: readonly Grid[] = [
  { name: "16^2", ndim: 2, height: 16, steps: 1000, batch: 16 },
  { name: "8^4", ndim: 4, height: 8, steps: 4000, batch: 32 },
];

/** Trains on every grid from every seed, and prints a line for each. */
export async function benchProposals(args: readonly string[]): Promise<void> {
  const seeds = Number(args[0] ?? 10);
  const wanted = grids.filter(({ name }) => args[1] === undefined || name.startsWith(args[1]));
  for (const grid of wanted) {
    for (let seed = 0; seed < seeds; seed++) {
      const { tv, seen, seconds } = await trained(grid, seed);
      console.log(
        `${grid.name} seed ${seed}: TV ${tv.toFixed(4)} after ${seen} objects, ${seconds} s`,
      );
    }
  }
}

async function trained({ ndim, height, steps, batch }: Grid, seed: number) {
  const spec = { ndim, height, r0: 1e-4, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  const started = performance.now();
  const start = new RandomStream("start", seed);
  const policy = await createPolicy({ kind: "mlp", layers: 2, width: 128 }, environment, start);
  const settings = trainingSettings.parse({
    learning_rate: { start: 5e-3, schedule: "cosine", end: 0 },
    log_z_learning_rate: 0.1,
    replay: { capacity: 4096, fraction: 0.5, choice: "prioritised" },
  });
  const parameters = { flow: "exact_where_terminable", lambda: 1 };
  const learning = new Learning(subTrajectoryBalance, parameters, settings);
  const count = batch / 2;
  const proposer = new Proposer({
    memory: 1000,
    broad: { count },
    localSearch: { count, rounds: 1, cut: 0.5 },
  });
  const seen = new Set<string>();
  for (let step = 1; step <= steps; step++) {
    const fraction = (step - 1) / steps;
    const random = new RandomStream("step", seed, step);
    const fresh = await policy.sample(environment, {
      count: batch,
      random,
      epsilon: 0,
      temperature: 1,
    });
    const proposed = await proposer.step(policy, environment, fresh, {
      ...{ fraction, random },
      rewards: (objects) => Promise.resolve(objects.map(({ logReward }) => logReward!)),
    });
    const all = [...fresh, ...Object.values(proposed).flat()];
    for (const { text } of all) seen.add(text);
    const rewards = ownLogRewards(environment, all);
    const entries = all.map((one, i) => entryOf(one, rewards[i]));
    await learning.step(policy, environment, entries, { fraction, random });
  }
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (one) => one.logReward!);
  const target = enumeratedTarget(environment, objects, logReward);
  const { totalVariation: tv } = evaluateExactly(target, await policyMass(policy, target));
  return { tv, seen: seen.size, seconds: Math.round((performance.now() - started) / 1000) };
}
