/** Targets whose rows follow each other in time: judges that go with it, keys that contradict it. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { withholdRows } from "../../src/data/holdout.ts";
import { defaultSchedule, type Execution } from "../../src/engine/score/execution/execution.ts";
import { builtInJudges } from "../../src/engine/score/judges/built_in_judges.ts";
import { scoreNow } from "../../src/engine/score/score.ts";
import { requireTimeJudges, timedData } from "../../stages/target/time.ts";

const judges = (...names: readonly string[]) => names.map((name) => builtInJudges.get(name)!);
const data = makeDataset("d", [
  { name: "y", role: "response", type: "real", values: Float64Array.of(3, 1, 2, 4, 6, 5) },
  { name: "t", role: "time", type: "real", values: Float64Array.of(3, 1, 2, 4, 6, 5) },
]);
const asked = { time: "t", time_ahead: 1, rows: "exchangeable" } as const;

function refusal(run: () => void): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof InputError);
    const [{ message, hint }] = error.diagnostics;
    return `${message} -- ${hint}`;
  }
  assert.fail("nothing was refused");
}

Deno.test("a target with time has its rows in that order, one without has them as they are", () => {
  const timed = timedData(data, asked);
  assert.deepEqual([...timed.data.columns[0].values], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(timed.time, { column: "t", first: 2, ahead: 1 });
  const { data: same, ...rest } = timedData(data, { time_ahead: 1, rows: "exchangeable" });
  assert.equal(same, data);
  assert.deepEqual(rest, {});
});

Deno.test("keys that contradict time are refused", () => {
  assert.match(
    refusal(() => timedData(data, { ...asked, rows: "ordered" })),
    /rows = "ordered", but row 2 \(1\) belongs before row 1 \(3\)/,
  );
  assert.match(
    refusal(() => timedData(data, { ...asked, unit: "row" })),
    /leave unit out, or time/,
  );
  const { time: _, ...without } = asked;
  assert.match(refusal(() => timedData(data, { ...without, time_first: 3 })), /has no time/);
  assert.match(refusal(() => timedData(data, { ...asked, time_first: 6 })), /have 6 rows/);
  const withheld = withholdRows(data, { share: 0.3 });
  assert.match(refusal(() => timedData(withheld, asked)), /rows are withheld/);
});

Deno.test("elpd_lfo wants time, and time wants no judge that leaves rows out", () => {
  requireTimeJudges(judges("elpd_lfo", "log_prior"), true);
  requireTimeJudges(judges("elpd_loo", "log_prior"), false);
  assert.match(
    refusal(() => requireTimeJudges(judges("elpd_lfo"), false)),
    /write time = "column"/,
  );
  assert.match(
    refusal(() => requireTimeJudges(judges("elpd_loo"), true)),
    /later rows may know .* write \{ judge = "elpd_lfo" \}/,
  );
});

Deno.test("elpd_lfo says what leave-future-out says, and nothing of another score", () => {
  const text = 'with pm.Model():\n    pm.Normal("o", pm.Normal("m", 0, 3), 1, observed=data["y"])';
  const judge = builtInJudges.get("elpd_lfo")!;
  const { data: ordered, time } = timedData(data, asked);
  const program = { text, logPrior: 0 };
  const opinion = (execution: Execution) => judge.judge(execution, program, ordered);
  const own = scoreNow(text, ordered, { ...defaultSchedule, time: time! });
  assert.equal(opinion(own).logReward, own.score!.elpdReward);
  assert.equal(own.score!.elpdPointwise.length, 4);
  const other = scoreNow(text, ordered, defaultSchedule);
  assert.throws(() => opinion(other), /another kind/);
});
