/** Means of components that are parameters of their own: both modes count, whatever the seed. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

const rows = [1.845, 1.42, -1.082, 2.331, -1.054, -1.394, -1.607, 1.736, 1.652, -1.756, -1.436];
const data = makeDataset("rows", [{
  name: "y",
  role: "response",
  type: "real",
  values: Float64Array.from([...rows, 1.223]),
  resolution: "continuous",
}]);

/** Sums over 220 × 220 × 73 points of a, b and log s (150 × 150 × 50 agree to 3e-5): numpy 2.4.6, SciPy 1.17.1. */
const exact = -15.6371;

for (
  const likelihood of [
    'pm.NormalMixture("y", w=[0.3, 0.7], mu=pm.math.stack([a, b]), sigma=s, observed=data["y"])',
    'pm.Mixture("y", w=[0.3, 0.7], comp_dists=[pm.Normal.dist(a, s), pm.Normal.dist(b, s)], observed=data["y"])',
  ]
) {
  Deno.test(`the lesser mode counts: ${likelihood.slice(0, 20)}`, () => {
    const text = `with pm.Model():
    a = pm.Normal("a", -1, 3)
    b = pm.Normal("b", 1, 1)
    s = pm.InverseGamma("s", 2, 1)
    ${likelihood}
`;
    for (let seed = 0; seed < 8; seed++) {
      const { score } = scoreNow(text, data, { ...defaultSchedule, seed });
      const away = score!.elpdLoo - exact;
      assert.ok(Math.abs(away) < 4 * score!.mcse + 0.02, `seed ${seed}: ${away} ± ${score!.mcse}`);
    }
  });
}
