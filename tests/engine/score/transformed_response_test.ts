/** Functions of the response that are observed: one score for a model, however it is written. */
import assert from "node:assert/strict";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { datasetOf } from "../density/data.ts";

const x = Array.from({ length: 20 }, (_, i) => 0.5 + i / 4);
const y = x.map((v, i) => Math.round(100 * v ** 0.6 * (1 + 0.1 * Math.sin(7 * i))) / 100);
const data = datasetOf("grown", { x, y }, 0.01);
const continuous = datasetOf("grown", { x, y });

const program = (likelihood: string, before = "") =>
  `import numpy as np
import pymc as pm
from scipy import special
${before}
with pm.Model() as model:
    a = pm.Normal("a", 0, 1)
    b = pm.Normal("b", 0, 1)
    s = pm.HalfNormal("s", 1)
    mu = a + b * np.log(data["x"])
    ${likelihood}
`;

const logNormal = program('pm.LogNormal("y", mu, s, observed=data["y"])');
const ofLog = program('pm.Normal("y", mu, s, observed=np.log(data["y"]))');

/** Log density and log likelihoods at a point. */
function densities(text: string) {
  const checked = checkProgram(text, data);
  assert.ok(checked.ok, JSON.stringify(checked.ok ? "" : checked.diagnostics));
  const density = compileLogDensity(checked.program, data);
  const at = Float64Array.of(0.3, 0.5, -1.2);
  const terms = new Float64Array(density.observations);
  const cells = new Float64Array(density.observations);
  density.logLikelihood(at, 0, terms, 0);
  density.logCells!(at, 0, cells, 0);
  return { terms, cells };
}

Deno.test("a log-normal regression has the same densities and cells written either way", () => {
  const [direct, logged] = [densities(logNormal), densities(ofLog)];
  for (let i = 0; i < y.length; i++) {
    assert.ok(Math.abs(direct.terms[i] - logged.terms[i]) < 1e-12);
    assert.ok(Math.abs(direct.cells[i] - logged.cells[i]) < 1e-9);
  }
});

Deno.test("a log-normal regression has one score written either way", () => {
  for (const dataset of [data, continuous]) {
    const [one, other] = [logNormal, ofLog].map((text) =>
      scoreNow(text, dataset, defaultSchedule).score!
    );
    assert.ok(Math.abs(one.elpdLoo - other.elpdLoo) < 3 * (one.mcse + other.mcse));
    assert.ok(Math.abs(one.elpdReward - other.elpdReward) < 3 * (one.mcse + other.mcse));
  }
});

const written: readonly [string, string][] = [
  ['(data["y"] - 3) / 2', "mu, s"],
  ['2 * data["y"].values - 1.5', "mu, s"],
  ['-np.asarray(data["y"])', "mu, s"],
  ['1 / data["y"]', "mu, s"],
  ['np.sqrt(data["y"])', "mu, s"],
  ['data["y"] ** 2', "mu, s"],
  ['np.log10(data["y"].to_numpy())', "mu, s"],
  ['np.log1p(data["y"])', "mu, s"],
  ['np.exp(data["y"] / 3)', "mu, s"],
  ['np.power(data["y"], 0.25)', "mu, s"],
  ['special.logit(data["y"] / 100)', "mu, s"],
  ['2.0 ** (-data["y"])', "mu, s"],
];

for (const [observed, args] of written) {
  Deno.test(`a density of ${observed} is one of the response: cells have its mean`, () => {
    const text = program(`pm.Normal("y", ${args}, observed=${observed})`);
    const { terms, cells } = densities(text);
    // Narrow cells have the density at their centre, to second order in their width.
    const fine = datasetOf("grown", { x, y }, 1e-5);
    const checked = checkProgram(text, fine);
    assert.ok(checked.ok);
    const narrow = new Float64Array(y.length);
    compileLogDensity(checked.program, fine).logCells!(
      Float64Array.of(0.3, 0.5, -1.2),
      0,
      narrow,
      0,
    );
    for (let i = 0; i < y.length; i++) {
      assert.ok(Math.abs(narrow[i] - terms[i]) < 1e-6 * (1 + Math.abs(terms[i])), `${i}`);
      assert.ok(Number.isFinite(cells[i]));
    }
  });
}

Deno.test("a variable may hold the transformed response, and the scale it is measured in adds a constant", () => {
  const held = program('pm.Normal("y", mu, s, observed=ly)', 'ly = np.log(data["y"])');
  const [one, other] = [held, ofLog].map((text) => checkProgram(text, data));
  assert.ok(one.ok && other.ok);
  assert.equal(one.program.hash, other.program.hash);
});

const refused: readonly [string, RegExp][] = [
  ['(data["y"] - data["y"].mean()) / data["y"].std()', /statistics of the response are no numbers/],
  ['np.log(data["y"] - 1)', /not invertible at row 1, where "y" is 0\.\d+/],
  ['(data["y"] - 1) ** 2', /not invertible at row/],
  ['data["y"] * 0', /Cannot observe/],
  ['np.sin(data["y"])', /Cannot observe/],
  ['np.clip(data["y"], 0, 1)', /Cannot observe/],
  ['data["y"] - data["x"]', /Cannot observe/],
];

for (const [observed, wanted] of refused) {
  Deno.test(`${observed} is refused`, () => {
    const checked = checkProgram(program(`pm.Normal("y", mu, s, observed=${observed})`), data);
    assert.ok(!checked.ok);
    assert.deepEqual(checked.diagnostics.map(({ code }) => code), ["lh/observed-not-canonical"]);
    const [{ message, hint }] = checked.diagnostics;
    assert.match(`${message}; ${hint}`, wanted);
  });
}

Deno.test("a mass has no slope: counts are observed as they are", () => {
  const text = program('pm.Poisson("y", np.exp(mu), observed=data["y"] * 100)');
  const checked = checkProgram(text, data);
  assert.ok(!checked.ok);
  assert.match(checked.diagnostics[0].message, /a mass has no slope/);
});
