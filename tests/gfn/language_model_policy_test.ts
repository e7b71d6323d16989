/** Language models as policies: one mask, one tree for a batch, exact sums, gradients, files. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import { regrow, WalkTarget } from "../../src/gfn/baselines/rewarded_walk.ts";
import { TokenTrie } from "../../src/gfn/environments/token_trie.ts";
import { evaluateExactly, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../../src/gfn/evaluation/own_target.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { parametersOf } from "../../src/gfn/objectives/objective.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { train } from "../../src/gfn/train/train.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { begin, digits, policyOfDigits } from "./digits.ts";
import { PathModel } from "./token_model.ts";

const { end, vocabulary } = digits;
const numbers = environmentNamed("numbers", { max: 234, base: 10 });
const lifted = tokensOf(numbers, digits) as Environment;

const policyOf = (model = new PathModel(vocabulary)) => policyOfDigits(lifted, model);

const behaviour = (seed: string, count: number) => ({
  ...{ count, random: new RandomStream(seed), epsilon: 0.1, temperature: 1.5 },
});

/** log P of every object, each of its tokens asked for by itself. */
function bruteForce(model: PathModel): Float64Array {
  const objects = [...lifted.enumerate()];
  return Float64Array.from(objects, ({ actions }) => {
    let [state, sum] = [lifted.initialState(), 0];
    const path = [begin];
    for (const action of actions) {
      const legal = lifted.rows!.legal(state) as Int32Array;
      const ids = Int32Array.from(path);
      const parents = Int32Array.from(path, (_, i) => i - 1);
      const rows = [{ node: path.length - 1, legal }];
      const [logP] = model.pass({ ids, parents }, rows, { grad: false }).logProbabilities;
      sum += logP[legal.indexOf(action)];
      path.push(action);
      if (action !== lifted.exitAction) state = lifted.step(state, action);
    }
    return sum;
  });
}

Deno.test("the exact divergence over the pruned trie is that of brute force over all objects", async () => {
  const model = new PathModel(vocabulary);
  const policy = policyOf(model);
  const target = ownTarget(lifted);
  const mass = await policyMass(policy, target);
  const wanted = bruteForce(new PathModel(vocabulary));
  mass.logP.forEach((logP, x) => assert.ok(Math.abs(logP - wanted[x]) < 1e-12));
  const [found, brute] = [evaluateExactly(target, mass), evaluateExactly(target, wanted)];
  assert.ok(Math.abs(found.klTargetPolicy - brute.klTargetPolicy) < 1e-9);
  assert.ok(Math.abs(found.klPolicyTarget - brute.klPolicyTarget) < 1e-9);
  // Forced tokens at the end are not computed.
  const trie = new TokenTrie(target.objects.map(({ actions }) => actions));
  assert.equal(policy.positions, trie.positions);
  assert.ok(trie.positions < trie.tokens / 5);
  assert.equal(model.open, 0);
});

Deno.test("what is sampled is scored the same, and all caches are given back", async () => {
  const model = new PathModel(vocabulary);
  const policy = policyOf(model);
  const sampled = await policy.sample(lifted, behaviour("seed 1", 40));
  assert.equal(model.caches.size, 0);
  const batch = makeBatch(lifted, sampled);
  const scores = await policy.score(batch, { grad: false });
  sampled.forEach(({ logPf, text }, b) => {
    const row = scores.logPf.subarray(b * batch.T, (b + 1) * batch.T);
    assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - logPf) < 1e-12, text);
  });
  // The same seed, the same texts; a beginning that is given is scored and kept.
  const again = await policy.sample(lifted, behaviour("seed 1", 40));
  assert.deepEqual(again, sampled);
  const given = [[2, 1], [], [7]];
  const begun = await policy.sample(lifted, { ...behaviour("seed 2", 3), given });
  assert.ok(begun[0].text.startsWith("21") && begun[2].text.startsWith("7"));
});

Deno.test("gradients are those of the loss, by differences", async () => {
  const model = new PathModel(vocabulary);
  const policy = policyOf(model);
  const objective = objectiveNamed("trajectory_balance");
  const batch = makeBatch(lifted, await policy.sample(lifted, behaviour("seed 3", 6)));
  const state = { logZ: 1.5, parameters: parametersOf(objective, {}) };
  const lossNow = async () => {
    const scores = await policy.score(batch, { grad: false });
    return objective.evaluate(scores, batch, state).loss;
  };
  const scores = await policy.score(batch, { grad: true });
  await policy.backward(scores, objective.evaluate(scores, batch, state).gradients);
  assert.equal(model.open, 0);
  const used = batch.actions[0] * vocabulary + end;
  for (const at of [begin * vocabulary + 1, begin * vocabulary + 2, used]) {
    const [step, kept] = [1e-5, model.weights[at]];
    model.weights[at] = kept + step;
    const up = await lossNow();
    model.weights[at] = kept - step;
    const down = await lossNow();
    model.weights[at] = kept;
    assert.ok(Math.abs((up - down) / (2 * step) - model.gradient[at]) < 1e-7);
  }
});

