/** The reward rule: weights, failures, raising, and what a judge may not do. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Execution } from "../../../src/engine/score/execution/execution.ts";
import {
  defineJudge,
  elpdLooJudge,
  logPriorJudge,
  logRewardOf,
  type RewardRule,
} from "../../../src/engine/score/judges/reward.ts";
import { dugongs } from "../density/data.ts";

const dataset = dugongs();

function executionWith(elpdLoo: number): Execution {
  return {
    status: "ok",
    engine: "native",
    engineVersion: "1",
    diagnostics: [],
    score: {
      elpdLoo,
      elpdReward: elpdLoo,
      elpdRaw: elpdLoo,
      looMethod: "psis",
      unit: "row",
      unresolved: [],
      se: 1,
      pLoo: 2,
      mcse: 0.1,
      elpdPointwise: [elpdLoo],
      paretoK: [0],
      goodK: 0.7,
      exactRefits: [],
      cappedPoints: 0,
      rhatMax: 1,
      essBulkMin: 100,
      divergences: 0,
      gradients: 1,
      chains: 4,
      tune: 1,
      draws: 1,
      params: {},
    },
  };
}

const failed: Execution = {
  status: "error",
  failureClass: "numeric",
  engine: "native",
  engineVersion: "1",
  diagnostics: [],
};

const rule = (elpdWeight: number, priorWeight: number, logReward: number): RewardRule => ({
  terms: [
    { judge: elpdLooJudge, weight: elpdWeight },
    { judge: logPriorJudge, weight: priorWeight },
  ],
  failure: { logReward },
});

Deno.test("a scored program earns the weighted sum, raised to failure + 1, plus its prior", () => {
  const finite = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  const weight = fc.double({ min: 0, max: 3, noNaN: true });
  fc.assert(fc.property(finite, finite, finite, weight, weight, (elpd, logPrior, floor, v, w) => {
    const program = { text: "", logPrior };
    const judged = logRewardOf(rule(v, w, floor), executionWith(elpd), program, dataset);
    assert.equal(judged.raised, v * elpd < floor + 1);
    assert.equal(judged.logReward + 0, Math.max(v * elpd, floor + 1) + w * logPrior + 0);
    assert.equal(judged.failed, false);
    const own = judged.raised ? v * elpd + w * logPrior + 0 : undefined;
    assert.equal(judged.unraised === undefined ? undefined : judged.unraised + 0, own);
    const lost = logRewardOf(rule(v, w, floor), failed, program, dataset);
    assert.equal(lost.logReward + 0, floor + w * logPrior + 0);
    assert.ok(lost.failed && !lost.raised && lost.logReward < judged.logReward);
  }));
});

Deno.test("opinions are recorded unweighted, with their components", () => {
  const program = { text: "", logPrior: -3 };
  const { components } = logRewardOf(rule(2, 1, -50), executionWith(7), program, dataset);
  assert.deepEqual(components, {
    elpd_loo: 7,
    "elpd_loo.mcse": 0.1,
    "elpd_loo.p_loo": 2,
    log_prior: -3,
  });
  assert.deepEqual(logRewardOf(rule(2, 1, -50), failed, program, dataset).components, {
    log_prior: -3,
  });
});

Deno.test("a judge that cannot be added up is the user's fault, a failure of the machine a bug", () => {
  const broken = defineJudge({
    name: "broken",
    version: 1,
    uses: "execution",
    judge: () => ({ logReward: NaN }),
  });
  const bad = { terms: [{ judge: broken, weight: 1 }], failure: { logReward: -9 } };
  const program = { text: "", logPrior: 0 };
  assert.throws(
    () => logRewardOf(bad, executionWith(1), program, dataset),
    /Cannot add the reward of judge broken: its logReward is NaN, wanted a number/,
  );
  const timeout: Execution = { ...failed, status: "timeout_wall" };
  assert.throws(() => logRewardOf(rule(1, 1, -9), timeout, program, dataset), /internal: timeout/);
});
