/** A row far from the others under few parameters: the score of sums over grids, under every seed. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

/** ELPD by sums over grids of 2,000 × 2,000 and 401 × 401 points of the unconstrained coordinates: numpy 2.4.6, SciPy 1.17.1. */
const cases = [
  {
    name: "Weibull",
    y: [
      2.3614,
      2.2647,
      3.3551,
      1826.2,
      0.68895,
      5.2549,
      6.1967,
      11.777,
      1.1314,
      1.6098,
      0.47419,
      2.2519,
    ],
    priors: `m = pm.LogNormal("m", 0, 1)\n    al = pm.Exponential("al", 1)`,
    likelihood: `pm.Weibull("y", alpha=al, beta=m, observed=data["y"])`,
    elpd: -57.10047,
  },
  {
    name: "gamma",
    y: [212.7, 1.302, 0.2424, 0.9393, 0.1947, 1.37, 1.506, 6.71],
    priors: `a = pm.StudentT("a", nu=7, mu=0, sigma=1)\n    al = pm.HalfNormal("al", 2)`,
    likelihood: `pm.Gamma("y", alpha=al, beta=al / pm.math.exp(a), observed=data["y"])`,
    elpd: -35.90825,
  },
];

for (const { name, y, priors, likelihood, elpd } of cases) {
  Deno.test(`a far row of a ${name} regression has the score of sums over grids`, () => {
    const values = Float64Array.from(y);
    const data = makeDataset("far", [
      { name: "y", role: "response", type: "real", resolution: "continuous", values },
    ]);
    const text = `with pm.Model():\n    ${priors}\n    ${likelihood}\n`;
    for (let seed = 0; seed < 20; seed++) {
      const { score, diagnostics } = scoreNow(text, data, { ...defaultSchedule, seed });
      assert.ok(score, `seed ${seed}: ${diagnostics.at(-1)?.message}`);
      const away = score.elpdLoo - elpd;
      assert.ok(Math.abs(away) < 4 * score.mcse + 0.001, `seed ${seed}: ${away} ± ${score.mcse}`);
    }
  });
}
