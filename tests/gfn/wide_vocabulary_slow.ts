/** Batches, scores and gradients over a language model's vocabulary, within little memory. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { type Environment, noPrompt } from "../../src/gfn/environments/environment.ts";
import { actionAt, legalCount, legalIn } from "../../src/gfn/environments/legal_actions.ts";
import { subTrajectoryBalance } from "../../src/gfn/objectives/built_in_objectives.ts";
import { parametersOf } from "../../src/gfn/objectives/objective.ts";
import { trajectoryBalance } from "../../src/gfn/objectives/trajectory_balance.ts";
import { decodeTensors } from "../../src/base/safetensors.ts";
import { createPolicy, loadPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Batch, Walked } from "../../src/gfn/trajectories/trajectory.ts";
import { allocationsOf } from "./allocations.ts";
import { densePolicy, rowPolicy, wideEnvironment, type WideShape } from "./wide_vocabulary.ts";

const wide: WideShape = { A: 151_936, T: 256, openEvery: 16 };
const narrow: WideShape = { A: 9, T: 12, openEvery: 3 };

const prompts = [{ id: "short", tokens: [3] }, { id: "long: er", tokens: [5, 1, 8] }];

/** Trajectories of full length; the second half begins as the first does. */
function sentences(environment: Environment, B: number): Walked[] {
  const { actionNames: { length: A }, maxActions } = environment;
  return Array.from({ length: B }, (_, b) => {
    const random = new RandomStream("sentences", b);
    const prompt = prompts[b % 2];
    let state = environment.initialState(prompt);
    const actions: number[] = [];
    while (actions.length < maxActions - 1) {
      const legal = legalIn(environment, state);
      const count = legalCount(legal, A);
      const place = count === 1 ? 0 : 1 + Math.floor(random.uniform() * (count - 1));
      actions.push(actionAt(legal, place));
      state = environment.step(state, actions.at(-1)!);
    }
    return { actions: [...actions, 0], prompt, version: b };
  });
}

const parameters = parametersOf(subTrajectoryBalance, { lambda: 0.9 });
const objectives = [trajectoryBalance, subTrajectoryBalance];

/** Losses of both objectives, and the gradients of the six weights. */
async function learn(policy: Policy, batch: Batch) {
  const losses: number[] = [];
  for (const objective of objectives) {
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 1, parameters: parametersOf(objective, {}) };
    const { loss, gradients } = objective.evaluate(scores, batch, state);
    losses.push(loss);
    await policy.backward(scores, gradients);
    await policy.step({ learningRate: 0, clipNorm: Infinity });
  }
  const { tensors } = decodeTensors(await policy.saveOptimizer());
  const moment = tensors.find(({ name }) => name === "first_moment")!.values;
  return { losses, moment };
}

const own = (definition: typeof densePolicy) => ({ kind: "custom", definition }) as const;

Deno.test("151,936 actions, 8 × 256 steps: two losses and their gradients in less than 50 MB", async () => {
  const environment = wideEnvironment(wide) as Environment;
  const policy = await createPolicy(own(rowPolicy()), environment, "wide");
  const walks = sentences(environment, 8);
  let found = { losses: [NaN], moment: new Float32Array() as ArrayLike<number> };
  const { total, largest } = await allocationsOf(async () => {
    const batch = makeBatch(environment, walks);
    assert.deepEqual([batch.B, batch.T, batch.A], [8, 256, 151_936]);
    found = await learn(policy, batch);
  });
  assert.ok(found.losses.every((loss) => loss > 0 && Number.isFinite(loss)));
  assert.ok(Array.from(found.moment).every((g) => g !== 0 && Number.isFinite(g)));
  assert.equal(largest, 8 * wide.A, "one row of logits");
  assert.ok(total < 50e6, `${total} bytes`);
});

Deno.test("asked by rows a policy has the scores and gradients that it has by all logits", async () => {
  const environment = wideEnvironment(narrow) as Environment;
  const walks = sentences(environment, 6);
  const batch = makeBatch(environment, [...walks, { actions: [0] }, { ...walks[1], version: 9 }]);
  const [rows, dense] = await Promise.all(
    [rowPolicy(), densePolicy].map((one) => createPolicy(own(one), environment, "narrow")),
  );
  const [a, b] = [
    await rows.score(batch, { grad: false }),
    await dense.score(batch, { grad: false }),
  ];
  for (const name of ["logPf", "logExit", "logFlow"] as const) {
    a[name].forEach((x, at) => assert.ok(Math.abs(x - b[name][at]) < 1e-12, `${name} ${at}`));
  }
  const [found, wanted] = [await learn(rows, batch), await learn(dense, batch)];
  found.losses.forEach((x, i) =>
    assert.ok(Math.abs(x - wanted.losses[i]) < 1e-12 * wanted.losses[i])
  );
  const largest = Math.max(...Array.from(wanted.moment, Math.abs));
  assert.ok(largest > 0.01 && wanted.moment[4] !== 0, "gradients to speak of");
  for (let k = 0; k < wanted.moment.length; k++) {
    assert.ok(Math.abs(found.moment[k] - wanted.moment[k]) < 1e-7 * largest, `${k}`);
  }
  const [ofRows, ofAll] = await Promise.all([rows, dense].map((p) => p.logProbabilities(batch)));
  ofRows.forEach((row, state) => {
    assert.equal(row.length, legalCount(batch.states.legal[state], batch.A));
    row.forEach((x, k) => assert.ok(Math.abs(x - ofAll[state][k]) < 1e-12));
    assert.ok(Math.abs(row.reduce((sum, x) => sum + Math.exp(x), 0) - 1) < 1e-12);
  });
});

