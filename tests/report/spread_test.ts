/** Tests of what several instances measured: medians, order, and the one that stands for them. */
import assert from "node:assert/strict";
import type { CertificateEvaluation } from "../../src/report/certificate_schema.ts";
import { proofPictures } from "../../src/report/figures/proof.ts";
import { byInstance, instanceOf, middleOnes, spreadsOf } from "../../src/report/spread.ts";

function evaluation(stage: string, tv: number | "Infinity"): CertificateEvaluation {
  const measure = { value: tv, mcse: 0, ci_lo: tv, ci_hi: tv, n: 36, method: "exact enumeration" };
  return {
    ...{ stage, exact: true, trajectories: 10, distinct_evaluations: 5, verdict: "exact" },
    ...{ policy: { tv: measure, verdict: { ...measure, value: 0 } }, baselines: [], remarks: [] },
    ...{ attribution: [], lengths: [], modes: [] },
  };
}

const three = [0.3, 0.01, 0.02].map((tv, i) => evaluation(`evaluate[${i}]`, tv));

Deno.test("a stage's name says which instance it is", () => {
  assert.deepEqual(instanceOf("train[12].progress"), { of: "train.progress", number: 12 });
  assert.deepEqual(instanceOf("train.progress"), { of: "train.progress" });
  const names = ["b", "a[10]", "a[9]", "a[1]"];
  assert.deepEqual(names.sort(byInstance), ["a[1]", "a[9]", "a[10]", "b"]);
});

Deno.test("a bad seed shows in the spread, not in the median", () => {
  const [spread] = spreadsOf([...three, evaluation("other", 0.5)], 20);
  assert.deepEqual(spread, {
    stage: "evaluate",
    instances: ["evaluate[0]", "evaluate[1]", "evaluate[2]"],
    seeds: [20, 21, 22],
    policy: { tv: { n: 3, median: 0.02, min: 0.01, max: 0.3 } },
    verdicts: { exact: 3 },
  });
  const [two] = spreadsOf(three.slice(0, 2), 0);
  assert.equal(two.policy.tv.median, 0.155);
  assert.deepEqual(spreadsOf([evaluation("evaluate", 0.1)], 0), []);
});

Deno.test("a measure that is infinite in one instance has no spread", () => {
  const [spread] = spreadsOf([...three, evaluation("evaluate[3]", "Infinity")], 0);
  assert.deepEqual(spread.policy, {});
});

Deno.test("of several instances the one in the middle is shown", () => {
  const shown = middleOnes([...three, evaluation("other", 0.5)]);
  assert.deepEqual(shown.map(({ stage }) => stage), ["evaluate[2]", "other"]);
});

Deno.test("pictures have every instance, and names without brackets", () => {
  const point = (stage: string, trajectories: number, tv: number) => {
    return { stage, step: trajectories, trajectories, distinct_evaluations: 5, tv };
  };
  const course = [10, 20].flatMap((at) => [
    point("train[0].p", at, 5 / at),
    point("train[1].p", at, 4 / at),
  ]);
  const run = { run_id: "r", pipeline: "p", name: "n", seed: 1, versions: {} };
  const spread = spreadsOf(three, 1);
  const drawn = proofPictures({
    format: 2,
    run,
    evaluations: three,
    spread,
    course,
    artifacts: {},
  });
  assert.deepEqual(drawn.map(({ name }) => name), ["course", "spread_evaluate"]);
  const text = JSON.stringify(drawn.map(({ draw }) => draw(640)));
  for (const tv of [0.3, 0.01, 0.02]) assert.ok(text.includes(`"tv":${tv}`));
  assert.match(drawn[0].caption, /median of the seeds, and the band of all/);
});