Deno.test("trajectory balance and VarGrad bring it to the target", async () => {
  for (const objective of ["trajectory_balance", "log_partition_variance"]) {
    const policy = policyOf();
    const target = ownTarget(lifted);
    const before = evaluateExactly(target, await policyMass(policy, target)).klTargetPolicy;
    const random = new RandomStream("seed 4", objective);
    const settings = { learning_rate: { start: 0.2 } };
    const options = { objective, settings, steps: 150, batchSize: 16, random };
    for await (const { loss } of train(policy, lifted, options)) assert.ok(Number.isFinite(loss));
    const after = evaluateExactly(target, await policyMass(policy, target)).klTargetPolicy;
    assert.ok(after < 0.6 * before, `${objective}: ${before} to ${after}`);
  }
});

Deno.test("searches beside it walk the environment that was lifted", () => {
  const walked = new WalkTarget(ownTarget(lifted));
  assert.equal(walked.environment, numbers);
  const { object, actions } = regrow(walked, [], new RandomStream("seed 7"));
  assert.equal([...numbers.enumerate()][object].actions.join(), actions.join());
});

Deno.test("an objective that learns a flow is refused, with those that work", async () => {
  const random = new RandomStream("seed 5");
  const options = { objective: "sub_trajectory_balance", steps: 1, batchSize: 2, random };
  const first = train(policyOf(), lifted, options).next();
  await assert.rejects(first, /Cannot learn by sub_trajectory_balance: .* has no flow of states/);
});

Deno.test("clone, average and optimiser are files of their own", async () => {
  const policy = policyOf();
  const batch = makeBatch(lifted, await policy.sample(lifted, behaviour("seed 6", 4)));
  const objective = objectiveNamed("maximum_likelihood");
  const start = await policy.clone();
  for (let i = 0; i < 3; i++) {
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 0, parameters: {} };
    await policy.backward(scores, objective.evaluate(scores, batch, state).gradients);
    await policy.step({ learningRate: 0.1, clipNorm: Infinity, averageDecay: 0.5 });
  }
  assert.equal(policy.version, 3);
  assert.deepEqual(await (await policy.clone()).save(), await policy.save());
  assert.notDeepEqual(await start.save(), await policy.save());
  assert.notDeepEqual(await (await policy.averaged()).save(), await policy.save());
  const resumed = await policy.clone();
  await resumed.loadOptimizer(await policy.saveOptimizer());
  assert.equal(resumed.version, 3);
  assert.deepEqual(await resumed.saveOptimizer(), await policy.saveOptimizer());
  assert.deepEqual(await (await resumed.averaged()).save(), await (await policy.averaged()).save());
});

Deno.test("VarGrad has a log Z of each prompt: its loss is the variance within prompts", async () => {
  const policy = policyOf();
  const prompts = [[3], [4, 5]].map((tokens) => ({ id: tokens.join(), tokens }));
  const objects = [...lifted.enumerate()].slice(0, 6);
  const walks = objects.map(({ actions }, i) => ({ actions, prompt: prompts[i % 2] }));
  // A constant that a prompt adds to every log reward moves its log Z and nothing else.
  const losses = [[0, 0], [100, -7]].map(async (shift) => {
    const rewards = objects.map(({ text }, i) => Array.from(text, () => -i * i / 8 + shift[i % 2]));
    const batch = makeBatch(lifted, walks, rewards);
    const scores = await policy.score(batch, { grad: false });
    return objectiveNamed("log_partition_variance").evaluate(scores, batch, {
      ...{ logZ: 0, parameters: {} },
    });
  });
  const [{ loss, gradients }, shifted] = await Promise.all(losses);
  assert.ok(Math.abs(loss - shifted.loss) < 1e-9);
  gradients.logPf.forEach((one, i) => assert.ok(Math.abs(one - shifted.gradients.logPf[i]) < 1e-9));
  assert.ok(loss > 0.01);
});

Deno.test("weights decay where it is asked, and only policies that can are asked", async () => {
  const random = new RandomStream("seed 9");
  const settings = { weight_decay: 0.1 };
  const options = { objective: "trajectory_balance", settings, steps: 1, batchSize: 4, random };
  for await (const { loss } of train(policyOf(), lifted, options)) assert.ok(Number.isFinite(loss));
  const table = await createPolicy({ kind: "table" }, numbers, "seed 9");
  await assert.rejects(async () => {
    for await (const { loss } of train(table, numbers, options)) assert.ok(Number.isFinite(loss));
  }, /Cannot decay the weights of a policy of kind table/);
});
