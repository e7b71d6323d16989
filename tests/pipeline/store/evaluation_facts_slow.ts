/** Facts of measures: a row says what it measures and of whom, and no fact is told twice. */
import assert from "node:assert/strict";
import { checkEvaluation } from "../../../src/pipeline/store/evaluation_facts.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { inFolder } from "./folder.ts";

const incomplete: readonly (readonly [Record<string, unknown>, RegExp])[] = [
  [{ measure: "tv" }, /wanted measure, subject and subject_kind \(policy, compared, prior, .*\)/],
  [{ measure: "tv", subject_kind: "priors", subject: "x" }, /found .*"subject_kind":"priors"/],
  [{ subject_kind: "prior", subject: "prior" }, /^internal: table "evaluation": wanted measure/],
];

for (const [row, message] of incomplete) {
  Deno.test(`a measure of ${JSON.stringify(row)} is refused`, () => {
    assert.throws(() => checkEvaluation(row), { name: "TypeError", message });
  });
}

const tv = { measure: "tv", subject_kind: "compared", subject: "prior", value: 0.5 };
const at = { stage: "train.progress", step: 4 };
const sameKey =
  /^internal: table "evaluation" has a row of stage = \w.*, measure = tv, .* already; /;

Deno.test("a second measure with the same key is refused, others are not", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    const others = [{ seed: 1 }, { group: "first prompt" }, { seed: 1, group: "first prompt" }];
    const rows = [
      tv,
      { ...tv, subject_kind: "prior" },
      ...others.map((one) => ({ ...tv, ...one })),
    ];
    store.append("evaluation", rows, at);
    store.append("evaluation", [tv], { ...at, step: 8 });
    for (const row of rows) {
      assert.throws(() => store.append("evaluation", [{ ...row, value: 1 }], at), {
        name: "TypeError",
        message: sameKey,
      });
    }
    await store.close();
    const again = await RunStore.open(root, store.runId);
    assert.throws(() => again.append("evaluation", [tv], at), { message: sameKey });
    const values = "select count(*)::integer, min(value), max(value) from evaluation";
    assert.deepEqual(await again.select(values), [[6, 0.5, 0.5]]);
    await again.close();
    const { rows: kept } = await RunStore.rebuild(again.folder);
    assert.equal(kept, 6);
  });
});

Deno.test("a stage that is taken back to a checkpoint measures what came after it again", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    store.append("evaluation", [tv], at);
    store.append("evaluation", [tv], { stage: "evaluate" });
    const segment = await store.cut("train");
    store.append("evaluation", [tv], { ...at, step: 8 });
    await store.deleteRows("train", 4, segment);
    store.append("evaluation", [{ ...tv, value: 0.25 }], { ...at, step: 8 });
    assert.throws(() => store.append("evaluation", [tv], at), { message: sameKey });
    assert.throws(() => store.append("evaluation", [tv], { stage: "evaluate" }), {
      message: sameKey,
    });
    const sql = "select step::integer, value from evaluation order by step";
    assert.deepEqual(await store.select(sql), [[0, 0.5], [4, 0.5], [8, 0.25]]);
    await store.close();
  });
});
