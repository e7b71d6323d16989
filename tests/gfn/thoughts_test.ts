/** Thought before objects: legal tokens, sums over all thoughts, bounds, and learning. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { brokenAs, freeTokens } from "../../src/gfn/environments/free_tokens.ts";
import { legalIn } from "../../src/gfn/environments/legal_actions.ts";
import { thoughtful } from "../../src/gfn/environments/thoughts.ts";
import { tokensOf } from "../../src/gfn/environments/tokens.ts";
import { evaluateExactly, logUniform, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../../src/gfn/evaluation/own_target.ts";
import { thoughtfulMass } from "../../src/gfn/evaluation/thoughtful_mass.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { withThoughtPosterior } from "../../src/gfn/train/thought_posterior.ts";
import { train } from "../../src/gfn/train/train.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { digits, policyOfDigits } from "./digits.ts";
import { PathModel } from "./token_model.ts";

const plain = environmentNamed("numbers", { max: 9, base: 10 });
const rewardOf = ({ text }: { readonly text: string }) => -Number(text) / 3;
const rewarded = <T extends { readonly text: string }>(one: T) => ({
  ...one,
  logReward: rewardOf(one),
});
const numbers: Environment = {
  ...plain,
  terminal: (state) => rewarded(plain.terminal(state)),
  logReward: (state) => rewardOf(plain.terminal(state)),
  enumerate: () => [...plain.enumerate()].map(rewarded),
};
const lifted = tokensOf(numbers, digits) as Environment;
/** 7 opens, 8 9 close, 1 and 2 are thought: 1 + 2 + 4 thoughts. */
const thinking = { open: [7], close: [8, 9], among: [1, 2], most: 2 };
const environment = thoughtful(lifted, thinking) as Environment & ReturnType<typeof thoughtful>;
const policy = (): Policy => policyOfDigits(environment, new PathModel(digits.vocabulary, 7));

const legalAfter = (one: Environment, ids: readonly number[]) => {
  const legal = legalIn(one, ids.reduce((state, id) => one.step(state, id), one.initialState()));
  return legal === "all" ? legal : [...legal];
};

Deno.test("a thought opens, has tokens of its own, and closes at the latest at its most tokens", () => {
  assert.deepEqual(legalAfter(environment, []), [7]);
  assert.deepEqual(legalAfter(environment, [7]), [1, 2, 8]);
  assert.deepEqual(legalAfter(environment, [7, 1, 8]), [9]);
  assert.deepEqual(legalAfter(environment, [7, 1, 2]), [8]);
  assert.deepEqual(legalAfter(environment, [7, 1, 2, 8, 9]), legalAfter(lifted, []));
  const actions = [7, 1, 2, 8, 9, 4, 10];
  assert.equal(environment.thoughts.length(actions), 5);
  assert.equal(environment.thoughts.length([7, 1, 10]), 0);
  const batch = makeBatch(environment, [{ actions }]);
  assert.ok(Math.abs(batch.objectLogPrior[0] - lifted.logPrior(lifted.initialState())[4]) < 1e-12);
  const back = batch.logPb.reduce((sum, one) => sum + one, 0);
  assert.ok(Math.abs(back - 2 * Math.log(1 / 3)) < 1e-12);
});

Deno.test("objects, priors, rewards and uniform choice are those of the environment", () => {
  const objects = (one: Environment) => [...one.enumerate()].map(({ actions: _, ...rest }) => rest);
  assert.deepEqual(objects(environment), objects(lifted));
  assert.deepEqual(logUniform(ownTarget(environment)), logUniform(ownTarget(lifted)));
  assert.notEqual(environment.digest, lifted.digest);
});

