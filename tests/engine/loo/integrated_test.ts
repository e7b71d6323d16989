/** Integrated leave-one-out, units and folds against exact answers. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { finish, sampleChains } from "../../../src/engine/mcmc/sample_chains.ts";
import { elpdLoo } from "../../../src/engine/loo/elpd.ts";
import { integratedPosterior } from "../../../src/engine/loo/integrated.ts";
import { assignFolds, kFold } from "../../../src/engine/loo/k_fold.ts";
import { pointwiseLogLikelihood } from "../../../src/engine/loo/posterior.ts";
import { canIntegrate, unitPosterior } from "../../../src/engine/loo/units.ts";
import { fillNormal } from "../../../src/base/math/random_normal.ts";
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
  const found = finish(elpdLoo(eightSchoolsDensity(), settings, budget()));
  assert.ok(found.kind === "ok" && found.method.startsWith("integrated"));
  assert.ok(Math.max(...found.paretoK) < 0.7);
  assert.ok(Math.abs(found.elpdLoo + 30.742) < 3 * found.mcse + 0.03, `${found.elpdLoo}`);
  assert.ok(found.mcse <= 0.05);
});

Deno.test("elpdLoo() leaves whole groups out: the joint density of a group given the others", () => {
  const y = [0.3, -0.2, 0.5, -1.1, 0.4, 2];
  const unitOfRow = [0, 0, 1, 1, 2, 2];
  const settings = { chains: 4, tune: 100, draws: 125, targetMcse: 0.02, seedKey: ["groups"] };
  const found = finish(elpdLoo(normalMeanDensity(y), { ...settings, unitOfRow }, budget()));
  assert.ok(found.kind === "ok");
  assert.equal(found.elpdPointwise.length, 3);
  // log p(a, b | rest) = log p(a | rest) + log p(b | a, rest), each exact.
  const wanted = [[0, 1], [2, 3], [4, 5]].reduce((sum, [a, b]) => {
    const first = exactNormalElpd(y.filter((_, i) => i !== b));
    return sum + first[a - (b < a ? 1 : 0)] + exactNormalElpd(y)[b];
  }, 0);
  assert.ok(Math.abs(found.elpdLoo - wanted) < 4 * found.mcse + 0.01, `${found.elpdLoo} ${wanted}`);
});

Deno.test("a latent is integrated out only where each unit has one for itself", () => {
  const density = eightSchoolsDensity();
  assert.ok(canIntegrate(unitPosterior(density)));
  assert.ok(!canIntegrate(unitPosterior(density, [0, 0, 1, 1, 2, 2, 3, 3])));
  assert.ok(!canIntegrate(unitPosterior(normalMeanDensity([1, 2]))));
});

Deno.test("kFold() scores each observation without its fold", () => {
  const y = Array.from({ length: 12 }, (_, i) => ((i * 5) % 12) / 4 - 1);
  const density = unitPosterior(normalMeanDensity(y));
  const chainSet = chainsOf(density);
  const full = { density, chainSet, logLikelihood: pointwiseLogLikelihood(density, chainSet) };
  const settings = { draws: 250, maxDraws: 250, targetMcse: 0, softLimit: 0 };
  const found = finish(kFold(full, 4, settings, ["fold"], budget()));
  assert.ok(found.kind === "k_fold");
  const foldOf = assignFolds(12, 4, ["fold", "members"]);
  const wanted = y.map((value, i) => {
    const rest = y.filter((_, j) => foldOf[j] !== foldOf[i]);
    return exactNormalElpd([...rest, value])[rest.length];
  });
  const difference = found.pointwise.reduce((sum, value, i) => sum + value - wanted[i], 0);
  assert.ok(Math.abs(difference) < 4 * found.mcse + 1e-6, `${difference} ± ${found.mcse}`);
  for (let i = 0; i < 12; i++) assert.ok(Math.abs(found.pointwise[i] - wanted[i]) < 0.1);
});

Deno.test("assignFolds() makes folds whose sizes differ by one at most", () => {
  const sizes = new Int32Array(10);
  for (const fold of assignFolds(57, 10, ["sizes"])) sizes[fold]++;
  assert.ok(Math.max(...sizes) - Math.min(...sizes) <= 1);
});
