/** Exact inclusion under Zellner's prior, by an integral and by every subset. */
import assert from "node:assert/strict";
import { gPriorInclusion } from "../../bench/exact_programs/bms.ts";
import { exp, log } from "../../src/numerics/math/elementary.ts";
import { defaultRegressions, regressionData } from "../../src/gfn/environments/regressions.ts";

Deno.test("an integral over the noise is the sum over all subsets", () => {
  const design = { terms: 7, rows: 16, effects: [0.8, -0.5, 0.3], design: "orthogonal" } as const;
  const { columns, y } = regressionData({ ...defaultRegressions, ...design, effects: [0.8, -0.5] });
  const n = y.length;
  const mean = y.reduce((sum, one) => sum + one, 0) / n;
  const energy = y.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const r2 = columns.map((column) => column.reduce((s, x, i) => s + x * y[i], 0) ** 2 / n / energy);
  let total = 0;
  const sums = columns.map(() => 0);
  for (let bits = 0; bits < 2 ** 7; bits++) {
    const chosen = columns.flatMap((_, j) => bits >> j & 1 ? [j] : []);
    const fit = 1 - (n / (1 + n)) * chosen.reduce((s, j) => s + r2[j], 0);
    const weight = exp(-0.5 * chosen.length * log(1 + n) - 0.5 * (n - 1) * log(fit));
    total += weight;
    for (const j of chosen) sums[j] += weight;
  }
  const exact = gPriorInclusion({ columns, y }, n);
  exact.forEach((p, j) => assert.ok(Math.abs(p - sums[j] / total) < 1e-9, `${j}: ${p}`));
});
