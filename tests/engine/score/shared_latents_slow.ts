/** Latents that rows share, integrated out: against quadrature, and against draws of the latents. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { elpdByChains, elpdOf } from "../loo/elpd_by_chains.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { columnsOf } from "../../../src/engine/inference/predict/draws.ts";
import { rowLatent } from "../../../src/engine/inference/predict/row_latent.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const groupOf = (rows: number, size: number) =>
  Float64Array.from({ length: rows }, (_, i) => Math.floor(i / size));

/** Fifteen groups of three. */
// deno-fmt-ignore
const y = Float64Array.of(
  -0.51, 0.64, -0.12, -0.26, -0.17, -0.32, 1.64, 1.21, 0.84, 2.21, 2.5, 0.77, 2.46, 1.95, 2.51,
  0.71, 1.62, 1.58, 0.73, 0.21, 0.67, -0.05, -0.23, 0.87, 1.47, 3.07, 2.75, 1.74, 3.33, 2.36,
  1.8, 1.8, 0.38, 0.1, 0.09, 0.94, -0.29, 1.06, -0.23, 2.87, 2.51, 4.11, 2.1, 3.41, 2.15,
);
const measurements = makeDataset("measurements", [
  { name: "g", role: "predictor", type: "count", values: groupOf(45, 3) },
  { name: "y", role: "response", type: "real", values: y },
]);

/**
 * log p(y_i | y_-i) by NumPy 2.4.6 on a grid of 241 × 321 × 121 values of μ, log τ and log s, the
 * effects integrated out in closed form; half as many values give the same five places.
 */
// deno-fmt-ignore
const withoutRow = [
  -1.4255, -1.10262, -0.82542, -0.76627, -0.72355, -0.80937, -0.95684, -0.69609, -0.9532,
  -1.01513, -1.58421, -2.43546, -0.81681, -0.7951, -0.86445, -1.27505, -0.85687, -0.81827,
  -0.71541, -0.97758, -0.7009, -0.92899, -1.20273, -1.20283, -1.90847, -1.67733, -1.02984,
  -1.31759, -2.3393, -0.70214, -1.06423, -1.06423, -2.21762, -0.9381, -0.95076, -1.04518,
  -1.28919, -1.67527, -1.17641, -0.72239, -1.04243, -3.00308, -0.86118, -2.38176, -0.81358,
];

const centred = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    tau = pm.HalfNormal("tau", 2)
    s = pm.HalfNormal("s", 1)
    z = pm.Normal("z", mu, tau, shape=15)
    pm.Normal("y", z[data["g"]], s, observed=data["y"])
`;

for (
  const [how, estimate, known, method] of [
    ["importance draws", elpdOf, true, "integrated_importance"],
    ["chains", elpdByChains, true, "integrated"],
    ["chains of the latents", elpdByChains, false, "mixture"],
  ] as const
) {
  Deno.test(`rows of groups with an effect each are left out: by ${how}, as by quadrature`, () => {
    const checked = checkProgram(centred, measurements);
    assert.ok(checked.ok);
    const latent = known ? rowLatent(checked.program, columnsOf(measurements)) : undefined;
    const density = compileLogDensity(checked.program, measurements, { latent });
    const settings = { ...defaultSchedule, targetMcse: 0.05, seedKey: [how] };
    const found = finish(estimate(density, settings, { used: 0, limit: 2e6 }));
    assert.ok(found.kind === "ok", found.kind);
    assert.equal(found.method, method);
    const exact = withoutRow.reduce((a, b) => a + b);
    assert.ok(Math.abs(found.elpdLoo - exact) < 3 * found.mcse, `${found.elpdLoo} ± ${found.mcse}`);
    found.elpdPointwise.forEach((value, i) => {
      assert.ok(Math.abs(value - withoutRow[i]) < 0.1, `row ${i}: ${value}, not ${withoutRow[i]}`);
    });
  });
}

/** Counts in groups of one, two and four. */
// deno-fmt-ignore
const counts = makeDataset("counts", [
  {
    ...{ name: "g", role: "predictor", type: "count" },
    values: Float64Array.of(
      0, 1, 2, 2, 3, 3, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 10, 10, 10, 11, 12, 13, 13, 13, 13,
    ),
  },
  {
    ...{ name: "y", role: "response", type: "count" },
    values: Float64Array.of(
      4, 0, 7, 3, 1, 2, 12, 9, 3, 5, 1, 4, 0, 0, 1, 0, 6, 2, 5, 15, 21, 4, 2, 3, 6, 8, 1, 3, 2, 6, 4,
    ),
  },
]);

for (
  const [spelling, effect] of [
    ["centred", `pm.Normal("z", mu, tau, shape=14)[data["g"]]`],
    ["not centred", `mu + tau * pm.StudentT("z", 5, 0, 1, shape=14)[data["g"]]`],
  ]
) {
  Deno.test(`groups of several sizes, ${spelling}: the same with and without integrals`, () => {
    const text = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 1, 1)
    tau = pm.HalfNormal("tau", 1)
    pm.Poisson("y", pm.math.exp(${effect}), observed=data["y"])
`;
    const checked = checkProgram(text, counts);
    assert.ok(checked.ok);
    const settings = { ...defaultSchedule, targetMcse: 0.05, seedKey: [spelling] };
    const drawn = finish(
      elpdByChains(compileLogDensity(checked.program, counts), settings, { used: 0, limit: 4e6 }),
    );
    const { score } = scoreNow(text, counts, defaultSchedule);
    assert.ok(drawn.kind === "ok" && score);
    assert.equal(score.looMethod, "integrated_importance");
    const error = Math.hypot(drawn.mcse, score.mcse);
    assert.ok(error < 0.15, `${error}`);
    const difference = drawn.elpdLoo - score.elpdLoo;
    assert.ok(Math.abs(difference) < 3 * error, `${drawn.method}: ${difference} ± ${error}`);
  });
}

Deno.test("two hundred groups of five: no chains, no refits, and an error that is small", () => {
  const random = new RandomStream("groups");
  const [effects, noise] = [new Float64Array(200), new Float64Array(1000)];
  fillNormal(random, effects);
  fillNormal(random, noise);
  const values = noise.map((one, i) => effects[Math.floor(i / 5)] + one);
  const many = makeDataset("many", [
    { name: "g", role: "predictor", type: "count", values: groupOf(1000, 5) },
    { name: "y", role: "response", type: "real", values },
  ]);
  for (const seed of [0, 1]) {
    const { score } = scoreNow(centred.replace("15", "200"), many, { ...defaultSchedule, seed });
    assert.ok(score);
    assert.equal(score.looMethod, "integrated_importance");
    assert.ok(score.mcse <= 0.1 && score.unresolved.length === 0, `${score.mcse}`);
  }
});
