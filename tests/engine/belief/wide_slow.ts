/** Beliefs over many latents: populations are as wide as the closed form says, group by group. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { believe, type Design } from "../../../src/engine/score/mod.ts";
import { cholesky, fillNormal, inverseFromCholesky } from "../../../src/numerics/math/mod.ts";

const [groups, queries, particles, noise] = [8, 10, 600, 0.1];
const names = ["base", "b1", "b2", "b3"];
const spreads = [0.1, 1, 1, 1];
const text = `import pymc as pm

with pm.Model() as model:
    base = pm.Normal("base", 0, 0.1, shape=8)
    b1 = pm.Normal("b1", 0, 1, shape=8)
    b2 = pm.Normal("b2", 0, 1, shape=8)
    b3 = pm.Normal("b3", 0, 1, shape=8)
    e = data["g"]
    mean = base[e] + b1[e] * data["x"] + b2[e] * data["z"] + b3[e] * data["w"]
    pm.Normal("y", mean, 0.1, observed=data["y"])
`;
const design: Design = [
  { name: "g", role: "predictor", type: "category" },
  ...["x", "z", "w"].map((name) => ({ name, role: "predictor", type: "real" } as const)),
  { name: "y", role: "response", type: "real" },
];

/** Rows of every query, one for each group, as a wheel with prizes gives them: predictors that go together. */
function rowsOf(random: RandomStream) {
  const normal = () => {
    const one = new Float64Array(1);
    fillNormal(random, one);
    return one[0];
  };
  const truth = Array.from({ length: 4 * groups }, (_, i) => spreads[i >> 3] * normal());
  return Array.from({ length: queries }, () => {
    const [win, expected] = [random.uniform(), random.uniform()];
    const f = [1, win, win - expected, Math.abs(win - expected)];
    return Array.from({ length: groups }, (_, g) => ({
      g,
      f,
      y: f.reduce((sum, v, j) => sum + v * truth[8 * j + g], 0) + noise * normal(),
    }));
  }).flat();
}

/** Covariance of a group's four latents: all groups have the same rows. */
function exactCovariance(rows: ReturnType<typeof rowsOf>): Float64Array {
  const precision = new Float64Array(16);
  for (let a = 0; a < 4; a++) {
    precision[5 * a] = 1 / spreads[a] ** 2;
    for (const { g, f } of rows) {
      if (g !== 0) continue;
      for (let b = 0; b < 4; b++) precision[4 * a + b] += f[a] * f[b] / noise ** 2;
    }
  }
  assert.ok(cholesky(precision, 4));
  return inverseFromCholesky(precision, 4);
}

/** ½ log det of a covariance. */
function logWidth(covariance: Float64Array): number {
  const factor = covariance.slice();
  assert.ok(cholesky(factor, 4));
  return [0, 5, 10, 15].reduce((sum, at) => sum + Math.log(factor[at]), 0);
}

function covarianceOf(columns: readonly number[][]): Float64Array {
  const means = columns.map((values) => values.reduce((a, b) => a + b) / values.length);
  return Float64Array.from({ length: 16 }, (_, at) => {
    const [a, b] = [at >> 2, at & 3];
    const product = (s: number) => (columns[a][s] - means[a]) * (columns[b][s] - means[b]);
    return columns[a].reduce((sum, _, s) => sum + product(s), 0) / (particles - 1);
  });
}

Deno.test("32 latents are believed as widely as their closed form says", () => {
  const missing = [0, 1, 2].map((seed) => {
    const rows = rowsOf(new RandomStream("wide", seed));
    const columns = new Map([
      ["g", Float64Array.from(rows, ({ g }) => g)],
      ...["x", "z", "w"].map((name, j) =>
        [name, Float64Array.from(rows, ({ f }) => f[j + 1])] as const
      ),
    ]);
    const response = Float64Array.from(rows, ({ y }) => y);
    const seen = { rows: rows.length, columns, response };
    const { latents } = believe(text, design, seen, { particles, key: ["wide", seed] });
    const exact = logWidth(exactCovariance(rows));
    const drawn = names.map((name) => latents.parameters[latents.names.indexOf(name)]);
    return Array.from({ length: groups }, (_, g) => {
      const own = drawn.map((all) =>
        Array.from({ length: particles }, (_, s) => all[s * groups + g])
      );
      return exact - logWidth(covarianceOf(own));
    }).reduce((a, b) => a + b);
  });
  const mean = missing.reduce((a, b) => a + b) / missing.length;
  // Independent draws lack .07 nats; steps along all coordinates alone lack 1.5 to 2.5.
  assert.ok(mean > -0.5 && mean < 0.8, `${missing}`);
});
