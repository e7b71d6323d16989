/** Every judge of the registry keeps the laws of judges; planted ones that do not are red. */
import assert from "node:assert/strict";
import type { Execution, Score } from "../../../src/engine/score/execution/execution.ts";
import { defineJudge, type Judge } from "../../../src/engine/score/judges/judge.ts";
import { builtInJudges } from "../../../src/engine/score/judges/built_in_judges.ts";
import { dugongs } from "../density/data.ts";

const dataset = dugongs();

/** A score that predicts better by `better` nats, by whatever it is asked. */
function scored(better: number, unit: Score["unit"], less?: keyof Score): Execution {
  const score: Score = {
    ...{ elpdLoo: better, elpdReward: better, elpdRaw: better, looMethod: "psis", unit },
    ...{
      literals: better,
      logMarginalLikelihood: better,
      evidenceMcse: 0.1,
      elpdHoldout: better,
      elpdLfo: better,
      lfoReward: better,
      lfoMcse: 0.1,
      lfoTerms: 3,
    },
    ...{ unresolved: [], se: 1, pLoo: 2, mcse: 0.1, elpdPointwise: [better], paretoK: [0] },
    ...{ goodK: 0.7, exactRefits: [], cappedPoints: 0, rhatMax: 1, essBulkMin: 100 },
    ...{ divergences: 0, gradients: 1, chains: 4, tune: 1, draws: 1, params: {} },
  };
  const kept = Object.entries(score).filter(([key]) => key !== less);
  return {
    ...{ status: "ok", engine: "native", engineVersion: "1", diagnostics: [] },
    score: Object.fromEntries(kept) as unknown as Score,
  };
}

const failed: Execution = {
  ...{ status: "error", failureClass: "numeric", engine: "native" },
  ...{ engineVersion: "1", diagnostics: [] },
};

/** Laws of every judge. */
function checkJudge(judge: Judge): void {
  const opinion = (execution: Execution, logPrior: number) =>
    judge.judge(Object.freeze(execution), { text: "", logPrior }, dataset);
  const unit = judge.needsTime ? "future" : "row";
  const { logReward } = opinion(scored(1, unit), -3);
  assert.ok(Number.isFinite(logReward), `a log reward of ${logReward}`);
  assert.deepEqual(
    opinion(scored(1, unit), -3),
    opinion(scored(1, unit), -3),
    "the same of the same",
  );
  assert.ok(Object.isFrozen(judge) && Number.isInteger(judge.version) && judge.version > 0);
  const [better, likelier] = [opinion(scored(2, unit), -3), opinion(scored(1, unit), -2)];
  if (judge.uses === "prior") {
    assert.ok(likelier.logReward > logReward, "a likelier program is worth more");
    assert.equal(opinion(failed, -3).logReward, logReward, "failed or not");
  } else if (judge.uses === "text") {
    const [least, most] = judge.bounds ?? [0, 1];
    assert.ok(least <= logReward && logReward <= most, "within its bounds");
    for (const one of [better, likelier]) assert.equal(one.logReward, logReward, "by text alone");
  } else {
    assert.ok(
      better.logReward > logReward,
      'a better prediction is worth more; a judge of texts has uses: "text"',
    );
    assert.equal(likelier.logReward, logReward, "whatever the prior says");
    assert.throws(() => opinion(failed, -3), /internal: /);
  }
  if (judge.needsHoldout) {
    assert.equal(opinion(scored(1, unit, "elpdHoldout"), 0).logReward, -Infinity);
  }
}

for (const [name, judge] of builtInJudges) {
  Deno.test(`the judge ${name} keeps the laws of judges`, () => {
    assert.equal(judge.name, name);
    checkJudge(judge);
  });

  if (judge.uses === "text") continue;
  Deno.test(`the judge ${name} with its sign turned breaks a law`, () => {
    const turned = defineJudge({
      ...judge,
      judge: (...args) => ({ logReward: -judge.judge(...args).logReward }),
    });
    assert.throws(() => checkJudge(turned), /is worth more/);
  });
}

Deno.test("a judge that remembers, or looks at what it does not use, breaks a law", () => {
  let calls = 0;
  const plain = { name: "planted", version: 1, uses: "execution" } as const;
  const better = (execution: Execution) => execution.score?.elpdLoo ?? 0;
  const remembers = defineJudge({
    ...plain,
    judge: (execution) => ({ logReward: better(execution) + 1e-9 * calls++ }),
  });
  assert.throws(() => checkJudge(remembers), /the same of the same/);
  const looks = defineJudge({
    ...plain,
    judge: (execution, { logPrior }) => ({ logReward: better(execution) + logPrior }),
  });
  assert.throws(() => checkJudge(looks), /whatever the prior says/);
  const loud = defineJudge({ ...plain, uses: "text", judge: () => ({ logReward: 2 }) });
  assert.throws(() => checkJudge(loud), /within its bounds/);
  const peeks = defineJudge({ ...loud, bounds: [0, 9], judge: (e) => ({ logReward: better(e) }) });
  assert.throws(() => checkJudge(peeks), /by text alone/);
});