Deno.test("any token may be thought where none are named, but for the end before listed objects", () => {
  const any = thoughtful(lifted, { open: [], close: [8, 9], most: 3 });
  assert.deepEqual(legalAfter(any as Environment, []), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
  assert.deepEqual(legalAfter(any as Environment, [8]), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
  assert.deepEqual(legalAfter(any as Environment, [3, 8, 8]), [9], "half of it is there");
  assert.deepEqual(legalAfter(any as Environment, [3, 3, 3]), [8]);
  assert.equal(any.thoughts.list(1e9), undefined);
});

Deno.test("of free texts a thought that never closes and an empty answer are no objects", () => {
  const source = { ...digits, decode: (ids: readonly number[]) => ids.join("") };
  const free = freeTokens(undefined, source, {
    ...{ of: null, mask: "none", model: "digits", sha256: "", tokenizer: "digits" },
    ...{ vocabulary: 12, end: 10, most: 4 },
  });
  const thoughts = thoughtful(free, { open: [7], close: [8, 9], most: 3 });
  const after = (ids: readonly number[]) =>
    thoughts.terminal(ids.reduce((state, id) => thoughts.step(state, id), thoughts.initialState()));
  assert.equal(legalAfter(thoughts as Environment, [7, 1]), "all");
  assert.equal(brokenAs(after([7, 1, 2]).text), "unclosed");
  assert.equal(brokenAs(after([7, 1, 8, 9]).text), "empty");
  assert.equal(after([7, 1, 8, 9, 5]).text, "5");
});

/** P of each object by hand: the sum over the seven thoughts. */
async function byHand(one: Policy): Promise<number[]> {
  const objects = [...lifted.enumerate()];
  const thoughts = [[], [1], [2], [1, 1], [1, 2], [2, 1], [2, 2]];
  const sums = objects.map(() => 0);
  for (const thought of thoughts) {
    for (const [x, { actions }] of objects.entries()) {
      const batch = makeBatch(environment, [{ actions: [7, ...thought, 8, 9, ...actions] }]);
      const { logPf } = await one.score(batch, { grad: false });
      sums[x] += Math.exp(logPf.reduce((sum, value) => sum + value, 0));
    }
  }
  return sums;
}

Deno.test("the mass of an object is summed over all thoughts, and sums to 1", async () => {
  const { logP, thoughts } = await policyMass(policy(), ownTarget(environment));
  assert.deepEqual([thoughts!.count, thoughts!.isExact], [7, true]);
  const expected = await byHand(policy());
  logP.forEach((value, x) => assert.ok(Math.abs(Math.exp(value) - expected[x]) < 1e-12));
  assert.ok(Math.abs(expected.reduce((sum, one) => sum + one, 0) - 1) < 1e-12);
});

Deno.test("thoughts of the policy bound every divergence from both sides, in expectation", async () => {
  const target = ownTarget(environment);
  const exact = evaluateExactly(target, await policyMass(policy(), target));
  const beyond = { ...environment, thoughts: { ...environment.thoughts, list: () => undefined } };
  const measures = ["totalVariation", "klTargetPolicy", "klPolicyTarget"] as const;
  const found = measures.map(() => ({ upper: [] as number[], lower: [] as number[] }));
  for (let seed = 0; seed < 200; seed++) {
    const options = { count: 4, seed: `seed ${seed}` };
    const sampled = { ...target, environment: beyond };
    const mass = await thoughtfulMass(policy(), sampled, undefined, options);
    const upper = evaluateExactly(sampled, mass.logP);
    measures.forEach((name, i) => {
      found[i].upper.push(upper[name]);
      found[i].lower.push(mass.lower![name]);
    });
  }
  measures.forEach((name, i) => {
    const [upper, lower] = [found[i].upper, found[i].lower].map(meanAndError);
    assert.ok(upper.mean + 3 * upper.error > exact[name], `${name} ${upper.mean} ${exact[name]}`);
    assert.ok(lower.mean - 3 * lower.error < exact[name], `${name} ${lower.mean} ${exact[name]}`);
    assert.ok(lower.mean < upper.mean && upper.mean - lower.mean < exact[name], name);
  });
});

Deno.test("the errors of both bounds are their spread, and the interval holds what is exact", async () => {
  const target = ownTarget(environment);
  const exact = evaluateExactly(target, await policyMass(policy(), target));
  const beyond = { ...environment, thoughts: { ...environment.thoughts, list: () => undefined } };
  const sampled = { ...target, environment: beyond };
  const measures = ["klTargetPolicy", "klPolicyTarget"] as const;
  for (const name of measures) {
    const [values, errors] = [[], []] as number[][];
    let held = 0;
    for (let seed = 0; seed < 100; seed++) {
      const options = { count: 24, seed: `errors ${seed}` };
      const mass = await thoughtfulMass(policy(), sampled, undefined, options);
      const upper = evaluateExactly(sampled, mass.logP)[name];
      const { upper: error, lower: below } = mass.errors!;
      values.push(upper);
      errors.push(error[name]);
      const [from, to] = [mass.lower![name] - 1.96 * below[name], upper + 1.96 * error[name]];
      if (from <= exact[name] && exact[name] <= to) held++;
    }
    const spread = 10 * meanAndError(values).error;
    const mean = errors.reduce((sum, one) => sum + one, 0) / errors.length;
    assert.ok(mean > 0.7 * spread && mean < 1.5 * spread, `${name}: ${mean} of ${spread}`);
    assert.ok(held >= 89, `${name}: ${held} of 100`);
  }
});

function meanAndError(values: readonly number[]) {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares) / values.length };
}

