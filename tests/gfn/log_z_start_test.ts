/** Where log Z starts decides what is learnt where rewards are thousands of nats apart. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { enumeratedTarget, evaluateExactly, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { trajectoryBalance } from "../../src/gfn/objectives/trajectory_balance.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { entryOf } from "../../src/gfn/replay/replay_entry.ts";
import { Learning } from "../../src/gfn/train/learning.ts";
import { ownLogRewards } from "../../src/gfn/train/own_entries.ts";
import { trainingSettings } from "../../src/gfn/train/training_settings.ts";
import { TreeEnvironment } from "./tree_environment.ts";

/** Four leaves a nat apart, and four that are hopeless. */
function steepLeaves(): Environment {
  const leaves = Array.from({ length: 8 }, (_, i) => {
    return [i + 1, { logReward: i < 4 ? -i : -1000 * i }] as const;
  });
  return new TreeEnvironment({ children: Object.fromEntries(leaves) }, 8) as Environment;
}

async function totalVariation(log_z_start: "mean" | "importance" | number): Promise<number> {
  const environment = steepLeaves();
  const policy = await createPolicy({ kind: "table" }, environment, "start of log Z");
  const settings = trainingSettings.parse({ log_z_start, learning_rate: 0.1 });
  const learning = new Learning(trajectoryBalance, {}, settings);
  for (let step = 1; step <= 200; step++) {
    const moment = { fraction: (step - 1) / 200, random: new RandomStream("start", step) };
    const fresh = await policy.sample(environment, {
      ...{ count: 16, random: moment.random, epsilon: 0.1, temperature: 1 },
    });
    const rewards = ownLogRewards(environment, fresh);
    const entries = fresh.map((one, i) => entryOf(one, rewards[i]));
    await learning.step(policy, environment, entries, moment);
  }
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (one) => one.logReward!);
  const target = enumeratedTarget(environment, objects, logReward);
  const reached = evaluateExactly(target, await policyMass(policy, target)).totalVariation;
  policy.dispose();
  return reached;
}

Deno.test("from the mean of steep rewards trajectory balance tells hopeless from good, and no more", async () => {
  const reached = await totalVariation("mean");
  assert.ok(reached > 0.2, `${reached}`);
});

Deno.test("from the importance-sampling estimate it learns the target", async () => {
  assert.ok(await totalVariation("importance") < 0.02);
  assert.ok(await totalVariation(0) < 0.02);
});
