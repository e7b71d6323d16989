/** Hierarchies of single rows against exact leave-one-out, in both spellings. */
import assert from "node:assert/strict";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { hierarchyText, schools } from "./schools.ts";

/** log Normal(y | μ, √(σ² + τ²)): the effect of a row integrated out. */
function normalMarginal(y: number, sigma: number, mu: number, tau: number): number {
  const variance = sigma * sigma + tau * tau;
  return -0.5 * (Math.log(2 * Math.PI * variance) + (y - mu) * (y - mu) / variance);
}

/** Simpson's rule over the effect, cut at its kink, for Laplace effects. */
function laplaceMarginal(y: number, sigma: number, mu: number, tau: number): number {
  const steps = 400;
  const reach = 40 * tau * sigma / (tau + sigma);
  let sum = 0;
  for (const side of [-1, 1]) {
    for (let k = 0; k <= steps; k++) {
      const t = reach * k / steps;
      const rest = (y - mu - side * t) / sigma;
      const weight = k === 0 || k === steps ? 1 : k % 2 === 1 ? 4 : 2;
      sum += weight * Math.exp(-t / tau - 0.5 * rest * rest) * reach / steps / 3;
    }
  }
  return Math.log(sum / (2 * tau * sigma * Math.sqrt(2 * Math.PI)));
}

/** Σ log p(y_i | y_-i) by quadrature over μ and log τ. */
function exactElpd(marginal: typeof normalMarginal): number {
  const [y, sigma] = schools.columns.map(({ values }) => values);
  let whole = 0;
  const without = new Float64Array(8);
  for (let a = 0; a <= 60; a++) {
    const mu = -32 + 76 * a / 60;
    for (let b = 0; b <= 60; b++) {
      const logTau = -5 + 8.5 * b / 60;
      const tau = Math.exp(logTau);
      const terms = y.map((value, i) => marginal(value, sigma[i], mu, tau));
      const prior = -0.5 * (mu * mu / 100 + tau * tau / 25) + logTau;
      const density = Math.exp(terms.reduce((p, q) => p + q, 30 + prior));
      whole += density;
      terms.forEach((term, i) => without[i] += density / Math.exp(term));
    }
  }
  return without.reduce((sum, rest) => sum + Math.log(whole / rest), 0);
}

for (
  const [distribution, marginal, method] of [
    ["Normal", normalMarginal, "gaussian"],
    ["Laplace", laplaceMarginal, "integrated_importance"],
  ] as const
) {
  const exact = exactElpd(marginal);
  for (const spelling of ["centred", "non-centred"] as const) {
    Deno.test(`ELPD-LOO of ${spelling} ${distribution} effects is that of quadrature`, () => {
      const { score } = scoreNow(hierarchyText(distribution, spelling), schools, defaultSchedule);
      assert.ok(score);
      const difference = score.elpdLoo - exact;
      assert.ok(Math.abs(difference) < 3 * score.mcse + 0.01, `${difference} ± ${score.mcse}`);
      assert.ok(score.mcse <= 0.05);
      assert.equal(score.looMethod, method);
    });
  }
}
