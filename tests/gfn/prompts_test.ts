/** Policies that answer prompts: log Z of each, comparisons within each, exact divergences of each. */
import assert from "node:assert/strict";
import { rootTokens } from "../../src/gfn/policies/language_model/token_session.ts";
import asked from "../../docs/examples/asked_numbers.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import { customEnvironment } from "../../src/gfn/environments/define_environment.ts";
import type { Environment, Prompt } from "../../src/gfn/environments/environment.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import { evaluateExactly, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../../src/gfn/evaluation/own_target.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { parametersOf } from "../../src/gfn/objectives/objective.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { entryOf } from "../../src/gfn/replay/replay_entry.ts";
import { Learning } from "../../src/gfn/train/learning.ts";
import { LogZEstimates } from "../../src/gfn/train/log_z_estimates.ts";
import { ownLogRewards } from "../../src/gfn/train/own_entries.ts";
import { train } from "../../src/gfn/train/train.ts";
import { trainingSettings } from "../../src/gfn/train/training_settings.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { begin, digits, policyOfDigits } from "./digits.ts";
import { PathModel } from "./token_model.ts";

const { vocabulary } = digits;
const numbers = customEnvironment(asked, { max: 30, beyond: -3 }) as Environment;
const lifted = tokensOf(numbers, digits) as Environment;
const prompts: readonly Prompt[] = [[7], [1, 9], [3]].map((tokens) => {
  return { id: tokens.join(""), tokens, text: `up to ${tokens.join("")}` };
});
const learnable = [
  "trajectory_balance",
  "modified_sub_trajectory_balance",
  "log_partition_variance",
];

const languageModel = () => policyOfDigits(lifted, new PathModel(vocabulary, 7));

const table = () => createPolicy({ kind: "table" }, lifted, "seed 40");

/** KL(target‖policy) of every prompt, in nats. */
async function divergencesOf(policy: Policy): Promise<number[]> {
  return await Promise.all(prompts.map(async (prompt) => {
    const target = ownTarget(lifted, prompt);
    return evaluateExactly(target, await policyMass(policy, target, prompt)).klTargetPolicy;
  }));
}

/** A batch of two answers to each prompt, and scores without meaning. */
function anyBatch(environment: Environment, key: string): { batch: Batch; scores: Scores } {
  const objects = [...environment.enumerate()];
  const walks = prompts.flatMap((prompt, i) =>
    [5 * i + 2, 7 * i + 11].map((x) => ({ actions: objects[x].actions, prompt }))
  );
  const batch = makeBatch(environment, walks);
  const random = new RandomStream(key);
  const draw = () => Float64Array.from({ length: batch.B * batch.T }, () => random.uniform() - 2);
  return { batch, scores: { logPf: draw(), logExit: draw(), logFlow: draw(), handle: 0 } };
}

Deno.test("rewards are those of the prompt, and states of two prompts are two states", () => {
  for (const environment of [numbers, lifted]) {
    const [seven, nineteen] = prompts.map((prompt) => ownTarget(environment, prompt));
    const count = (n: number) => Math.log(n + (31 - n) * Math.exp(-3));
    assert.ok(Math.abs(seven.logZ - count(8)) < 1e-12);
    assert.ok(Math.abs(nineteen.logZ - count(20)) < 1e-12);
    const { batch } = anyBatch(environment, "states");
    assert.equal(new Set(batch.states.keys).size, batch.states.keys.length);
    assert.ok(batch.states.keys.every((key) => /^"(7|19|3)":/.test(key)));
  }
});

const learnsLogZ = [
  ["trajectory_balance", {}],
  ["trajectory_balance", { residual_loss: "linex" }],
  ["relative_trajectory_balance", {}],
  ["detailed_balance", {}],
  ["weighted_detailed_balance", {}],
  ["sub_trajectory_balance", { flow: "learned" }],
  ["sub_trajectory_balance", {}],
  ["modified_sub_trajectory_balance", { lambda: 0.8 }],
  ["forward_looking_detailed_balance", { partial_reward: "prior" }],
  ["forward_looking_sub_trajectory_balance", { partial_reward: "prior" }],
] as const;

