/** Groups of hierarchies left out, against quadrature: by importance draws, by refits of every group, by chains. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { thresholds, withThresholds } from "../../../src/engine/loo/thresholds.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import crossing from "../../golden/crossing_groups.json" with { type: "json" };
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

/** Negative binomial counts of eight effects, in groups that hold rows of several. */
function crossed(seed: number) {
  const { y, x, effect, unit } = crossing;
  const column = (name: string, role: Column["role"], type: "count" | "real", values: number[]) =>
    ({ name, role, type, values: Float64Array.from(values) }) as Column;
  const data = makeDataset("crossing", [
    column("y", "response", "count", y),
    column("x", "predictor", "real", x),
    column("e", "predictor", "count", effect),
    column("g", "group", "count", unit),
  ]);
  const program = `
with pm.Model() as model:
    mu = pm.Normal("mu", 0, 1)
    tau = pm.HalfNormal("tau", 0.7)
    z = pm.Normal("z", mu, tau, shape=8)
    eta = z[data["e"]] + 0.5 * data["x"]
    pm.NegativeBinomial("y", mu=pm.math.exp(eta), alpha=2.5, observed=data["y"])
`;
  return scoreNow(program, data, { ...defaultSchedule, unit: "group", seed }).score!;
}

const exact = crossing.pointwise.reduce((a, b) => a + b);

for (const seed of [0, 2, 5]) {
  Deno.test(`groups that hold rows of several effects have the values of quadrature (seed ${seed})`, () => {
    const { elpdLoo, elpdPointwise, mcse, looMethod, gradients } = crossed(seed);
    assert.equal(looMethod, "integrated_importance");
    assert.ok(gradients < 2000, `${gradients}`);
    assert.ok(mcse <= 0.05 && Math.abs(elpdLoo - exact) < 4 * mcse, `${elpdLoo} ± ${mcse}`);
    elpdPointwise.forEach((one, u) => {
      assert.ok(Math.abs(one - crossing.pointwise[u]) < 0.08, `${u}: ${one}`);
    });
  });
}

Deno.test("chains integrate their effects out too; without its outlier they miss the neck of the funnel", () => {
  const found = withThresholds({ maxImportanceDimension: 0 }, () => crossed(0));
  assert.match(found.looMethod, /^integrated/);
  const outlier = crossing.unit[crossing.y.indexOf(8)];
  found.elpdPointwise.forEach((one, u) => {
    const away = Math.abs(one - crossing.pointwise[u]);
    assert.ok(away < (u === outlier ? 0.4 : 0.1), `${u}: ${one}`);
  });
});
