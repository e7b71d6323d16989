/** Three-line programs of which importance weights say far too much, against brute force. */
import assert from "node:assert/strict";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { dugongs } from "../density/data.ts";
import { bruteElpd } from "./brute_force.ts";

interface Case {
  readonly name: string;
  readonly lines: readonly string[];
  readonly covariance: (i: number, j: number) => number;
  /** NumPy's value of the closed form. */
  readonly exact: number;
}

const data = dugongs();
const y = [...data.columns.find(({ name }) => name === "length")!.values];
const rows = y.map((_, i) => i);
const index = "i = np.arange(27)";
const rbf = (i: number, j: number) => Math.exp(-0.5 * (i - j) ** 2);
const slow = (i: number, j: number) => 1 / (1 + Math.abs(i - j));
const squared = (kernel: typeof rbf) => (i: number, j: number) =>
  100 * rows.reduce((sum, k) => sum + kernel(i, k) * kernel(j, k), 0);

const cases: readonly Case[] = [
  {
    name: "a walk by steps of 10",
    lines: [
      'u = pm.Normal("u", 0, 10, shape=27)',
      'pm.Normal("length", pm.math.cumsum(u), 0.001, observed=data["length"])',
    ],
    covariance: (i, j) => 100 * (Math.min(i, j) + 1),
    exact: -77.98,
  },
  {
    name: "a smooth kernel times weights",
    lines: [
      'w = pm.Normal("w", 0, 10, shape=27)',
      index,
      "K = np.exp(-0.5 * (i[:, None] - i[None, :])**2)",
      'pm.Normal("length", pm.math.dot(K, w), 0.001, observed=data["length"])',
    ],
    covariance: squared(rbf),
    exact: -31.02,
  },
  {
    name: "a slow kernel times weights",
    lines: [
      'w = pm.Normal("w", 0, 10, shape=27)',
      index,
      "K = 1 / (1 + np.abs(i[:, None] - i[None, :]))",
      'pm.Normal("length", pm.math.dot(K, w), 0.001, observed=data["length"])',
    ],
    covariance: squared(slow),
    exact: -71.51,
  },
  {
    name: "a Gaussian process",
    lines: [
      index,
      "K = np.exp(-0.5 * (i[:, None] - i[None, :])**2)",
      'z = pm.MvNormal("z", mu=np.zeros(27), cov=K + 1e-6 * np.eye(27))',
      'pm.Normal("length", z, 0.001, observed=data["length"])',
    ],
    covariance: (i, j) => rbf(i, j) + (i === j ? 1e-6 : 0),
    exact: -9.14,
  },
];

for (const { name, lines, covariance, exact } of cases) {
  Deno.test(`${name} with almost no noise scores as it predicts`, () => {
    const text = "import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n" +
      lines.map((line) => `    ${line}\n`).join("");
    const { score } = scoreNow(text, data, { ...defaultSchedule, rows: "ordered" });
    assert.ok(score);
    const brute = bruteElpd(y, {
      scales: 0,
      ranges: [],
      logPrior: () => 0,
      covariance: () => rows.map((i) => rows.map((j) => covariance(i, j) + (i === j ? 1e-6 : 0))),
    });
    assert.ok(Math.abs(score.elpdLoo - brute) < 1e-4, `${score.elpdLoo} ${brute}`);
    assert.ok(Math.abs(score.elpdLoo - exact) < 0.006);
    assert.equal(score.looMethod, "gaussian");
    assert.equal(score.mcse, 0);
  });
}
