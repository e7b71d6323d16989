/** Withheld rows: which they are, that no program sees them, and what predicting them is worth. */
import assert from "node:assert/strict";
import {
  type Dataset,
  datasetFromJson,
  datasetToJson,
  makeDataset,
} from "../../../src/base/dataset.ts";
import { InputError } from "../../../src/base/diagnostic.ts";
import { markedColumns, withholdRows } from "../../../src/data/holdout.ts";
import { decodeExecution, encodeExecution } from "../../../src/executor/execution_json.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { elpdHoldoutJudge } from "../../../src/engine/score/judges/reward.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { datasets } from "./lh_catalogue.ts";

const all = datasets.measured;
const split = withholdRows(all, { share: 0.25 });

const rowsOf = (columns: Dataset["columns"]) =>
  [...columns[0].values.keys()].map((i) => columns.map(({ values }) => values[i]).join());

Deno.test("a share withholds that many rows, the same each time, and loses none", () => {
  assert.deepEqual([split.rows, split.holdout!.rows], [9, 3]);
  const again = withholdRows(all, { share: 0.25 });
  assert.equal(again.digest, split.digest);
  const both = [...rowsOf(split.columns), ...rowsOf(split.holdout!.columns)];
  assert.deepEqual(both.sort(), rowsOf(all.columns).sort());
});

Deno.test("withheld rows survive JSON and count for the digest", () => {
  const again = datasetFromJson(JSON.parse(JSON.stringify(datasetToJson(split))));
  assert.equal(again.digest, split.digest);
  assert.equal(again.holdout!.rows, 3);
  assert.notEqual(makeDataset(split.name, split.columns).digest, split.digest);
});

Deno.test("a marked column withholds its rows and is gone", () => {
  const mark = Float64Array.of(0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0);
  const column = { name: "test", role: "predictor", type: "binary", values: mark } as const;
  const specs = markedColumns({ y: { role: "response" } }, { column: "test" });
  assert.deepEqual(specs.test, { role: "predictor", type: "binary" });
  const marked = withholdRows(makeDataset("all", [...all.columns, column]), { column: "test" });
  assert.deepEqual(marked.columns.map(({ name }) => name), ["x", "i", "y"]);
  assert.deepEqual([...marked.holdout!.columns[0].values], [1.5, 3.5]);
});

Deno.test("nothing withheld, or nothing left, is the user's mistake", () => {
  for (const share of [0.01, 0.99]) {
    assert.throws(() => withholdRows(all, { share }), InputError);
  }
});

const program = (mu: string) =>
  `import pymc as pm
with pm.Model() as model:
    a = pm.Normal("a", 0, 10)
    pm.Normal("y", ${mu}, 0.7, observed=data["y"])
`;

Deno.test("the ELPD of withheld rows is that of a conjugate posterior", () => {
  const kept = split.columns[2].values;
  const precision = 1 / 100 + kept.length / 0.49;
  const mean = kept.reduce((sum, y) => sum + y, 0) / 0.49 / precision;
  const variance = 0.49 + 1 / precision;
  const exact = [...split.holdout!.columns[2].values].reduce(
    (sum, y) => sum - 0.5 * Math.log(2 * Math.PI * variance) - (y - mean) ** 2 / (2 * variance),
    0,
  );
  const schedule = { ...defaultSchedule, draws: 1000 };
  const { score } = scoreNow(program("a"), split, schedule);
  assert.ok(Math.abs(score!.elpdHoldout! - exact) < 0.1, `${score!.elpdHoldout} ${exact}`);
});

Deno.test("a predictor keeps the scale that it had in the rows that were fitted", () => {
  const { score } = scoreNow(program('a * (data["x"] - data["x"].mean())'), split, defaultSchedule);
  assert.ok(Number.isFinite(score!.elpdHoldout));
  const decoded = decodeExecution(encodeExecution(scoreNow(program("a"), split, defaultSchedule)));
  assert.ok(Number.isFinite(decoded!.score!.elpdHoldout));
});

Deno.test("programs see the rows that are left, and no others", () => {
  const memory = "a + 0.1 * np.arange(9)";
  const text = `import numpy as np\n${program(memory)}`;
  const refused = checkProgram(text, split);
  assert.deepEqual(refused.ok ? [] : refused.diagnostics.map(({ code }) => code), ["lh/row-table"]);
  const execution = scoreNow(text, split, { ...defaultSchedule, rows: "ordered" });
  assert.equal(execution.status, "ok");
  assert.equal(execution.score!.elpdHoldout, undefined, "tied to the rows that were fitted");
  const judged = { text, logPrior: 0 };
  assert.equal(elpdHoldoutJudge.judge(execution, judged, split).logReward, -Infinity);
});

Deno.test("without withheld rows there is nothing to judge", () => {
  const { score } = scoreNow(program("a"), all, defaultSchedule);
  assert.equal("elpdHoldout" in score!, false);
});
