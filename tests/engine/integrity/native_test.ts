/** Every rule LH-01 … LH-42 in the native language, and those that hold of scores and rewards. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { decodeExecution, encodeExecution } from "../../../src/executor/execution_json.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule, type Execution } from "../../../src/engine/score/execution/execution.ts";
import {
  elpdLooJudge,
  logPriorJudge,
  logRewardOf,
} from "../../../src/engine/score/judges/reward.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { type Attempt, attempts, datasets, honest } from "./lh_catalogue.ts";

const native = checkProgram(honest, datasets.measured);
assert.ok(native.ok);
const honestHash = native.program.hash;

/** Rules about scores and rewards, which no text breaks; each has a test of its own below. */
const aboutScores = ["LH-27", "LH-33", "LH-39", "LH-42"];

Deno.test("every rule has an attempt, or a test of scores", () => {
  const rules = Array.from({ length: 42 }, (_, k) => `LH-${`${k + 1}`.padStart(2, "0")}`);
  const tried = new Set([...attempts.map(({ rule }) => rule), ...aboutScores]);
  assert.deepEqual(rules.filter((rule) => !tried.has(rule)), []);
});

Deno.test("in the native language, each attempt ends as the catalogue says", () => {
  const wrong = attempts.flatMap((attempt) => {
    const found = outcomeOf(attempt);
    const wanted = attempt.native.kind === "refused" ? attempt.native.code : attempt.native.kind;
    return found.includes(wanted) ? [] : [`${attempt.title}: wanted ${wanted}, found ${found}`];
  });
  assert.deepEqual(wrong, []);
});

function outcomeOf({ program, data = "measured" }: Attempt): readonly string[] {
  const checked = checkProgram(program, datasets[data]);
  if (checked.ok) return [checked.program.hash === honestHash ? "no effect" : "a model"];
  return checked.diagnostics.filter((d) => d.severity === "error").map(({ code }) => code);
}

Deno.test("each refusal names a place in the text", () => {
  for (const { title, program, data = "measured" } of attempts) {
    const checked = checkProgram(program, datasets[data]);
    if (checked.ok || program === "") continue;
    for (const { severity, span, code } of checked.diagnostics) {
      assert.ok(severity !== "error" || span !== undefined, `${title}: ${code}`);
    }
  }
});

const scored = scoreNow(honest, datasets.measured, defaultSchedule);

Deno.test("LH-20, LH-27: no datum is worth more than its resolution can tell", () => {
  const y = Float64Array.from({ length: 12 }, () => 1.5);
  const tied = makeDataset("tied", [
    { name: "y", role: "response", type: "real", resolution: 0.01, values: y },
  ]);
  const spike = `import pymc as pm
with pm.Model() as model:
    m = pm.Uniform("m", 1.4, 1.6)
    pm.Normal("y", m, 1e-6, observed=data["y"])
`;
  const { score, diagnostics } = scoreNow(spike, tied, defaultSchedule);
  assert.ok(score, JSON.stringify(diagnostics));
  assert.ok(score.elpdLoo > 12 * Math.log(100) && score.cappedPoints === 12);
  assert.ok(score.elpdReward <= 12 * Math.log(100) + 1e-9, `${score.elpdReward}`);
});

Deno.test("LH-27: a score that is not finite is no score", () => {
  assert.equal(scored.status, "ok");
  const forged: Execution = { ...scored, score: { ...scored.score!, elpdLoo: NaN } };
  assert.notEqual(decodeExecution(encodeExecution(scored)), undefined);
  assert.equal(decodeExecution(encodeExecution(forged)), undefined);
});

Deno.test("LH-25: one term for each datum, and their sum is the score", () => {
  const { elpdPointwise, elpdLoo } = scored.score!;
  assert.equal(elpdPointwise.length, datasets.measured.rows);
  assert.ok(Math.abs(elpdPointwise.reduce((sum, one) => sum + one, 0) - elpdLoo) < 1e-9);
});

Deno.test("LH-33: a parameter for each datum is integrated out, not believed", () => {
  const flexible = `import pymc as pm
with pm.Model() as model:
    m = pm.Normal("m", 2, 3, shape=12)
    pm.Normal("y", m, 0.05, observed=data["y"])
`;
  const { score, diagnostics } = scoreNow(flexible, datasets.measured, defaultSchedule);
  assert.ok(score, JSON.stringify(diagnostics));
  assert.equal(score.looMethod, "gaussian");
  // Left out, a datum is known as well as its prior Normal(2, 3) and its noise tell.
  const y = datasets.measured.columns.find(({ name }) => name === "y")!.values;
  const variance = 9 + 0.05 * 0.05;
  const terms = [...y].map((v) =>
    -((v - 2) ** 2 / variance + Math.log(2 * Math.PI * variance)) / 2
  );
  const exact = terms.reduce((sum, term) => sum + term, 0);
  assert.ok(Math.abs(score.elpdLoo - exact) < 1e-9, `${score.elpdLoo}, not ${exact}`);
});

const rule = {
  terms: [{ judge: elpdLooJudge, weight: 1 }, { judge: logPriorJudge, weight: 1 }],
  failure: { logReward: -40 },
};

Deno.test("LH-38, LH-39: every failure is worth less than every program with a score", () => {
  const worst: Execution = { ...scored, score: { ...scored.score!, elpdReward: -1e9 } };
  const program = { text: honest, logPrior: -3 };
  const valid = logRewardOf(rule, worst, program, datasets.measured).logReward;
  for (const { program: text } of attempts.filter((one) => one.native.kind === "refused")) {
    const failed = scoreNow(text, datasets.measured, defaultSchedule);
    if (failed.score) continue; // refused on counts alone
    const { logReward } = logRewardOf(rule, failed, program, datasets.measured);
    assert.ok(logReward < valid, text);
  }
});

Deno.test("LH-40: the same model under other names has the same hash and the same bits", () => {
  const renamed = attempts.find((one) => one.rule === "LH-40")!;
  const again = scoreNow(renamed.program, datasets.measured, defaultSchedule);
  assert.equal(again.programHash, scored.programHash);
  assert.equal(again.score!.elpdLoo, scored.score!.elpdLoo);
});
