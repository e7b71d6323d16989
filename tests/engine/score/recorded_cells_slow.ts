/** Rewards of recorded data: combs earn what their curve earns, and every method has the exact cell. */
import assert from "node:assert/strict";
import { log } from "../../../src/numerics/math/elementary.ts";
import { logNormalInterval } from "../../../src/numerics/math/normal_interval.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { elpdLoo, type ElpdResult } from "../../../src/engine/loo/elpd.ts";
import { estimateElpd } from "../../../src/engine/loo/estimate.ts";
import { mixtureLoo } from "../../../src/engine/loo/mixture.ts";
import { refitBad } from "../../../src/engine/loo/refits.ts";
import { unitPosterior } from "../../../src/engine/loo/units.ts";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { datasetOf, dugongs } from "../density/data.ts";
import { elpdByChains } from "../loo/elpd_by_chains.ts";

const growth = (likelihood: string) =>
  `import numpy as np
import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 1.7, 0.5)
    b = pm.HalfNormal("b", 1)
    s = pm.Exponential("s", 10)
    mu = a + b * np.log(data["age"])
    ${likelihood}
`;
const comb = (start: string, sigma: string) =>
  growth(`g = ${start} + 0.01 * np.arange(150)
    w = pm.math.softmax(-0.5 * ((g[None, :] - mu[:, None]) / s) ** 2, axis=1)
    pm.NormalMixture("length", w=w, mu=g, sigma=${sigma}, observed=data["length"])`);
const recorded = dugongs(0.01);
const honest = scoreNow(
  growth('pm.Normal("length", mu, s, observed=data["length"])'),
  recorded,
  defaultSchedule,
).score!;

const combs: readonly [string, string][] = [
  ["1.5", "1e-4"],
  ["1.5", "4e-4"],
  ["1.50003", "1e-4"],
  ["1.5", "1e-8"],
];

for (const [start, sigma] of combs) {
  Deno.test(`a comb of teeth ${sigma} wide from ${start} on earns what its curve earns`, () => {
    const { score } = scoreNow(comb(start, sigma), recorded, defaultSchedule);
    assert.ok(score!.elpdLoo > honest.elpdLoo + 50, `${score!.elpdLoo}`);
    const error = 3 * (honest.rewardMcse! + score!.rewardMcse!) + 0.02; // sums over teeth, not integrals
    assert.ok(Math.abs(score!.elpdReward - honest.elpdReward) < error, `${score!.elpdReward}`);
  });
}

Deno.test("a narrow cell changes next to nothing, and a reward is the sum of its terms", () => {
  assert.ok(Math.abs(honest.elpdReward - honest.elpdLoo) < 0.01);
  const sum = honest.rewardPointwise!.reduce((all, one) => all + one, 0);
  assert.ok(Math.abs(sum - honest.elpdReward) < 1e-12);
  assert.ok(honest.rewardMcse! >= honest.mcse);
  const plain = scoreNow(
    growth('pm.Normal("length", mu, s, observed=data["length"])'),
    dugongs(),
    defaultSchedule,
  ).score!;
  assert.deepEqual([plain.rewardPointwise, plain.rewardMcse], [undefined, undefined]);
  assert.equal(plain.elpdReward, plain.elpdLoo);
});

const step = 1.5;
const calm = [0.3, -0.2, 0.5, -1.1, 0.9, 1.4, -0.7, 0.1];
const strange = [0.3, -0.2, 0.5, -1.1, 4.5, -5, 3.9, 0.1];

/** log P(y in its cell | others) − log step, the others being a sample of a normal mean. */
function exactCell(y: number, others: readonly number[]): number {
  const precision = 1 / 9 + others.length;
  const mean = others.reduce((sum, one) => sum + one, 0) / precision;
  const root = Math.sqrt(1 + 1 / precision);
  return logNormalInterval((y - step / 2 - mean) / root, (y + step / 2 - mean) / root) - log(step);
}

const exactCells = (ys: readonly number[]) =>
  ys.map((y, i) => exactCell(y, ys.filter((_, k) => k !== i)));

