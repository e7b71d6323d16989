/** Particles from the prior: jumps and modes that no chain leaves, compared with closed forms and quadrature. */
import assert from "node:assert/strict";
import { lgamma } from "../../../src/numerics/math/gamma.ts";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { particlesLoo } from "../../../src/engine/loo/particles_loo.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const year = Float64Array.of(0, 0.4, 1.1, 1.9, 2.2, 3, 3.7, 4.1, 5);
const count = Float64Array.of(12, 9, 14, 11, 3, 13, 2, 4, 1);
const columns: readonly Column[] = [
  { name: "year", role: "predictor", type: "real", values: year },
  { name: "C", role: "response", type: "count", values: count },
];
const data = makeDataset("changes", [...columns]);
const text = `import pymc as pm

with pm.Model() as model:
    switch = pm.Uniform("switch", lower=0, upper=5)
    early = pm.Exponential("early", 1 / 10)
    late = pm.Exponential("late", 1 / 10)
    rate = pm.math.switch(switch >= data["year"], early, late)
    pm.Poisson("C", rate, observed=data["C"])
`;

/** log p(y) of Poisson counts with one rate, which has an exponential prior of mean ten. */
function logRun(counts: readonly number[]): number {
  const sum = counts.reduce((a, b) => a + b, 0);
  const factorials = counts.reduce((all, one) => all + lgamma(one + 1), 0);
  return Math.log(0.1) + lgamma(sum + 1) - (sum + 1) * Math.log(counts.length + 0.1) - factorials;
}

/** log p(y) of some rows: the change is between two years, or behind them, as likely as these are far apart. */
function logEvidence(rows: readonly number[]): number {
  let all = 0;
  for (let k = 0; k + 1 < year.length; k++) {
    const early = rows.filter((i) => year[i] <= year[k]).map((i) => count[i]);
    const late = rows.filter((i) => year[i] > year[k]).map((i) => count[i]);
    all += (year[k + 1] - year[k]) / 5 * Math.exp(logRun(early) + logRun(late));
  }
  return Math.log(all);
}

const all = [...year.keys()];
const exact = all.map((i) => logEvidence(all) - logEvidence(all.filter((k) => k !== i)));
const total = exact.reduce((a, b) => a + b, 0);

function densityOf(program: string, about: typeof data) {
  const checked = checkProgram(program, about);
  assert.ok(checked.ok);
  return compileLogDensity(checked.program, about);
}

const goal = { seedKey: ["particles"], targetMcse: 0.5 };
const estimate = (limit = 2e6) =>
  finish(particlesLoo(densityOf(text, data), goal, { used: 0, limit }));

Deno.test("a free change point: every row is within its error of the closed form", () => {
  const found = estimate()!;
  assert.ok(found.mcse < 0.3, `${found.mcse}`);
  assert.ok(Math.abs(found.raw - total) < 4 * found.mcse, `${found.raw - total}`);
  found.pointwise.forEach((one, i) => assert.ok(Math.abs(one - exact[i]) < 0.3, `${i}: ${one}`));
  assert.ok(found.shapes.every((k) => k === 0));
});

Deno.test("the same key gives the same bits; a small budget gives nothing", () => {
  assert.deepEqual(estimate()!.pointwise, estimate()!.pointwise);
  assert.equal(estimate(50_000), undefined);
});

Deno.test("a program whose change point no chain moves scores by particles", () => {
  const { status, score } = scoreNow(text, data, { ...defaultSchedule, targetMcse: 0.3 });
  assert.equal(status, "ok");
  assert.equal(score!.looMethod, "particles");
  assert.ok(Math.abs(score!.elpdLoo - total) < 4 * score!.mcse, `${score!.elpdLoo - total}`);
});

const distances = Float64Array.of(1.9, 2.1, 2.2, 1.8, 2.05, 1.95, 2.3, 1.7);
const apart = makeDataset("distances", [
  { name: "y", role: "response", type: "real", values: distances, resolution: 0.05 },
]);

/** log p(y, a) of the rows that are not skipped. */
function logJoint(a: number, skipped: number): number {
  const each = (y: number) => -0.5 * ((y - Math.abs(a)) / 0.2) ** 2 - Math.log(0.2);
  const rest = distances.filter((_, i) => i !== skipped);
  return rest.reduce(
    (sum, y) => sum + each(y) - 0.5 * Math.log(2 * Math.PI),
    -0.5 * (a - 0.3) ** 2,
  );
}

const grid = Array.from({ length: 4001 }, (_, k) => (k - 2000) / 400);
const summed = (skipped = -1) =>
  Math.log(grid.reduce((sum, a) => sum + Math.exp(logJoint(a, skipped)), 0));

Deno.test("two modes that are apart keep their shares, and what cells are worth is next to nothing", () => {
  const program = `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0.3, 1)
    pm.Normal("y", pm.math.abs(a), 0.2, observed=data["y"])
`;
  const budget = { used: 0, limit: 2e6 };
  const found = finish(particlesLoo(densityOf(program, apart), goal, budget))!;
  const quadrature = distances.reduce((sum, _, i) => sum + summed() - summed(i), 0);
  assert.ok(Math.abs(found.raw - quadrature) < 4 * found.mcse, `${found.raw - quadrature}`);
  assert.ok(found.mcse < 0.1, `${found.mcse}`);
  const gain = found.gains!.pointwise.reduce((a, b) => a + b, 0);
  assert.ok(Math.abs(gain) < 0.02 && found.gains!.mcse < 0.01, `${gain}`);
});
