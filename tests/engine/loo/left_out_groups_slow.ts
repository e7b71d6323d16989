/** A Student hierarchy with groups left out, against quadrature: by importance draws, and by refits of every group. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { thresholds, withThresholds } from "../../../src/engine/loo/thresholds.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import golden from "../../golden/student_groups.json" with { type: "json" };

const text = `
with pm.Model() as model:
    mu = pm.Normal("mu", 0, 5)
    sigma = pm.HalfNormal("sigma", 2)
    tau = pm.HalfNormal("tau", 2)
    z = pm.Normal("z", 0, tau, shape=8)
    pm.StudentT("y", nu=4, mu=mu + z[data["g"]], sigma=sigma, observed=data["y"])
`;

function scored(resolution: number) {
  const group: Column = {
    ...{ name: "g", role: "group", type: "category" },
    values: Float64Array.from(golden.group),
    categories: [..."01234567"],
  };
  const response: Column = {
    ...{ name: "y", role: "response", type: "real", resolution },
    values: Float64Array.from(golden.y),
  };
  const data = makeDataset("groups", [group, response]);
  return scoreNow(text, data, { ...defaultSchedule, unit: "group" }).score!;
}

Deno.test("groups of Student's t left out have the values of quadrature", () => {
  const { elpdLoo, elpdReward, mcse, rewardMcse, looMethod } = scored(0.1);
  assert.equal(looMethod, "integrated_importance");
  assert.ok(mcse < 0.06 && Math.abs(elpdLoo - golden.elpd) < 4 * mcse, `${elpdLoo} ± ${mcse}`);
  assert.ok(Math.abs(elpdReward - golden.rewards["0.1"]) < 4 * rewardMcse!, `${elpdReward}`);
});

Deno.test("every group refitted has them too, and few draws say what its cells are worth", () => {
  const forced = { maxImportanceDimension: 0, maxTailShape: 0, plainVariance: 0, maxGoodK: -5 };
  const found = withThresholds(forced, () => scored(0.1));
  assert.equal(found.looMethod, "integrated_refit");
  assert.equal(found.exactRefits.length, 8);
  const { elpdLoo, elpdReward, mcse } = found;
  assert.ok(mcse < 0.06 && Math.abs(elpdLoo - golden.elpd) < 4 * mcse, `${elpdLoo} ± ${mcse}`);
  const gain = elpdReward - elpdLoo;
  const exact = golden.rewards["0.1"] - golden.elpd;
  assert.ok(Math.abs(gain - exact) < 4 * 8 * thresholds.cellError, `${gain}, ${exact}`);
});