function posteriorOf(ys: readonly number[]) {
  const data = datasetOf("coarse", { y: ys }, step);
  const text = `import pymc as pm
with pm.Model() as model:
    mu = pm.Normal("mu", 0, 3)
    pm.Normal("y", mu, 1, observed=data["y"])
`;
  const checked = checkProgram(text, data);
  assert.ok(checked.ok);
  return unitPosterior(compileLogDensity(checked.program, data));
}

const settings = { chains: 4, tune: 100, draws: 250, targetMcse: 0.02, seedKey: ["cells"] };
const budget = () => ({ used: 0, limit: 1e6 });

function assertCells(found: Extract<ElpdResult, { kind: "ok" }>, ys: readonly number[]) {
  const exact = exactCells(ys).reduce((sum, one) => sum + one, 0);
  const reward = found.elpdLoo + found.gains!.pointwise.reduce((sum, one) => sum + one, 0);
  const error = found.mcse + found.gains!.mcse;
  assert.ok(Math.abs(reward - exact) < 4 * error + 0.01, `${found.method}: ${reward}, ${exact}`);
  assert.ok(error < 0.2, `${error}`);
}

Deno.test("importance draws have the exact cells of a coarse recording", () => {
  for (const ys of [calm, strange]) {
    const found = finish(elpdLoo(() => posteriorOf(ys), settings, budget()));
    assert.ok(found.kind === "ok" && found.method === "importance");
    assertCells(found, ys);
  }
});

Deno.test("chains have them, smoothed or replaced", () => {
  for (const ys of [calm, strange]) {
    const found = finish(elpdByChains(posteriorOf(ys), settings, budget()));
    assert.ok(found.kind === "ok" && found.method !== "importance");
    assertCells(found, ys);
  }
});

function estimated(ys: readonly number[]) {
  const density = posteriorOf(ys);
  const chains = finish(sampleChains(density, settings, ["cells"], budget()));
  assert.ok(chains.kind === "chains");
  return { density, estimate: estimateElpd(density, chains.chainSet) };
}

Deno.test("draws of a mixture of leave-one-out posteriors have them", () => {
  const { density, estimate } = estimated([...calm, 2.4]);
  const found = finish(mixtureLoo(density, estimate, settings, budget()));
  const exact = exactCells([...calm, 2.4]);
  found!.gains!.pointwise.forEach((gain, i) =>
    assert.ok(Math.abs(found!.pointwise[i] + gain - exact[i]) < 0.02, `${i}`)
  );
});

Deno.test("refits have them by the bridge, also of rows that lie far out", () => {
  const far = [0.3, -0.2, 0.5, -1.1, 11, -11, 10, -10];
  const { estimate } = estimated(far);
  const found = finish(refitBad(estimate, settings, budget(), 8));
  assert.ok(found.done.length >= 4);
  const exact = exactCells(far);
  for (const i of found.done) {
    const reward = found.pointwise[i] + found.gains!.pointwise[i];
    const error = 0.15 + 4 * found.gains!.mcse; // ten standard deviations out
    assert.ok(Math.abs(reward - exact[i]) < error, `${i}: ${reward}, ${exact[i]}`);
  }
  assert.ok(found.gains!.mcse < 0.3, `${found.gains!.mcse}`);
});

/** Cells of y ~ N(0, C), each given the others, by elimination. */
function conditionalCells(ys: readonly number[], covariance: number[][], width: number): number[] {
  const n = ys.length;
  const rows = covariance.map((row, i) => [...row, ...row.map((_, k) => k === i ? 1 : 0)]);
  for (let k = 0; k < n; k++) {
    const pivot = rows[k][k];
    rows[k] = rows[k].map((x) => x / pivot);
    for (let i = 0; i < n; i++) {
      const factor = rows[i][k];
      if (i !== k) rows[i] = rows[i].map((x, j) => x - factor * rows[k][j]);
    }
  }
  const precision = rows.map((row) => row.slice(n));
  return ys.map((y, i) => {
    const weighted = precision[i].reduce((sum, q, k) => sum + q * ys[k], 0);
    const root = Math.sqrt(precision[i][i]);
    const mean = y - weighted / precision[i][i];
    const [low, high] = [y - width / 2 - mean, y + width / 2 - mean];
    return logNormalInterval(low * root, high * root) - log(width);
  });
}

