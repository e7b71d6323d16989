/** Exact evaluation: divergences by hand, attribution, inclusion, floors, analytic flows. */
import assert from "node:assert/strict";
import { logPolicy } from "./log_policy.ts";
import fc from "fast-check";
import { RandomStream } from "../../src/base/random.ts";
import { divergences, effectiveNumber } from "../../src/gfn/evaluation/divergences.ts";
import {
  enumeratedTarget,
  evaluateExactly,
  inclusionProbabilities,
  logPriorOf,
  logUniform,
} from "../../src/gfn/evaluation/exact.ts";
import { estimateLogZ, logZetas } from "../../src/gfn/trajectories/log_z.ts";
import { optimalFlow, optimalScores } from "../../src/gfn/evaluation/optimal_flow.ts";
import { perfectSamplerFloor } from "../../src/gfn/baselines/perfect_sampler.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { wholeTree } from "./tree_batch.ts";
import { anyTree } from "./tree_arbitrary.ts";
import { mixedTree, threeLeaves } from "./tree_environment.ts";

function close(actual: number, expected: number, tolerance = 1e-12) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, expected ${expected}`);
}

function targetOf(environment = mixedTree()) {
  return enumeratedTarget(environment, [...environment.enumerate()], environment.logRewards());
}

const sum = (values: Iterable<number>) => [...values].reduce((total, x) => total + x, 0);

Deno.test("divergences of (1/2, 1/4, 1/4) from (1/4, 1/4, 1/2) are those worked out by hand", () => {
  const target = [0.5, 0.25, 0.25].map(Math.log);
  const policy = [0.25, 0.25, 0.5].map(Math.log);
  const result = divergences(target, policy);
  close(result.totalVariation, 0.25);
  close(result.klTargetPolicy, Math.log(2) / 4);
  close(result.klPolicyTarget, Math.log(2) / 4);
  // M = (3/8, 1/4, 3/8): both halves are 1/2 log(4/3) + 1/4 log(2/3).
  close(result.jensenShannon, Math.log(4 / 3) / 2 + Math.log(2 / 3) / 4);
  close(result.lostMass, 0);
});

Deno.test("mass on nothing that was enumerated is counted as lost", () => {
  const result = divergences([Math.log(0.5), Math.log(0.5)], [Math.log(0.5), Math.log(0.25)]);
  close(result.lostMass, 0.25);
  close(result.klTargetPolicy, Math.log(2) / 2);
});

Deno.test("an object of probability zero adds nothing to the divergence from it", () => {
  const result = divergences([0, -Infinity], [Math.log(0.5), Math.log(0.5)]);
  close(result.klTargetPolicy, Math.log(2));
  assert.equal(result.klPolicyTarget, Infinity);
  close(result.totalVariation, 0.5);
});

Deno.test("four equal objects have effective number 4", () => {
  close(effectiveNumber(new Float64Array(4).fill(Math.log(0.25))), 4);
});

Deno.test("the target is R / Z, and Z the sum of rewards", () => {
  const target = targetOf(threeLeaves());
  close(target.logZ, Math.log(8));
  [1 / 8, 2 / 8, 5 / 8].forEach((p, x) => close(Math.exp(target.logTarget[x]), p));
});

Deno.test("the prior and the uniform policy sum to 1, and a fresh policy is uniform", async () => {
  const target = targetOf();
  close(sum([...logPriorOf(target)].map(Math.exp)), 1);
  const uniform = logUniform(target);
  close(sum([...uniform].map(Math.exp)), 1);
  const policy = await createPolicy({ kind: "table" }, target.environment, "uniform");
  (await logPolicy(policy, target)).forEach((x, i) => close(x, uniform[i]));
});

Deno.test("the shares of all states sum to both divergences", () => {
  const size = targetOf().objects.length;
  const logits = fc.array(fc.double({ min: -20, max: 20, noNaN: true }), {
    minLength: size,
    maxLength: size,
  });
  fc.assert(fc.property(logits, (values) => {
    const target = targetOf();
    const other = enumeratedTarget(target.environment, target.objects, Float64Array.from(values));
    const result = evaluateExactly(target, other.logTarget, 100);
    const shares = (key: "klTargetPolicy" | "klPolicyTarget") =>
      sum(result.prefixes.map((prefix) => prefix[key]));
    close(shares("klTargetPolicy"), result.klTargetPolicy, 1e-10);
    close(shares("klPolicyTarget"), result.klPolicyTarget, 1e-10);
    for (const prefix of result.prefixes) assert.ok(prefix.klTargetPolicy > -1e-12);
  }));
});

Deno.test("on any tree the prior and the uniform policy sum to 1 and their shares to the divergence", () => {
  fc.assert(fc.property(anyTree, (tree) => {
    const target = targetOf(tree);
    for (const logP of [logPriorOf(target), logUniform(target)]) {
      const result = divergences(target.logTarget, logP);
      close(result.lostMass, 0, 1e-12);
      close(sum(target.tree.attribute(target.logTarget, logP)), result.klTargetPolicy, 1e-10);
      assert.ok(result.totalVariation <= 1 && result.jensenShannon <= Math.LN2 + 1e-12);
      assert.ok(result.klTargetPolicy >= 2 * result.totalVariation ** 2 - 1e-12); // Pinsker
    }
  }));
});

Deno.test("with lost mass the shares and −log of what is left sum to the divergence", () => {
  const target = targetOf();
  const logP = logUniform(target).map((x) => x - 0.3);
  const shares = target.tree.attribute(target.logTarget, logP);
  close(sum(shares) + 0.3, divergences(target.logTarget, logP).klTargetPolicy);
});

Deno.test("a wrong choice is found where it was made, by name", () => {
  const target = targetOf();
  const wrong = target.logReward.slice();
  const [ab, abc] = ["ab", "abc"].map((text) => target.objects.findIndex((x) => x.text === text));
  [wrong[ab], wrong[abc]] = [wrong[abc], wrong[ab]]; // Same sum below, so only one state differs.
  const other = enumeratedTarget(target.environment, target.objects, wrong);
  const { prefixes, klTargetPolicy } = evaluateExactly(target, other.logTarget, 1);
  assert.equal(prefixes[0].name, "a · b");
  assert.deepEqual(prefixes[0].prefix, [1, 2]);
  close(prefixes[0].klTargetPolicy, klTargetPolicy);
});

Deno.test("inclusion probabilities are sums over the objects that have the feature", () => {
  const target = targetOf(threeLeaves());
  const inclusion = inclusionProbabilities(target.objects, target.logTarget);
  assert.deepEqual([...inclusion.keys()], ["a", "b", "c"]);
  close(inclusion.get("c")!, 5 / 8);
});

Deno.test("the floor of a perfect sampler is that of the binomial's mean deviation", () => {
  const target = targetOf(threeLeaves());
  const floor = perfectSamplerFloor(target.logTarget, 400, 300, new RandomStream("floor"));
  // E|Bin(n, p)/n − p| / 2 over p = 1/8, 2/8, 5/8 at n = 400, by de Moivre's formula in SciPy
  // 1.17.1: sum(stats.binom(400, p).expect(lambda k: abs(k / 400 - p)) for p in ps) / 2.
  const expected = 0.024865551306554528;
  const { value, mcse } = floor.totalVariation;
  assert.ok(Math.abs(value - expected) < 4 * mcse, `${value} ± ${mcse}`);
  // E KL(empirical‖target) ≈ (objects − 1) / (2 n).
  const kl = floor.klEmpiricalTarget;
  assert.ok(Math.abs(kl.value - 2 / 800) < 4 * kl.mcse + 1e-5, `${kl.value} ± ${kl.mcse}`);
  close(floor.distinct.value, 3);
});

Deno.test("the estimate of log Z, and that of each trajectory, are exact at the analytic optimum", () => {
  const target = targetOf();
  const batch = wholeTree(mixedTree());
  const scores = optimalScores(optimalFlow(mixedTree()), batch);
  close(estimateLogZ(scores, batch), target.logZ);
  for (const zeta of logZetas(scores, batch)) close(zeta, target.logZ);
});
