/** Every environment, kind of policy and behaviour of a proposer keeps the laws; planted faults do not. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import {
  builtInEnvironments,
  environmentNamed,
} from "../../src/gfn/environments/built_in_environments.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { builtInPolicyKinds, type PolicyConfig } from "../../src/gfn/policies/config.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { defineProposer } from "../../src/gfn/train/propose/define_proposer.ts";
import { type ProposeOptions, Proposer } from "../../src/gfn/train/propose/proposer.ts";
import type { Trajectory } from "../../src/gfn/trajectories/trajectory.ts";
import { checkEnvironment } from "../../src/gfn/environments/check_environment.ts";
import { treeBatch } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

for (const kind of builtInEnvironments.keys()) {
  Deno.test(`the environment ${kind} keeps the laws of states with its defaults`, () => {
    checkEnvironment(environmentNamed(kind), { walks: 20 });
  });
}

/** An environment with some of its functions changed. */
function changed(change: (one: Environment<number>) => Partial<Environment<number>>): Environment {
  const grid = hypergridEnvironment({ ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 });
  return { ...grid, ...change(grid) } as Environment;
}

const plantedEnvironments: Readonly<Record<string, Environment>> = {
  "a prior that does not sum to 1": changed(({ logPrior }) => ({
    logPrior: (state) => logPrior(state).map((value) => value / 2),
  })),
  "a mask with an action more": changed(({ legalActions }) => ({
    legalActions: (state) => legalActions(state).fill(1),
  })),
  "the reward of another state": changed(({ logReward }) => ({
    logReward: (state) => -logReward!(state),
  })),
  "too few actions": changed(() => ({ maxActions: 1 })),
};
for (const [fault, environment] of Object.entries(plantedEnvironments)) {
  Deno.test(`an environment with ${fault} breaks a law`, () => {
    assert.throws(() => checkEnvironment(environment, { walks: 20 }), InputError);
  });
}

const tree = mixedTree() as Environment;
const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 0.1, r1: 0.5, r2: 2 }) as Environment;

/** Sampled log probabilities are those of the scores, and a step that wants more of an object gives more. */
async function checkPolicy(policy: Policy, environment = tree): Promise<void> {
  const random = new RandomStream("laws", policy.kind);
  const drawn = await policy.sample(environment, { count: 8, random, epsilon: 0, temperature: 1 });
  const batch = treeBatch(environment, drawn.map(({ actions }) => [...actions]));
  const before = await policy.score(batch, { grad: true });
  drawn.forEach(({ logPf }, b) => {
    const sum = before.logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b])
      .reduce((total, one) => total + one, 0);
    assert.ok(Math.abs(sum - logPf) < 1e-4, `log P of a sample ${logPf}, of its scores ${sum}`);
  });
  const pull = (wanted: number) => before.logPf.map((_, at) => at < batch.T ? wanted : 0);
  const zero = new Float64Array(batch.B * batch.T);
  await policy.backward(before, { logPf: pull(-1), logExit: zero, logFlow: zero });
  await policy.step({ learningRate: 0.01, clipNorm: Infinity });
  const after = await policy.score(batch, { grad: false });
  const first = (values: Float64Array) =>
    values.subarray(0, batch.lengths[0]).reduce((total, one) => total + one, 0);
  const gain = first(after.logPf) - first(before.logPf);
  assert.ok(gain > 0, `what is wanted gained ${gain}`);
}

/**
 * Kinds that want a model beside the environment, or a server: `tests/gfn/language_model_policy_test.ts`
 * and `tests/oracle/trainer/trainer_slow.ts` have their laws.
 */
const wantModel = ["language_model", "tinker"];

/** Kinds that are asked about data sets: `tests/gfn/amortised` has their laws. */
const wantPrompts = ["amortised"];

for (const [kind, { refusal }] of builtInPolicyKinds) {
  if (wantModel.includes(kind) || wantPrompts.includes(kind)) continue;
  Deno.test(`the policy ${kind} keeps the laws of policies with its defaults`, async () => {
    const environment = refusal(tree, "") ? grid : tree;
    const policy = await createPolicy({ kind } as PolicyConfig, environment, "laws");
    await checkPolicy(policy, environment);
  });
}

