/** Latents of rows, integrated out: the parametrisation of the hierarchy must not matter. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { sampleForDraws } from "../../../src/engine/loo/elpd.ts";
import { elpdByChains, elpdOf } from "../loo/elpd_by_chains.ts";
import { integratedPosterior } from "../../../src/engine/loo/integrated.ts";
import { rhatOfFewDraws } from "../../../src/engine/loo/rhat_limits.ts";
import { thresholds } from "../../../src/engine/loo/thresholds.ts";
import { rowLatent } from "../../../src/engine/inference/predict/row_latent.ts";
import { columnsOf } from "../../../src/engine/inference/predict/draws.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { assertClose } from "../density/closeness.ts";
import { hierarchyText, schools } from "./schools.ts";

function integrated(text: string) {
  const checked = checkProgram(text, schools);
  assert.ok(checked.ok);
  const latent = rowLatent(checked.program, columnsOf(schools));
  const density = compileLogDensity(checked.program, schools, { latent });
  const options = { chains: 4, tune: 50, draws: 50 };
  const result = finish(sampleChains(density, options, ["latents"], { used: 0, limit: 1e6 }));
  assert.ok(result.kind === "chains");
  const names = checked.program.parameters.map(({ name }) => name);
  return { names, posterior: integratedPosterior(density, result.chainSet) };
}

/** Integrated log likelihoods where every latent has the same value. */
function valuesAt({ names, posterior }: ReturnType<typeof integrated>, at: Record<string, number>) {
  const position = names.flatMap((name) =>
    name in at ? [at[name]] : new Array<number>(8).fill(at.latent)
  );
  const out = new Float64Array(8);
  posterior.logLikelihood(Float64Array.from(position), 0, out, 0);
  return out;
}

for (const distribution of ["Laplace", "StudentT", "Normal"] as const) {
  Deno.test(`the integral over ${distribution} latents is that of the other parametrisation, at all scales`, () => {
    const centred = integrated(hierarchyText(distribution, "centred"));
    const other = integrated(hierarchyText(distribution, "non-centred"));
    for (const [mu, tau] of [[4, 2], [-5, 0], [8, -2], [0, -4]]) {
      const a = valuesAt(centred, { mu, tau, latent: mu });
      const b = valuesAt(other, { mu, tau, latent: 0 });
      for (let i = 0; i < 8; i++) {
        assertClose(a[i], b[i], distribution === "Laplace" ? 3e-3 : 1e-5, `${mu}, ${tau}`);
      }
    }
  });
}

/** Twenty measurements of as many things: spread and noise are known together, not apart. */
// deno-fmt-ignore
const y = [
  1.7, 0.2, 2.4, 0.9, 1.1, -0.6, 1.9, 2.8, 0.4, 1.3,
  1.5, 0.1, 2.1, -0.2, 1, 0.7, 3.1, 1.2, 1.6, 0.5,
];
const measurements = makeDataset("measurements", [
  { name: "y", role: "response", type: "real", values: Float64Array.from(y) },
]);

function scoreOf(likelihood: string) {
  const text = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfNormal("tau", 2)
    s = pm.HalfNormal("s", 1)
${likelihood}
`;
  const { score } = scoreNow(text, measurements, { ...defaultSchedule, targetMcse: 0.05 });
  assert.ok(score);
  return score;
}

Deno.test("latents of which chains do not mix score as the closed form without them", () => {
  const latent = scoreOf(`    z = pm.Normal("z", 0, 1, shape=20)
    pm.Normal("y", mu + tau * z, s, observed=data["y"])`);
  const closed = scoreOf(
    `    pm.Normal("y", mu, pm.math.sqrt(tau ** 2 + s ** 2), observed=data["y"])`,
  );
  assert.equal(latent.looMethod, "gaussian");
  assert.equal(latent.rhatMax, undefined);
  const error = Math.hypot(latent.mcse, closed.mcse);
  assert.ok(Math.abs(latent.elpdLoo - closed.elpdLoo) < 3 * error, `${latent.elpdLoo}`);
});

Deno.test("chains of many latents are drawn on until all have mixed, and well if draws are wanted", () => {
  const values = Float64Array.from({ length: 400 }, (_, i) => y[i % 20] + y[(i * 7) % 19] - 1);
  const data = makeDataset("many", [{ name: "y", role: "response", type: "real", values }]);
  const checked = checkProgram(
    `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 2)
    z = pm.Normal("z", 0, 1, shape=400)
    pm.Normal("y", mu + z, 1, observed=data["y"])
`,
    data,
  );
  assert.ok(checked.ok);
  const latent = rowLatent(checked.program, columnsOf(data));
  const density = compileLogDensity(checked.program, data, { latent });
  const settings = { ...defaultSchedule, targetMcse: 0.5, seedKey: ["many"] };
  const found = finish(elpdByChains(density, settings, { used: 0, limit: 1e6 }));
  assert.ok(found.kind === "ok" && found.method === "integrated", found.kind);
  assert.ok(found.sampled!.rhatMax <= thresholds.mixedRhat);
  const drawn = finish(sampleForDraws(density, settings, { used: 0, limit: 1e6 }));
  assert.ok(!("kind" in drawn) && drawn.rhatMax <= rhatOfFewDraws(1.02, 401));
});

/** Six groups of four measurements. */
const groups = makeDataset("groups", [
  {
    ...{ name: "g", role: "group", type: "count" },
    values: Float64Array.from({ length: 24 }, (_, i) => Math.floor(i / 4)),
  },
  {
    ...{ name: "y", role: "response", type: "real" },
    // deno-fmt-ignore
    values: Float64Array.of(
      4.43, 4.47, 3, 3.86, 1.77, 0.83, 1.19, 1.55, 2.78, 2.53, 2.81, 2.57,
      0.94, 1.89, 1.3, 1.01, 1.59, 2.17, 1.56, 2.64, 0.62, 1.41, 1.11, 1.39,
    ),
  },
]);

/**
 * log p(y_g | y_-g) by NumPy 2.4.6 on a grid of 401 × 241 × 149 values of μ, log τ and log s, the
 * effects integrated out in closed form.
 */
const withoutGroup = [-8.2943, -3.934, -2.97, -4.0737, -4.4, -3.8486];

for (const [how, estimate] of [["importance draws", elpdOf], ["chains", elpdByChains]] as const) {
  Deno.test(`whole groups with an effect each are left out: by ${how}, as by quadrature`, () => {
    const checked = checkProgram(
      `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfNormal("tau", 2)
    s = pm.HalfNormal("s", 1)
    z = pm.Normal("z", mu, tau, shape=6)
    pm.Normal("y", z[data["g"]], s, observed=data["y"])
`,
      groups,
    );
    assert.ok(checked.ok);
    const latent = rowLatent(checked.program, columnsOf(groups));
    const density = compileLogDensity(checked.program, groups, { latent });
    const unitOfRow = groups.columns[0].values;
    const settings = { ...defaultSchedule, targetMcse: 0.05, seedKey: [how], unitOfRow };
    const found = finish(estimate(density, settings, { used: 0, limit: 1e6 }));
    assert.ok(found.kind === "ok" && found.method.startsWith("integrated"), found.kind);
    const exact = withoutGroup.reduce((a, b) => a + b);
    assert.ok(Math.abs(found.elpdLoo - exact) < 3 * found.mcse, `${found.elpdLoo}`);
    found.elpdPointwise.forEach((value, g) => {
      assert.ok(Math.abs(value - withoutGroup[g]) < 3 * found.mcse, `group ${g}: ${value}`);
    });
  });
}
