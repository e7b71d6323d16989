/** A sample of the planted collapses; `deno task torture:certificates` has all. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { certify, explore } from "../../../src/gfn/certificates/mod.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import { importanceEstimates } from "../../../src/gfn/evaluation/importance_estimates.ts";
import { ownLogRewards, ownTarget } from "../../../src/gfn/evaluation/own_target.ts";
import { equalWords } from "./equal_words.ts";
import { type Planted, plantedPolicy } from "./planted_policy.ts";
import { collapses, good } from "./plants.ts";
import { tryPlant } from "./trial.ts";

const optionsOf = (environment: Environment, budget: number, listed: boolean, seed = 1) => ({
  environment,
  ask: (objects: readonly TerminalObject[]) => Promise.resolve(ownLogRewards(environment, objects)),
  budget,
  samples: 1000,
  ...(listed && { objects: [...environment.enumerate()] }),
  random: (name: string) => new RandomStream("certificate", seed, name),
});

/** One of the four corners of the grid of 16 × 16 whose background is 0.001, and next to nothing else. */
function oneCorner(): { readonly environment: Environment; readonly planted: Planted } {
  const spec = { ndim: 2, height: 16, r0: 0.001, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  const isLow = (text: string) => text.slice(1, -1).split(", ").every((x) => Number(x) < 8);
  const planted = plantedPolicy(environment, ({ text, logReward }) => {
    return isLow(text) ? logReward! : logReward! - 13.8;
  });
  return { environment, planted };
}

Deno.test("a collapse whose own walks are sure of themselves: KL .00 where it is 8.98", async (test) => {
  const { environment, planted } = oneCorner();
  assert.ok(planted.totalVariation > 0.74 && Math.abs(planted.klTargetPolicy - 8.98) < 0.1);

  await test.step("what the policy's own walks say, with their errors, is wrong", async () => {
    const random = new RandomStream("own walks");
    const walks = await planted.policy.sample(environment, {
      count: 1000,
      random,
      epsilon: 0,
      temperature: 1,
    });
    const rewards = new Map(
      ownTarget(environment).objects.map((one) => [one.text, one.logReward!]),
    );
    const zeta = walks.map(({ text, logPb, logPf }) => rewards.get(text)! + logPb - logPf);
    const { logZ, euboGap, ess } = importanceEstimates(zeta);
    assert.ok(ess > 990 && Math.abs(euboGap.value) < 0.01 && euboGap.mcse < 0.01);
    assert.ok(planted.logZ - logZ.value > 1.3 && logZ.mcse < 0.01);
  });

  for (const listed of [true, false]) {
    await test.step(`the certificate says so, objects ${listed ? "" : "not "}listed`, async () => {
      const options = optionsOf(environment, 160, listed);
      const { verdict, bounds, evaluations } = await certify(
        planted.policy,
        await explore(options),
        options,
      );
      assert.equal(verdict, "bounded");
      assert.ok(evaluations <= 162);
      assert.ok(bounds.totalVariation.value > (listed ? 0.6 : 0.4));
      assert.ok(bounds.totalVariation.value <= planted.totalVariation);
      assert.ok(bounds.logZ <= planted.logZ && bounds.logZ > planted.logZ - 0.9);
    });
  }
});

Deno.test("what training asked for bounds the policy, costs nothing and accuses it", async () => {
  const { environment, planted } = oneCorner();
  const objects = [...environment.enumerate()];
  const given = objects.map((object) => ({ object, logReward: object.logReward! }));
  const plain = optionsOf(environment, 40, false);
  const without = await certify(planted.policy, await explore(plain), plain);
  const options = { ...plain, given };
  const found = await certify(planted.policy, await explore(options), options);
  assert.equal(found.evaluations, 0);
  assert.equal(found.rewards, 256);
  assert.ok(Math.abs(found.bounds.logZ - planted.logZ) < 1e-9);
  assert.ok(Math.abs(found.bounds.totalVariation.value - planted.totalVariation) < 1e-3);
  assert.ok(without.bounds.totalVariation.value < planted.totalVariation - 0.1);
  const training = found.explorers.find(({ name }) => name === "training")!;
  assert.ok(training.consultsPolicy && training.agreement.foundMissed > 0.5);
});

/** A grid, regressions and strings: the quick ones. */
const sample = [
  collapses.find(({ space, what }) => space.name.startsWith("strings 5") && what === "no E")!,
  collapses.find(({ space, what }) =>
    space.name.includes("8^4 R0 0.01") && what.includes("quarter")
  )!,
];

for (const plant of sample) {
  Deno.test(`${plant.space.name}, ${plant.what}: bounded, by most of what is missing`, async () => {
    const { certificate: { verdict, bounds }, truth, cost } = await tryPlant(plant, {
      seed: 1,
      samples: 1000,
    });
    assert.equal(verdict, "bounded");
    assert.ok(bounds.totalVariation.value <= truth.totalVariation);
    assert.ok(bounds.totalVariation.value >= 0.8 * truth.totalVariation);
    assert.ok(cost <= 0.2001, `${cost}`);
  });
}

Deno.test("a good policy raises no alarm, and the same seed gives the same certificate", async () => {
  const plant = good.find(({ space }) => space.name.includes("8^4 R0 0.01"))!;
  const trying = { seed: 1, samples: 500 };
  const [one, two] = [await tryPlant(plant, trying), await tryPlant(plant, trying)];
  assert.equal(one.certificate.verdict, "consistent");
  assert.deepEqual(one.certificate.bounds, two.certificate.bounds);
  assert.deepEqual(one.certificate.explorers, two.certificate.explorers);
});

Deno.test("an eighth that is missing and nowhere high is proved without a list", async () => {
  const environment = equalWords();
  const planted = plantedPolicy(environment, ({ text }) => text[0] === "b" ? -Infinity : 0);
  assert.ok(Math.abs(planted.totalVariation - 0.125) < 1e-12);
  for (const seed of [0, 1]) {
    const options = optionsOf(environment, 1500, false, seed);
    const found = await certify(planted.policy, await explore(options), options);
    assert.equal(found.verdict, "bounded");
    assert.ok(found.bounds.totalVariation.value > 0.08);
    assert.ok(found.bounds.totalVariation.value <= planted.totalVariation);
    assert.ok(found.missedAtMost > 0.125 && Math.abs(found.estimates.euboGap.value) < 1e-9);
  }
});

Deno.test("one word of 4,096 with half of the target is found by nobody, and the certificate says so", async () => {
  const environment = equalWords((word) => word === "hdbf" ? Math.log(4095) : 0);
  const planted = plantedPolicy(environment, ({ text }) => text === "hdbf" ? -Infinity : 0);
  assert.ok(Math.abs(planted.totalVariation - 0.5) < 1e-12);
  for (const listed of [true, false]) {
    const options = optionsOf(environment, 800, listed, 2);
    const { verdict, unseen } = await certify(planted.policy, await explore(options), options);
    assert.equal(verdict, "consistent");
    assert.ok(unseen.prior > 0.8 && unseen.prior < 1);
    assert.equal(unseen.objects, listed ? Math.round(4096 * unseen.prior) : undefined);
    assert.ok(unseen.draws > 10 && unseen.set > 8 ** -4);
  }
});
