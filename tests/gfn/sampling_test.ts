/** Sampling: frequencies against exact probabilities, exploration, temperature, masks. */
import assert from "node:assert/strict";
import { logPolicy } from "./log_policy.ts";
import { RandomStream } from "../../src/base/random.ts";
import { drawPlace } from "../../src/gfn/policies/behaviour.ts";
import { legalLogSoftmax } from "../../src/gfn/policies/legal_softmax.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { plainObjective } from "./plain_objective.ts";
import { enumeratedTarget, logUniform } from "../../src/gfn/evaluation/exact.ts";
import { train } from "./training.ts";
import { mixedTree } from "./tree_environment.ts";

/** Σ (observed − expected)² / expected. */
function chiSquare(counts: readonly number[], probabilities: readonly number[]): number {
  const total = counts.reduce((sum, n) => sum + n, 0);
  return counts.reduce((sum, n, i) => {
    const expected = total * probabilities[i];
    return sum + (n - expected) ** 2 / expected;
  }, 0);
}

/** The 99.9 % quantile of χ² with 6 degrees of freedom (SciPy 1.17: stats.chi2.ppf(0.999, 6)). */
const CHI_SQUARE_6 = 22.45774;

async function trainedPolicy() {
  const environment = mixedTree();
  const policy = await createPolicy({ kind: "table" }, environment, "sampling");
  const random = new RandomStream("sampling", "training");
  const learningRate = () => 0.1;
  const common = { steps: 10, count: 8, learningRate, random };
  await train(policy, environment, {
    objective: plainObjective("sub_trajectory_balance"),
    ...common,
  });
  return policy;
}

async function frequencies(epsilon: number) {
  const environment = mixedTree();
  const policy = await trainedPolicy();
  const objects = [...environment.enumerate()];
  const target = enumeratedTarget(environment, objects, environment.logRewards());
  const random = new RandomStream("chi-square", epsilon);
  const options = { count: 4000, random, epsilon, temperature: 1 };
  const sampled = await policy.sample(environment, options);
  const counts = objects.map(({ text }) => sampled.filter((x) => x.text === text).length);
  return { counts, target, exact: await logPolicy(policy, target) };
}

Deno.test("objects are sampled as often as the policy says", async () => {
  const { counts, exact } = await frequencies(0);
  assert.ok(chiSquare(counts, [...exact].map(Math.exp)) < CHI_SQUARE_6);
});

Deno.test("with epsilon 1 the behaviour is uniform, and so not the policy", async () => {
  const { counts, exact, target } = await frequencies(1);
  assert.ok(chiSquare(counts, [...logUniform(target)].map(Math.exp)) < CHI_SQUARE_6);
  assert.ok(chiSquare(counts, [...exact].map(Math.exp)) > CHI_SQUARE_6);
});

Deno.test("the softmax is over legal actions only, however large the other logits are", () => {
  const logP = legalLogSoftmax([1e30, 2, 1e30, 2], Int32Array.of(1, 3), 4);
  assert.deepEqual([...logP], [-Math.LN2, -Math.LN2]);
  assert.deepEqual([...legalLogSoftmax([0, 0, 9], "all", 2)], [-Math.LN2, -Math.LN2]);
});

Deno.test("temperature and epsilon change the behaviour as their formula says", () => {
  const logP = legalLogSoftmax([0, 9, 1, 2], Int32Array.of(0, 2, 3), 4);
  const weights = [0, 1, 2].map((x) => Math.exp(x / 0.5));
  const sum = weights.reduce((total, w) => total + w, 0);
  const expected = weights.map((w) => 0.7 * w / sum + 0.1);
  const random = new RandomStream("behaviour");
  const counts = [0, 0, 0];
  for (let i = 0; i < 20000; i++) {
    counts[drawPlace(logP, { epsilon: 0.3, temperature: 0.5 }, random)]++;
  }
  // 99.9 % quantile with 2 degrees of freedom (SciPy 1.17: stats.chi2.ppf(0.999, 2)).
  assert.ok(chiSquare(counts, expected) < 13.81551);
});

Deno.test("a sample carries the policy's log probability, not the behaviour's", async () => {
  const environment = mixedTree();
  const policy = await createPolicy({ kind: "table" }, environment, "untrained");
  const options = { count: 30, random: new RandomStream("log"), epsilon: 0.9, temperature: 3 };
  for (const { actions, logPf, text } of await policy.sample(environment, options)) {
    let [node, expected] = [environment.initialState(), 0];
    for (const action of actions) {
      expected -= Math.log(environment.legalActions(node).filter((legal) => legal === 1).length);
      if (action !== environment.exitAction) node = environment.step(node, action);
    }
    assert.equal(environment.terminal(node).text, text);
    assert.ok(Math.abs(expected - logPf) < 1e-12);
  }
});

Deno.test("top-p draws among the likeliest actions alone, in their proportions", () => {
  const probabilities = [0.1, 0.5, 0.05, 0.3, 0.05];
  const logP = Float64Array.from(probabilities, Math.log);
  const random = new RandomStream("sampling", "nucleus");
  const counts = [0, 0, 0, 0, 0];
  for (let i = 0; i < 4000; i++) {
    counts[drawPlace(logP, { epsilon: 0, temperature: 1, topP: 0.75 }, random)]++;
  }
  assert.deepEqual([counts[0], counts[2], counts[4]], [0, 0, 0]); // 0.5 and 0.3 together reach 0.75
  const error = 5 * Math.sqrt(0.625 * 0.375 / 4000); // of the share that draws have of 5 in 8
  assert.ok(Math.abs(counts[1] / 4000 - 0.625) < error);
  const uniform = { epsilon: 1, temperature: 1, topP: 0.75 };
  const all = new Set(Array.from({ length: 400 }, () => drawPlace(logP, uniform, random)));
  assert.equal(all.size, 5, "exploration is not cut");
});
