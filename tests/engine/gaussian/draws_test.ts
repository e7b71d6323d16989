/** Draws of linear latents given the data: moments as in closed form, and what is made of them. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { closedFormPosterior } from "../../../src/engine/inference/gaussian/marginal.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { logNormal } from "./brute_force.ts";

const n = 12;
/** Walks are over the rows, in their order. */
const ordered = { ...defaultSchedule, rows: "ordered" } as const;
const x = Float64Array.from({ length: n }, (_, i) => i / 4 - 1.2);
const group = Float64Array.from({ length: n }, (_, i) => i % 3);
const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i) + (i % 3));
const data = makeDataset("twelve", [
  { name: "x", role: "predictor", type: "real", values: x },
  { name: "g", role: "predictor", type: "category", values: group, categories: ["a", "b", "c"] },
  { name: "y", role: "response", type: "real", values: y },
]);

function program(body: string) {
  const lines = body.split("\n").map((line) => `    ${line.trim()}\n`).join("");
  return `import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n${lines}`;
}

/** Mean and standard deviation of element i of f ~ N(0, K) given y = f + noise, by hand. */
function conditional(k: readonly number[][], noise: number, values: ArrayLike<number>, i: number) {
  const size = k.length;
  const s = k.map((row, a) => row.map((v, b) => v + (a === b ? noise * noise : 0)));
  const solve = (b: readonly number[]) => {
    const a = s.map((row, r) => [...row, b[r]]);
    for (let p = 0; p < size; p++) {
      for (let r = 0; r < size; r++) {
        if (r === p) continue;
        const factor = a[r][p] / a[p][p];
        for (let c = p; c <= size; c++) a[r][c] -= factor * a[p][c];
      }
    }
    return a.map((row, r) => row[size] / row[r]);
  };
  const weights = solve(k[i]);
  const mean = weights.reduce((sum, w, a) => sum + w * values[a], 0);
  const variance = k[i][i] - weights.reduce((sum, w, a) => sum + w * k[i][a], 0);
  return { mean, sd: Math.sqrt(Math.max(0, variance)) };
}

const walkCovariance = (step: number) =>
  Array.from(
    { length: n },
    (_, i) => Array.from({ length: n }, (_, j) => 4 + step * step * Math.min(i, j)),
  );

for (const noise of [1e-3, 0.4]) {
  Deno.test(`summaries of a walk with noise ${noise} have the moments in closed form`, () => {
    const text = program(
      `u = pm.GaussianRandomWalk("u", sigma=0.7, init_dist=pm.Normal.dist(0, 2), shape=${n})
      pm.Normal("y", u, ${noise}, observed=data["y"])`,
    );
    const { score, diagnostics } = scoreNow(text, data, ordered, { summaries: true });
    assert.ok(score);
    assert.ok(!diagnostics.some(({ severity }) => severity === "warning"));
    const { mean, sd } = score.params.u;
    for (const i of [0, 5, n - 1]) {
      const exact = conditional(walkCovariance(0.7), noise, y, i);
      const error = exact.sd / Math.sqrt(defaultSchedule.chains * defaultSchedule.draws);
      assert.ok(Math.abs(mean[i] - exact.mean) < 5 * error, `${mean[i]} ${exact.mean}`);
      assert.ok(Math.abs(sd[i] / exact.sd - 1) < 0.1);
    }
  });
}

