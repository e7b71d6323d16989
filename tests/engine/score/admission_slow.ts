/** Programs without a sound estimate have no score: they exhaust the budget, or their error is large. */
import assert from "node:assert/strict";
import { unsoundness } from "../../../src/engine/score/admission.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { builtInJudges, logRewardOf } from "../../../src/engine/score/judges/reward.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import type { ElpdEstimate } from "../../../src/engine/loo/elpd.ts";
import { makeDataset } from "../../../src/base/dataset.ts";

// Observations that a walk of 27 steps of any size follows exactly: smoothed importance ratios give
// it 130 nats, of which nothing is true.
const y = Float64Array.from(
  { length: 27 },
  (_, i) => 1.8 + 0.28 * Math.log1p(i) + (i * 7 % 5) / 50,
);
const data = makeDataset("growth", [
  { name: "y", role: "response", type: "real", values: y, resolution: 0.01 },
]);

const walk = `import numpy as np
import pymc as pm

with pm.Model() as model:
    u = pm.StudentT("u", nu=3, mu=0, sigma=1, shape=27)
    pm.Normal("y", mu=pm.math.exp(pm.math.cumsum(u)), sigma=0.001, observed=data["y"])
`;

Deno.test("a program that leaves no budget for its refits has no score, and is paid as one that fails", () => {
  const execution = scoreNow(walk, data, { ...defaultSchedule, rows: "ordered" });
  assert.equal(execution.status, "loo_unreliable");
  assert.equal(execution.failureClass, "loo");
  assert.equal(execution.score, undefined);
  const [{ code, message }] = execution.diagnostics.filter((one) => one.severity === "error");
  assert.equal(code, "loo/pareto-k");
  assert.match(
    message,
    /no estimate to rely on: the Pareto k of \d+ of 27 rows exceeds 0\.63 \(\d+, /,
  );
  const judge = builtInJudges.get("elpd_loo")!;
  const rule = { terms: [{ judge, weight: 1 }], failure: { logReward: -40 } };
  const judged = logRewardOf(rule, execution, { text: walk, logPrior: -3 }, data);
  assert.deepEqual([judged.logReward, judged.failed], [-40, true]);
});

const sound: ElpdEstimate = {
  ...{ kind: "ok", method: "mixture", elpdLoo: -7, elpdRaw: -7, se: 1, pLoo: 2, mcse: 0.4 },
  ...{ elpdPointwise: Float64Array.of(-3, -4), paretoK: Float64Array.of(0.9, 0.1), goodK: 0.7 },
  ...{ exactRefits: [], unresolved: [], gradients: 10, draws: 100 },
};

Deno.test("an estimate of any method is refused for its Monte Carlo error and for what is unresolved", () => {
  const reason = (changes: Partial<ElpdEstimate>, maxMcse = 0.5) =>
    unsoundness({ ...sound, ...changes }, { total: sound.elpdLoo, mcse: 0 }, "row", { maxMcse })
      ?.code;
  assert.equal(reason({}), undefined);
  assert.equal(reason({ mcse: 0.5 }), undefined);
  assert.equal(reason({ mcse: 0.51 }), "loo/mcse");
  assert.equal(reason({ mcse: 0.51 }, 1), undefined);
  assert.equal(reason({ mcse: NaN }), "loo/mcse");
  assert.equal(reason({ unresolved: [0] }), "loo/pareto-k");
  const reward = { total: -7, mcse: 0 };
  const told = unsoundness({ ...sound, unresolved: [1] }, reward, "row", { maxMcse: 0.5 })!;
  assert.match(told.message, /the Pareto k of 1 of 2 rows exceeds 0\.70 \(2\), and refits/);
  assert.match(told.hint!, /rests on them alone; give .* as --prior .* of rank does/);
  for (const method of ["psis", "integrated", "importance", "particles"] as const) {
    assert.equal(reason({ method, mcse: 2 }), "loo/mcse");
  }
});