Deno.test("equal actions under two prompts are two states, under one prompt one", () => {
  const environment = wideEnvironment(narrow) as Environment;
  const [short, long] = prompts;
  const walks = [short, long, short, undefined].map((prompt) => ({
    actions: [4, 0],
    ...(prompt && { prompt }),
  }));
  const batch = makeBatch(environment, walks);
  assert.deepEqual([...batch.states.index], [0, 1, 2, 3, 0, 1, 4, 5]);
  assert.deepEqual(batch.states.keys, [
    '"short":',
    '"short":4',
    '"long: er":',
    '"long: er":4',
    "",
    "4",
  ]);
  assert.deepEqual(batch.prompts, [short, long, short, noPrompt]);
  assert.deepEqual([...batch.logReward].map((x) => x < -2), [
    false,
    false,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

Deno.test("a trajectory says what it answers, and which version of the policy sampled it", async () => {
  const environment = wideEnvironment(narrow) as Environment;
  for (const definition of [rowPolicy(), densePolicy]) {
    const policy = await createPolicy(own(definition), environment, "sample");
    await learn(policy, makeBatch(environment, sentences(environment, 2)));
    assert.equal(policy.version, 2);
    const random = new RandomStream("sample");
    const four = [...prompts, ...prompts];
    const options = { count: 4, random, epsilon: 0.1, temperature: 2, prompts: four };
    const sampled = await policy.sample(environment, options);
    assert.deepEqual(sampled.map(({ prompt }) => prompt), four);
    assert.deepEqual(sampled.map(({ version }) => version), [2, 2, 2, 2]);
    const batch = makeBatch(environment, sampled);
    assert.deepEqual([...batch.versions], [2, 2, 2, 2]);
    const { logPf } = await policy.score(batch, { grad: false });
    sampled.forEach((one, b) => {
      const row = logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b]);
      assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - one.logPf) < 1e-12);
    });
  }
});

Deno.test("runs of actions without a choice, and given beginnings, cost one call each", async () => {
  const environment = wideEnvironment({ ...narrow, T: 31, openEvery: 10 }) as Environment;
  const calls: number[] = [];
  const policy = await createPolicy(own(rowPolicy((n) => calls.push(n))), environment, "calls");
  const [{ actions }] = sentences(environment, 1);
  const random = new RandomStream("calls");
  const options = { count: 1, random, epsilon: 0, temperature: 1 };
  const [whole] = await policy.sample(environment, { ...options, given: [actions] });
  assert.deepEqual(calls, [31], "all given: one call with every state");
  assert.deepEqual(whole.actions, actions);
  const { logPf } = await policy.score(makeBatch(environment, [{ actions }]), { grad: false });
  assert.ok(Math.abs(logPf.reduce((sum, x) => sum + x, 0) - whole.logPf) < 1e-12);
  calls.length = 0;
  const [half] = await policy.sample(environment, { ...options, given: [actions.slice(0, 12)] });
  // Positions 20 and 21 alone have a choice after the twelve that are given.
  const open = half.actions.length > 21 ? 2 : 1;
  assert.deepEqual(calls, [12, ...new Array(open).fill(1)]);
  assert.deepEqual(half.actions.slice(0, 12), actions.slice(0, 12));
  const illegal = policy.sample(environment, { ...options, given: [[4, 8, 8]] });
  await assert.rejects(illegal, /Cannot begin with action 8 after 2 others: it is not legal there/);
  const few = policy.sample(environment, { ...options, count: 3, given: [[4]] });
  await assert.rejects(few, /Cannot sample 3 trajectories with 1 given/);
});

Deno.test("a policy by rows survives a file and goes on from a checkpoint bit for bit", async () => {
  const environment = wideEnvironment(narrow) as Environment;
  const batch = makeBatch(environment, sentences(environment, 4));
  const step = async (policy: Policy) => {
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 1, parameters };
    await policy.backward(scores, subTrajectoryBalance.evaluate(scores, batch, state).gradients);
    await policy.step({ learningRate: 0.05, clipNorm: 1, averageDecay: 0.9 });
  };
  const config = { ...own(rowPolicy()), frozen: ["flow"] };
  const policy = await createPolicy(config, environment, "file");
  await step(policy);
  const options = { definitions: [rowPolicy()] };
  const resumed = await loadPolicy(await policy.save(), options);
  await resumed.loadOptimizer(await policy.saveOptimizer());
  assert.equal(resumed.version, 1);
  for (const one of [policy, resumed]) await step(one);
  assert.deepEqual(await resumed.save(), await policy.save());
  assert.deepEqual(await (await resumed.averaged()).save(), await (await policy.averaged()).save());
  const { tensors } = decodeTensors(await policy.save());
  assert.deepEqual([...tensors.find(({ name }) => name === "flow")!.values], [
    ...Float32Array.of(0.2, -0.4),
  ]);
});

Deno.test("a row that is not finite is refused, with the state", async () => {
  const environment = wideEnvironment(narrow) as Environment;
  const definition = rowPolicy();
  const broken = {
    ...definition,
    create: (...args: Parameters<typeof definition.create>) => {
      const network = definition.create(...args);
      return { ...network, initial: () => new Float32Array(6).fill(NaN) };
    },
  };
  const policy = await createPolicy(own(broken), environment, "broken");
  const batch = makeBatch(environment, [{ actions: [4, 0] }]);
  await assert.rejects(policy.score(batch, { grad: false }), /its row of state "" is not finite/);
});