Deno.test("a policy that steps the wrong way, or scores what it did not sample, breaks a law", async () => {
  const planted = async (change: (policy: Policy) => Partial<Policy>) => {
    const policy = await createPolicy({ kind: "table" }, tree, "laws");
    return new Proxy(policy, {
      get: (target, key) => {
        const own = Reflect.get(change(policy), key) ?? Reflect.get(target, key, target);
        return typeof own === "function" ? own.bind(target) : own;
      },
    });
  };
  const backwards = await planted((policy) => ({
    backward: (scores, gradients) =>
      policy.backward(scores, { ...gradients, logPf: gradients.logPf.map((x) => -x) }),
  }));
  await assert.rejects(checkPolicy(backwards), /what is wanted gained -/);
  const deaf = await planted((policy) => ({
    score: async (batch, options) => {
      const scores = await policy.score(batch, options);
      return { ...scores, logPf: scores.logPf.map((x) => x - 1) };
    },
  }));
  await assert.rejects(checkPolicy(deaf), /log P of a sample/);
});

const twoWays = defineProposer({ name: "two", version: 1, propose: () => [[0], [1, 0]] });

/** Every behaviour alone; one that is added to `ProposeOptions` has to be added here. */
const behaviours: { readonly [name in Exclude<keyof ProposeOptions, "memory">]-?: object } = {
  localSearch: { localSearch: { count: 2, rounds: 1, cut: 1, from: "fresh" } },
  particles: { particles: { count: 3, until: 0.5 } },
  teacher: { teacher: { count: 3, mixing: 0.5, missed: 1, learningRate: 0.01 } },
  thompson: { thompson: { count: 3, heads: 2, keep: 0.5, learningRate: 0.01 } },
  broad: { broad: { count: 3 } },
  programs: { programs: { count: 3, ways: [[0], [1, 0]] } },
  own: { own: { definition: twoWays, count: 3, parameters: {} } },
};

/** Proposed ways end where an object is complete, with the policy's own log probability. */
async function checkProposed(policy: Policy, proposed: readonly Trajectory[]): Promise<void> {
  assert.ok(proposed.length > 0, "something is proposed");
  const batch = treeBatch(tree, proposed.map(({ actions }) => [...actions]));
  const { logPf } = await policy.score(batch, { grad: false });
  proposed.forEach(({ actions, logPf: told }, b) => {
    assert.equal(actions.at(-1), tree.exitAction, "a way ends with the exit");
    const sum = logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b])
      .reduce((total, one) => total + one, 0);
    assert.ok(Math.abs(sum - told) < 1e-4, `log P ${told}, of its scores ${sum}`);
  });
}

for (const [name, options] of Object.entries(behaviours)) {
  Deno.test(`the proposer ${name} keeps the laws of proposals`, async () => {
    const policy = await createPolicy({ kind: "table" }, tree, "laws");
    const proposer = new Proposer({ memory: 8, ...options });
    const random = new RandomStream("laws", name);
    for (const fraction of [0, 0.5]) {
      const fresh = await policy.sample(tree, { count: 4, random, epsilon: 0, temperature: 1 });
      const proposed = await proposer.step(policy, tree, fresh, {
        ...{ fraction, random },
        rewards: (objects) => Promise.resolve(objects.map(({ logReward }) => logReward!)),
      });
      assert.equal(Object.keys(proposed).length, 1);
      await checkProposed(policy, Object.values(proposed).flat());
    }
  });
}

Deno.test("a proposal with another log probability breaks a law", async () => {
  const policy = await createPolicy({ kind: "table" }, tree, "laws");
  const random = new RandomStream("laws", "planted");
  const [one] = await policy.sample(tree, { count: 1, random, epsilon: 0, temperature: 1 });
  await assert.rejects(checkProposed(policy, [{ ...one, logPf: one.logPf - 1 }]), /log P /);
});