for (const [name, given] of learnsLogZ) {
  Deno.test(`${name} ${JSON.stringify(given)}: the gradient of every prompt's log Z, by differences`, () => {
    const objective = objectiveNamed(name);
    const parameters = parametersOf(objective, given);
    const { batch, scores } = anyBatch(numbers, name);
    const logZs = Float64Array.of(0.3, 0.3, -1, -1, 2, 2);
    const lossAt = (of: Float64Array) =>
      objective.evaluate(scores, batch, { logZ: NaN, logZs: of, parameters });
    const { gradients } = lossAt(logZs);
    prompts.forEach((_, p) => {
      const moved = (by: number) =>
        lossAt(logZs.map((one, b) => b >> 1 === p ? one + by : one)).loss;
      const wanted = (moved(1e-5) - moved(-1e-5)) / 2e-5;
      const found = gradients.logZs![2 * p] + gradients.logZs![2 * p + 1];
      assert.ok(Math.abs(found - wanted) < 1e-8, `${found} ${wanted}`);
      assert.ok(Math.abs(wanted) > 1e-4);
    });
    const sum = gradients.logZs!.reduce((total, one) => total + one, 0);
    assert.ok(Math.abs(sum - gradients.logZ) < 1e-12);
  });
}

for (const name of ["log_partition_variance", "grpo", "reinforce"]) {
  Deno.test(`${name} compares within a prompt: what a prompt adds to every reward moves nothing`, () => {
    const objective = objectiveNamed(name);
    const parameters = parametersOf(objective, {});
    const { batch, scores } = anyBatch(numbers, name);
    const shifts = [0, 0, 50, 50, -9, -9];
    const shifted = {
      ...batch,
      logReward: batch.logReward.map((one, at) => one + shifts[Math.floor(at / batch.T)]),
    };
    const [plain, other] = [batch, shifted].map((of) =>
      objective.evaluate(scores, of, { logZ: 0, parameters }).gradients.logPf
    );
    plain.forEach((one, at) => assert.ok(Math.abs(one - other[at]) < 1e-9));
    assert.ok(plain.some((one) => Math.abs(one) > 0.01));
    // The fault: all trajectories compared with all others.
    const blind = { ...shifted, prompts: shifted.prompts.map(() => ({ id: "", tokens: [] })) };
    const mixed = objective.evaluate(scores, blind, { logZ: 0, parameters }).gradients.logPf;
    assert.ok(plain.some((one, at) => Math.abs(one - mixed[at]) > 0.01));
  });
}

for (const objective of learnable) {
  Deno.test(`${objective} brings a table to the target of every prompt, and learns its log Z`, async () => {
    const policy = await table();
    const before = await divergencesOf(policy);
    const options = {
      ...{ objective, prompts, steps: 300, batchSize: 24, epsilon: 0.1 },
      settings: { learning_rate: { start: 0.2 }, log_z_learning_rate: 0.2 },
      random: new RandomStream("seed 41", objective),
    };
    for await (const { loss } of train(policy, lifted, options)) assert.ok(Number.isFinite(loss));
    const after = await divergencesOf(policy);
    after.forEach((kl, p) => assert.ok(kl < 0.03 && kl < before[p] / 5, `${before[p]} to ${kl}`));
  });
}

Deno.test("a language model reads the prompt before its answer: divergences are those of brute force", async () => {
  const policy = languageModel();
  const found = await divergencesOf(policy);
  prompts.forEach((prompt, p) => {
    const { objects, logTarget } = ownTarget(lifted, prompt);
    const model = new PathModel(vocabulary, 7);
    const logP = objects.map(({ actions }) => {
      let [state, sum] = [lifted.initialState(prompt), 0];
      const path = [begin, ...prompt.tokens];
      for (const action of actions) {
        const legal = lifted.rows!.legal(state) as Int32Array;
        const ids = Int32Array.from(path);
        const parents = Int32Array.from(path, (_, i) => i - 1);
        const rows = [{ node: path.length - 1, legal }];
        sum += model.pass({ ids, parents }, rows, { grad: false })
          .logProbabilities[0][legal.indexOf(action)];
        path.push(action);
        if (action !== lifted.exitAction) state = lifted.step(state, action);
      }
      return sum;
    });
    const kl = logP.reduce((sum, one, x) => sum + Math.exp(logTarget[x]) * (logTarget[x] - one), 0);
    assert.ok(Math.abs(found[p] - kl) < 1e-9, `${found[p]} ${kl}`);
  });
  assert.ok(Math.abs(found[0] - found[1]) > 0.1); // Prompts make a difference.
});

Deno.test("prompts that begin alike share their beginning in the tree of a batch", async () => {
  const shared = [[1, 9, 4], [1, 9, 5]].map((tokens) => ({ id: tokens.join(), tokens }));
  const { actions } = [...lifted.enumerate()][12];
  const policy = languageModel();
  const walks = shared.map((prompt) => ({ actions, prompt }));
  await policy.score(makeBatch(lifted, walks.slice(0, 1)), { grad: false });
  const alone = policy.positions;
  await policy.score(makeBatch(lifted, walks), { grad: false });
  // Begin, 1 and 9 are computed once more, and not twice.
  assert.equal(policy.positions - alone, 2 * alone - 3);
});

