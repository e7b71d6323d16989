/** Calibration of the reported Monte Carlo error of ELPD-LOO: its spread over 400 seeds. */
import assert from "node:assert/strict";
import { logistic, poisson } from "../../../bench/engine_programs.ts";
import type { Dataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { elpdLoo } from "../../../src/engine/loo/elpd.ts";
import { columnsOf } from "../../../src/engine/inference/predict/draws.ts";
import { rowLatent } from "../../../src/engine/inference/predict/row_latent.ts";
import { dugongs } from "../density/data.ts";
import { schools } from "../score/schools.ts";

const seeds = 400;
const schedule = { chains: 4, tune: 100, draws: 125, targetMcse: 0.05 };

const growth = `import pymc as pm

with pm.Model() as model:
    alpha = pm.Normal("alpha", 0, 1000)
    beta = pm.Normal("beta", 0, 1000)
    lam = pm.Uniform("lam", 0.5, 1)
    tau = pm.Gamma("tau", 1e-4, 1e-4)
    mu = alpha - beta * lam ** data["age"]
    pm.Normal("length", mu=mu, sigma=tau ** -0.5, observed=data["length"])
`;
const effects = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfCauchy("tau", 5)
    z = pm.Normal("z", 0, 1, shape=8)
    pm.Normal("y", mu=mu + tau * z, sigma=data["sigma"], observed=data["y"])
`;

function checked(text: string, data: Dataset): CheckedProgram {
  const result = checkProgram(text, data);
  assert.ok(result.ok);
  return result.program;
}

/** Mean and spread of ELPD over seeds, and the root mean square of what each run reports. */
function repeat(program: CheckedProgram, data: Dataset) {
  const density = compileLogDensity(program, data, { latent: rowLatent(program, columnsOf(data)) });
  const values: number[] = [];
  let squaredError = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const settings = { ...schedule, seedKey: ["long", seed] };
    const result = finish(elpdLoo(() => density, settings, { used: 0, limit: 2_000_000 }));
    assert.ok(result.kind === "ok" && result.mcse <= 0.055);
    values.push(result.elpdLoo);
    squaredError += result.mcse * result.mcse / seeds;
  }
  const mean = values.reduce((a, b) => a + b) / seeds;
  const square = values.reduce((a, b) => a + (b - mean) * (b - mean), 0) / (seeds - 1);
  return { mean, sd: Math.sqrt(square), mcse: Math.sqrt(squaredError) };
}

const cases = [
  // 27 two-dimensional quadratures; long chains; the last two from 6 × 6,000 draws.
  ["dugongs", checked(growth, dugongs()), dugongs(), 22.525],
  ["eight schools, not centred", checked(effects, schools), schools, -30.742],
  ["a cubic Poisson regression over 40 years", poisson().program, poisson().dataset, -72.93],
  ["logistic regression, 200 × 10", logistic(200).program, logistic(200).dataset, -148.275],
] as const;

for (const [name, program, data, truth] of cases) {
  Deno.test(`the error of ELPD is the spread over ${seeds} seeds within 15 %: ${name}`, () => {
    const { mean, sd, mcse } = repeat(program, data);
    console.log(
      `${name}: mean ${mean.toFixed(3)}, spread ${sd.toFixed(4)}, reported ${mcse.toFixed(4)}`,
    );
    assert.ok(sd < 1.15 * mcse && mcse < 1.15 * sd, `spread ${sd}, reported ${mcse}`);
    assert.ok(Math.abs(mean - truth) < 0.02, `mean ${mean}, not ${truth}`);
  });
}