const ordered = { ...defaultSchedule, rows: "ordered" } as const;
const steps = [0.3, 0.5, 0.1, 0.9, 1.3, 1.0, 0.7, 1.9, 2.2, 1.8];

Deno.test("a walk in closed form has the cells of conditional normal distributions", () => {
  for (const noise of [0.001, 0.3]) {
    const text = `import pymc as pm
with pm.Model() as model:
    u = pm.Normal("u", 0, 1, shape=10)
    pm.Normal("y", pm.math.cumsum(u), ${noise}, observed=data["y"])
`;
    const { score } = scoreNow(text, datasetOf("walk", { y: steps }, 0.1), ordered);
    const covariance = steps.map((_, i) =>
      steps.map((_, k) => Math.min(i, k) + 1 + (i === k ? noise * noise : 0))
    );
    const exact = conditionalCells(steps, covariance, 0.1);
    assert.equal(score!.looMethod, "gaussian");
    exact.forEach((one, i) => assert.ok(Math.abs(score!.rewardPointwise![i] - one) < 1e-8, `${i}`));
  }
});

Deno.test("one normal vector of all rows has the same cells", () => {
  const text = `import numpy as np
import pymc as pm
with pm.Model() as model:
    i = np.arange(10.0)
    K = np.exp(-0.5 * ((i[:, None] - i[None, :]) / 2) ** 2) + 0.1 * np.eye(10)
    pm.MvNormal("y", mu=np.zeros(10), cov=K, observed=data["y"])
`;
  const { score, diagnostics } = scoreNow(
    text,
    datasetOf("field", { y: steps }, 0.1),
    ordered,
  );
  assert.ok(score, JSON.stringify(diagnostics));
  const covariance = steps.map((_, i) =>
    steps.map((_, k) => Math.exp(-0.125 * (i - k) ** 2) + (i === k ? 0.1 : 0))
  );
  const exact = conditionalCells(steps, covariance, 0.1);
  exact.forEach((one, i) => assert.ok(Math.abs(score.rewardPointwise![i] - one) < 1e-6, `${i}`));
});

Deno.test("a latent of each row that follows its datum is worth its prior's cell", () => {
  const y = [0.31, -0.22, 0.54, -1.13, 0.9, 1.42];
  for (const noise of [1e-6, 0.3]) {
    const text = `import pymc as pm
with pm.Model() as model:
    u = pm.StudentT("u", nu=30, mu=0, sigma=1, shape=6)
    pm.Normal("y", u, ${noise}, observed=data["y"])
`;
    const { score, diagnostics } = scoreNow(text, datasetOf("own", { y }, 0.01), defaultSchedule);
    assert.ok(score, JSON.stringify(diagnostics));
    const away = Math.abs(score.elpdReward - score.elpdLoo);
    assert.ok(away < 2 * score.rewardMcse! + 0.001, `${away} ${score.rewardMcse}`);
    // Edges of cells that are wide beside the noise are kinks of what is integrated, and others are not.
    assert.equal(score.rewardMcse! > 2 * score.mcse + 0.001, noise < 0.01, `${score.rewardMcse}`);
  }
});

Deno.test("a discrete variable that is summed out leaves cells with their sum", () => {
  const y = [0.1, 0.2, 3.1, 2.9, 0.0, 3.0];
  const two = (likelihood: string) =>
    `import pymc as pm
with pm.Model() as model:
    m = pm.Normal("m", 0, 1)
    ${likelihood}
`;
  const summed = two(`z = pm.Bernoulli("z", 0.4, shape=6)
    pm.Normal("y", m + 3 * z, 0.5, observed=data["y"])`);
  const mixed = two(
    'pm.NormalMixture("y", w=[0.6, 0.4], mu=pm.math.stack([m, m + 3]), sigma=0.5, observed=data["y"])',
  );
  const data = datasetOf("two", { y }, 0.1);
  const [one, other] = [summed, mixed].map((text) => scoreNow(text, data, defaultSchedule).score!);
  const error = 3 * (one.rewardMcse! + other.rewardMcse!) + 1e-3;
  assert.ok(Math.abs(one.elpdReward - other.elpdReward) < error);
});