Deno.test("the way back is the policy's posterior: a walk's balance is that of its object", async () => {
  const walks = [[7, 1, 2, 8, 9, 4, 10], [7, 8, 9, 0, 10]].map((actions) => ({ actions }));
  const batch = makeBatch(environment, walks);
  const options = { proposals: 256, random: new RandomStream("posterior") };
  const { logPb } = await withThoughtPosterior(policy(), batch, walks, options);
  const { logPf } = await policy().score(batch, { grad: false });
  const expected = await byHand(policy());
  const marginals = [0, 1].map((b) => {
    const row = (values: Float64Array) =>
      values.subarray(b * batch.T, (b + 1) * batch.T).reduce((sum, one) => sum + one, 0);
    return row(logPf) - row(logPb);
  });
  [4, 0].forEach((x, b) => assert.ok(Math.abs(marginals[b] - Math.log(expected[x])) < 0.05));
});

Deno.test("where all tokens are legal but one, scores, samples and gradients are those of the list", async () => {
  const any = thoughtful(lifted, { open: [], close: [8, 9], most: 3 }) as Environment;
  const model = new PathModel(digits.vocabulary, 7);
  const one: Policy = policyOfDigits(any, model);
  const options = { count: 8, random: new RandomStream("any"), epsilon: 0, temperature: 1 };
  const walks = await one.sample(any, options);
  const batch = makeBatch(any, walks);
  const sums = (values: Float64Array) =>
    walks.map((_, b) =>
      values.subarray(b * batch.T, (b + 1) * batch.T).reduce((sum, value) => sum + value, 0)
    );
  const scores = await one.score(batch, { grad: true });
  const listed = await one.logProbabilities(batch);
  const byList = batch.logPrior.map((_, at) => {
    const state = batch.states.index[at];
    if (state < 0) return 0;
    return listed[state][[...batch.states.legal[state]].indexOf(batch.actions[at])];
  });
  sums(scores.logPf).forEach((sum, b) => {
    assert.ok(Math.abs(sum - walks[b].logPf) < 1e-12);
    assert.ok(Math.abs(sum - sums(byList)[b]) < 1e-12);
  });
  const ones = { ...scores, logPf: scores.logPf.map(() => 1) };
  await one.backward(scores, { ...ones, logExit: scores.logPf.map(() => 0) });
  const gradient = model.gradient.slice();
  for (const weight of [3, 20, 117, 140]) {
    const total = async (shift: number) => {
      model.weights[weight] += shift;
      const { logPf } = await one.score(batch, { grad: false });
      model.weights[weight] -= shift;
      return logPf.reduce((sum, value) => sum + value, 0);
    };
    const expected = (await total(1e-5) - await total(-1e-5)) / 2e-5;
    assert.ok(Math.abs(gradient[weight] - expected) < 1e-6, `${gradient[weight]} ${expected}`);
  }
});

for (const thoughts of [0, 4]) {
  Deno.test(`trajectory balance by ${thoughts} thoughts comes to the target of objects`, async () => {
    const target = ownTarget(environment);
    const learner = await createPolicy({ kind: "table" }, environment, "seed 20");
    const options = {
      ...{ objective: "trajectory_balance", steps: 400, batchSize: 16, epsilon: 0.1 },
      settings: { learning_rate: { start: 0.1 }, log_z_learning_rate: 0.1, thoughts },
      random: new RandomStream("seed 20"),
    };
    let logZ = NaN;
    for await (const { metrics } of train(learner, environment, options)) logZ = metrics.log_z;
    const found = evaluateExactly(target, await policyMass(learner, target));
    assert.ok(found.klTargetPolicy < 0.02, `${found.klTargetPolicy}`);
    assert.ok(Math.abs(logZ - target.logZ) < 0.1, `${logZ} ${target.logZ}`);
  });
}