Deno.test("the same seed, the same answers; each trajectory and each entry has its prompt", async () => {
  const run = async () => {
    const options = {
      ...{ objective: "trajectory_balance", prompts, groupSize: 2, steps: 3, batchSize: 4 },
      settings: { replay: { capacity: 9 } },
      random: new RandomStream("seed 42"),
    };
    const steps = [];
    for await (const one of train(languageModel(), lifted, options)) steps.push(one);
    return steps;
  };
  const [first, second] = [await run(), await run()];
  assert.deepEqual(first, second);
  const ids = first.map(({ trajectories }) =>
    trajectories.map(({ prompt }) => prompt!.id).join(" ")
  );
  assert.deepEqual(ids, ["7 7 19 19", "3 3 7 7", "19 19 3 3"]);
});

Deno.test("a checkpoint keeps log Z of every prompt, and replay the prompt of every entry", async () => {
  const policy = await table();
  const settings = trainingSettings.parse({ replay: { capacity: 50, fraction: 2 } });
  const learning = new Learning(objectiveNamed("trajectory_balance"), {}, settings);
  const random = new RandomStream("seed 43");
  const entries = async (some: readonly Prompt[]) => {
    const options = { count: some.length, epsilon: 0, temperature: 1, random, prompts: some };
    const trajectories = await policy.sample(lifted, options);
    const rewards = ownLogRewards(lifted, trajectories);
    return trajectories.map((one, i) => entryOf(one, rewards[i]));
  };
  const all = [...prompts, ...prompts, ...prompts];
  const moment = { fraction: 0, random };
  await learning.step(policy, lifted, await entries(all), moment);
  const saved = structuredClone(learning.save());
  const again = new Learning(objectiveNamed("trajectory_balance"), {}, settings);
  again.load(saved);
  assert.deepEqual(again.save(), saved);
  assert.deepEqual([...again.trainer.logZ.values.keys()], ["7", "19", "3"]);
  assert.equal(new Set(again.trainer.logZ.values.values()).size, 3);
  // Nothing is drawn that answers what the batch does not ask.
  const { replayed } = await again.step(
    policy,
    lifted,
    await entries([prompts[1], prompts[1]]),
    moment,
  );
  assert.ok(replayed.length > 0);
  assert.ok(replayed.every(({ prompt }) => prompt!.id === "19"));
});

Deno.test("log Z by data is a running mean for each prompt", () => {
  const logZ = new LogZEstimates("data");
  const of = (...ids: string[]) => ({ prompts: ids.map((id) => ({ id, tokens: [] })) });
  logZ.at(Float64Array.of(1, 5), of("a", "b"));
  assert.deepEqual([...logZ.at(Float64Array.of(2), of("b"))], [5 + 0.1 * (2 - 5)]);
  assert.equal(logZ.values.get("a"), 1);
});

function refusal(run: () => Promise<unknown>, wanted: RegExp): Promise<void> {
  return assert.rejects(run, (error) => {
    assert.ok(error instanceof InputError);
    const [{ message, hint }] = error.diagnostics;
    assert.match(`${message}; ${hint}`, wanted);
    return true;
  });
}

Deno.test("what cannot be learned of prompts is refused", async () => {
  const first = (objective: Parameters<typeof train>[2]["objective"]) => async () => {
    const random = new RandomStream("seed 44");
    const options = { objective, prompts, groupSize: 1, steps: 1, batchSize: 4, random };
    for await (const { loss } of train(await table(), lifted, options)) assert.ok(loss);
  };
  const lone = /prompt "19" has fewer than 2 in a batch; set group_size to 2 or more/;
  await refusal(first("log_partition_variance"), lone);
  await refusal(first("grpo"), lone);
  const own = objectiveNamed("trajectory_balance");
  const whole: typeof own = {
    ...own,
    evaluate: (...given) => {
      const { gradients: { logZs: _, ...gradients }, ...rest } = own.evaluate(...given);
      return { ...rest, gradients };
    },
  };
  await refusal(first(whole), /gives dLoss\/dlogZ as one number; return gradients.logZs/);
});

Deno.test("a conversation begins as it says, any other prompt behind the token that begins texts", () => {
  const [begin, tokens] = [9, [3, 4]];
  assert.deepEqual(rootTokens(begin, { id: "text", tokens }), [9, 3, 4]);
  assert.deepEqual(rootTokens(begin, { id: "chat", tokens, begins: true }), [3, 4]);
  assert.deepEqual(rootTokens(begin, { id: "begun", tokens: [9, 3] }), [9, 3]);
  assert.deepEqual(rootTokens(undefined, { id: "text", tokens }), [3, 4]);
});
