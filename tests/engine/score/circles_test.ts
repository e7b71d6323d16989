/** Means on a circle: scores as by a grid over the circle, whichever copy of it a line would begin in. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const text = `import pymc as pm
with pm.Model():
    mu = pm.VonMises("mu", 0, 0.1)
    kappa = pm.Gamma("kappa", 2, 0.5)
    pm.VonMises("theta", mu, kappa, observed=data["theta"])
`;

/** log I_0(k) − k, by its integral. */
function logBesselScaled(k: number): number {
  const steps = 400;
  let sum = 0;
  for (let i = 0; i < steps; i++) sum += Math.exp(k * (Math.cos(2 * Math.PI * i / steps) - 1));
  return Math.log(sum / steps);
}

const logVonMises = (x: number, mu: number, k: number, bessel: number) =>
  k * (Math.cos(x - mu) - 1) - Math.log(2 * Math.PI) - bessel;

/** ELPD-LOO by a grid over the angle and the concentration. */
function byGrid(theta: readonly number[]): number {
  const prior = logBesselScaled(0.1);
  const [weights, likelihoods]: [number[], number[][]] = [[], []];
  for (let k = 0.02; k < 12; k += 0.04) {
    const bessel = logBesselScaled(k);
    for (let i = 0; i < 240; i++) {
      const mu = 2 * Math.PI * i / 240;
      const each = theta.map((x) => logVonMises(x, mu, k, bessel));
      const own = logVonMises(mu, 0, 0.1, prior) + Math.log(k) - 0.5 * k;
      weights.push(own + each.reduce((a, b) => a + b));
      likelihoods.push(each);
    }
  }
  const most = Math.max(...weights);
  const density = weights.map((w) => Math.exp(w - most));
  const total = density.reduce((a, b) => a + b);
  return theta.reduce((sum, _, i) => {
    const without = density.reduce((a, w, s) => a + w / Math.exp(likelihoods[s][i]), 0);
    return sum - Math.log(without / total);
  }, 0);
}

const samples = {
  "around 2.9, where the line ends": [
    3.027,
    2.441,
    -2.893,
    2.716,
    -3.051,
    2.202,
    2.958,
    3.101,
    -2.406,
    2.635,
    2.871,
    -2.744,
    2.388,
    3.094,
    1.917,
    -2.957,
    2.812,
    2.547,
    -3.118,
    2.729,
  ],
  "all around the circle": [-2.9, -1.1, 0.35, 1.3, 2.6, -2.05, 0.9],
};

for (const [name, theta] of Object.entries(samples)) {
  Deno.test(`a mean direction, data ${name}: every seed scores as a grid does`, () => {
    const values = Float64Array.from(theta);
    const data = makeDataset("directions", [
      { name: "theta", role: "response", type: "real", values, resolution: "continuous" },
    ]);
    const exact = byGrid(theta);
    for (const seed of [0, 5, 11]) {
      const { score, diagnostics } = scoreNow(text, data, { ...defaultSchedule, seed });
      assert.ok(score, JSON.stringify(diagnostics));
      const far = Math.abs(score.elpdLoo - exact);
      assert.ok(far < 4 * score.mcse, `${score.elpdLoo} ± ${score.mcse}, ${exact}`);
    }
  });
}
