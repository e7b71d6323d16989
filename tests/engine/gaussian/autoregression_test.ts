/** Latent autoregressions are integrated out: scores as by the covariance of all rows. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { logNormal } from "./brute_force.ts";

const n = 14;
const y = Float64Array.from({ length: n }, (_, i) => 1.2 + Math.sin(i / 2) + 0.3 * Math.cos(5 * i));
const data = makeDataset("series", [
  { name: "y", role: "response", type: "real", values: y, resolution: "continuous" },
]);
const schedule = { ...defaultSchedule, rows: "ordered" } as const;
const program = (...lines: string[]) =>
  `import pymc as pm\nwith pm.Model():\n${lines.map((line) => `    ${line}\n`).join("")}`;

/** Mean and factor of x_t = ρ_0 + Σ ρ_k x_(t−k) + σ ε_t after starts N(m, s²). */
function unrolled(rho: readonly number[], constant: number, sigma: number, m: number, s: number) {
  const mean: number[] = [];
  const factor: number[][] = [];
  for (let t = 0; t < n; t++) {
    const early = t < rho.length;
    mean.push(early ? m : constant + rho.reduce((sum, r, k) => sum + r * mean[t - 1 - k], 0));
    factor.push(Array.from({ length: n }, (_, j) => {
      if (j === t) return early ? s : sigma;
      return early ? 0 : rho.reduce((sum, r, k) => sum + r * (factor[t - 1 - k]?.[j] ?? 0), 0);
    }));
  }
  return { mean, factor };
}

/** Σ log p(y_i | y_-i) of y = c + x + noise, c ~ N(0, 25). */
function exact({ mean, factor }: ReturnType<typeof unrolled>, noise: number): number {
  const covariance = factor.map((a, i) =>
    factor.map((b, j) =>
      a.reduce((sum, v, k) => sum + v * b[k], 25) + (i === j ? noise * noise : 0)
    )
  );
  const part = (rows: readonly number[]) =>
    logNormal(rows.map((i) => y[i] - mean[i]), rows.map((i) => rows.map((j) => covariance[i][j])));
  const all = Array.from({ length: n }, (_, i) => i);
  const whole = part(all);
  return all.reduce((sum, i) => sum + whole - part(all.filter((j) => j !== i)), 0);
}

const cases = {
  "of order 1": [
    `u = pm.AR("u", rho=[-0.6], sigma=0.5, init_dist=pm.Normal.dist(0.2, 1.5), shape=${n})`,
    unrolled([-0.6], 0, 0.5, 0.2, 1.5),
  ],
  "of order 2 with a constant": [
    `u = pm.AR("u", rho=[0.3, 0.9, -0.4], sigma=0.5, constant=True, init_dist=pm.Normal.dist(0, 2, shape=2), shape=${n})`,
    unrolled([0.9, -0.4], 0.3, 0.5, 0, 2),
  ],
} as const;

for (const [name, [line, model]] of Object.entries(cases)) {
  Deno.test(`an autoregression ${name} is integrated out exactly`, () => {
    const text = program(
      'c = pm.Normal("c", 0, 5)',
      line,
      'pm.Normal("obs", c + u, 0.4, observed=data["y"])',
    );
    const { score, diagnostics } = scoreNow(text, data, schedule, { summaries: true });
    assert.equal(score?.looMethod, "gaussian", JSON.stringify(diagnostics));
    assert.equal(score.mcse, 0);
    const wanted = exact(model, 0.4);
    assert.ok(Math.abs(score.elpdLoo - wanted) < 1e-8, `${score.elpdLoo} ${wanted}`);
    assert.equal(score.params.u.mean.length, n);
  });
}

Deno.test("coefficients that are random stay, and the rest is integrated out", () => {
  const text = program(
    'c = pm.Normal("c", 0, 5)',
    'rho = pm.Uniform("rho", -0.99, 0.99)',
    's = pm.HalfNormal("s", 1)',
    `u = pm.AR("u", rho=[rho], sigma=s, init_dist=pm.Normal.dist(0, 1), shape=${n})`,
    'pm.Normal("obs", c + u, 0.4, observed=data["y"])',
  );
  const { score } = scoreNow(text, data, schedule);
  assert.equal(score?.looMethod, "gaussian");
  let [total, without] = [0, new Float64Array(n)];
  const all = Array.from({ length: n }, (_, i) => i);
  for (let r = -0.975; r < 0.98; r += 0.05) {
    for (let s = 0.04; s < 3.2; s += 0.08) {
      const { mean, factor } = unrolled([r], 0, s, 0, 1);
      const covariance = factor.map((a, i) =>
        factor.map((b, j) => a.reduce((sum, v, k) => sum + v * b[k], 25) + (i === j ? 0.16 : 0))
      );
      const part = (rows: readonly number[]) =>
        logNormal(
          rows.map((i) => y[i] - mean[i]),
          rows.map((i) => rows.map((j) => covariance[i][j])),
        );
      const prior = -0.5 * s * s;
      total += Math.exp(part(all) + prior + 20);
      without = without.map((sum, i) =>
        sum + Math.exp(part(all.filter((j) => j !== i)) + prior + 20)
      );
    }
  }
  const wanted = without.reduce((sum, one) => sum + Math.log(total / one), 0);
  assert.ok(Math.abs(score.elpdLoo - wanted) < 0.03, `${score.elpdLoo} ${wanted}`);
});
