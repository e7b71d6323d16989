/** Integrated leave-one-out and units against exact answers. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { elpdLoo } from "../../../src/engine/loo/elpd.ts";
import { integratedPosterior } from "../../../src/engine/loo/integrated.ts";
import { canIntegrate, unitPosterior } from "../../../src/engine/loo/units.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { eightSchoolsDensity, eightSchoolsMarginal } from "../mcmc/eight_schools_density.ts";
import { exactNormalElpd, normalMeanDensity } from "../mcmc/normal_densities.ts";

const budget = () => ({ used: 0, limit: 4_000_000 });
const chainsOf = (density: Parameters<typeof sampleChains>[0]) => {
  const result = finish(
    sampleChains(density, { chains: 4, tune: 100, draws: 125 }, ["units"], budget()),
  );
  assert.ok(result.kind === "chains");
  return result.chainSet;
};

Deno.test("the trapezoidal rule integrates a normal latent out to 1e-6, also far from the mode", () => {
  const density = eightSchoolsDensity();
  const integrated = integratedPosterior(density, chainsOf(density));
  const random = new RandomStream("integral");
  const position = new Float64Array(10);
  const out = new Float64Array(8);
  for (let trial = 0; trial < 50; trial++) {
    fillNormal(random, position);
    position[0] *= 5;
    position[1] = 1 + position[1];
    for (let j = 2; j < 10; j++) position[j] *= 3;
    integrated.logLikelihood(position, 0, out, 0);
    const wanted = eightSchoolsMarginal(position[0], Math.exp(position[1]));
    for (let j = 0; j < 8; j++) {
      assert.ok(Math.abs(out[j] - wanted[j]) < 1e-6, `${out[j]}, not ${wanted[j]}`);
    }
  }
});

Deno.test("elpdLoo() integrates the latents of eight schools out, and needs no refits", () => {
  const settings = { chains: 4, tune: 100, draws: 125, targetMcse: 0.05, seedKey: ["integrated"] };
  const found = finish(elpdLoo(() => eightSchoolsDensity(), settings, budget()));
  assert.ok(found.kind === "ok" && found.method.startsWith("integrated"));
  assert.ok(Math.max(...found.paretoK) < 0.7);
  assert.ok(Math.abs(found.elpdLoo + 30.742) < 3 * found.mcse + 0.03, `${found.elpdLoo}`);
  assert.ok(found.mcse <= 0.05);
});

Deno.test("elpdLoo() leaves whole groups out: the joint density of a group given the others", () => {
  const y = [0.3, -0.2, 0.5, -1.1, 0.4, 2];
  const unitOfRow = [0, 0, 1, 1, 2, 2];
  const settings = { chains: 4, tune: 100, draws: 125, targetMcse: 0.02, seedKey: ["groups"] };
  const found = finish(elpdLoo(() => normalMeanDensity(y), { ...settings, unitOfRow }, budget()));
  assert.ok(found.kind === "ok");
  assert.equal(found.elpdPointwise.length, 3);
  // log p(a, b | rest) = log p(a | rest) + log p(b | a, rest), each exact.
  const wanted = [[0, 1], [2, 3], [4, 5]].reduce((sum, [a, b]) => {
    const first = exactNormalElpd(y.filter((_, i) => i !== b));
    return sum + first[a - (b < a ? 1 : 0)] + exactNormalElpd(y)[b];
  }, 0);
  assert.ok(Math.abs(found.elpdLoo - wanted) < 4 * found.mcse + 0.01, `${found.elpdLoo} ${wanted}`);
});

Deno.test("a latent is integrated out only where no two units see one element", () => {
  const density = eightSchoolsDensity();
  assert.ok(canIntegrate(unitPosterior(density)));
  assert.ok(canIntegrate(unitPosterior(density, [0, 0, 1, 1, 2, 2, 3, 3])));
  assert.ok(!canIntegrate(unitPosterior(normalMeanDensity([1, 2]))));
});