Deno.test("effects that sum to zero are drawn where they sum to zero", () => {
  const text = program(
    `a = pm.ZeroSumNormal("a", 1.5, shape=3)
    pm.Normal("y", a[data["g"]], 0.5, observed=data["y"])`,
  );
  const checked = checkProgram(text, data);
  assert.ok(checked.ok);
  const posterior = closedFormPosterior(checked.program, data)!;
  const random = new RandomStream("zero sum");
  const sums = [0, 0];
  const count = 4000;
  for (let s = 0; s < count; s++) {
    const out = new Float64Array(2);
    posterior.drawWhole(new Float64Array(0), 0, random, out, 0);
    sums[0] += out[0];
    sums[1] += out[1];
  }
  // Means of groups are far apart and known well: shrunk by 16 / (16 + 0.25 / 2.25) they are the effects.
  const means = [0, 1, 2].map((g) => y.filter((_, i) => i % 3 === g).reduce((a, b) => a + b) / 4);
  const whole = means.reduce((a, b) => a + b) / 3;
  const effects = means.map((m) => (m - whole) * 4 / (4 + 0.25 / 2.25));
  const norm = -Math.sqrt(3) * effects[2] / (Math.sqrt(3) + 3);
  [0, 1].forEach((i) => assert.ok(Math.abs(sums[i] / count - (effects[i] + norm)) < 0.03));
});

Deno.test("scales and latents are drawn together, seeded", () => {
  const text = program(
    `t = pm.HalfNormal("t", 1)
    m = pm.Normal("m", 0, 2)
    a = pm.Normal("a", m, t, shape=3)
    s = pm.HalfNormal("s", 1)
    u = pm.GaussianRandomWalk("u", sigma=0.3, init_dist=pm.Normal.dist(0, 1), shape=${n})
    pm.Normal("y", a[data["g"]] + u, s, observed=data["y"])`,
  );
  const { score } = scoreNow(text, data, ordered, { summaries: true });
  const again = scoreNow(text, data, ordered, { summaries: true }).score;
  assert.ok(score);
  assert.deepEqual(score, again);
  assert.equal(score.looMethod, "gaussian");
  assert.ok(score.params.s.mean[0] > 0 && score.params.t.mean[0] > 0);
  assert.ok(score.params.t.rhat.every((r) => r < 1.02));
  assert.equal(score.predictive!.looPit.length, n);
  assert.ok(score.predictive!.looPit.every((p) => p > 0 && p < 1));
});

/** Twelve rows and three that are withheld, of the same groups. */
function withheld(): Dataset {
  const [hx, hg, hy] = [[0.1, 0.2, 0.3], [0, 1, 2], [0.4, 1.2, 1.7]].map((v) =>
    Float64Array.from(v)
  );
  const columns = data.columns.map((column) => ({
    ...column,
    values: { x: hx, g: hg, y: hy }[column.name as "x"],
  }));
  return { ...data, holdout: { rows: 3, columns } };
}

Deno.test("withheld rows are predicted as in closed form", () => {
  const text = program(
    `a = pm.Normal("a", 0.3, 1.2, shape=3)
    b = pm.Normal("b", 0, 1, shape=20)
    pm.Normal("y", a[data["g"]] + pm.math.sum(b) * data["x"] / 4, 0.5, observed=data["y"])`,
  );
  const { score } = scoreNow(text, withheld(), defaultSchedule);
  assert.equal(score?.looMethod, "gaussian");
  const all = [
    ...Array.from({ length: n }, (_, i) => ({ x: x[i], g: group[i], y: y[i] })),
    { x: 0.1, g: 0, y: 0.4 },
    { x: 0.2, g: 1, y: 1.2 },
    { x: 0.3, g: 2, y: 1.7 },
  ];
  const covariance = all.map((p, i) =>
    all.map((q, j) => (p.g === q.g ? 1.44 : 0) + 20 / 16 * p.x * q.x + (i === j ? 0.25 : 0))
  );
  const residuals = all.map((row) => row.y - 0.3);
  const part = (rows: readonly number[]) =>
    logNormal(
      rows.map((i) => residuals[i]),
      rows.map((i) => rows.map((j) => covariance[i][j])),
    );
  const training = Array.from({ length: n }, (_, i) => i);
  const exact = [n, n + 1, n + 2].reduce(
    (sum, i) => sum + part([...training, i]) - part(training),
    0,
  );
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 0.02, `${score!.elpdHoldout} ${exact}`);
});
