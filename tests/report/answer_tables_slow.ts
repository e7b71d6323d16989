/** Answers as tables of SQL: contents of the file, through the query that users run. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { answerOf } from "../../src/answers/answer.ts";
import { ulid } from "../../src/pipeline/basics/ulid.ts";
import { query } from "../../src/pipeline/store/query.ts";
import { RunStore } from "../../src/pipeline/store/run_store.ts";
import { answerTables } from "../../src/report/answer_tables.ts";
import { writeAnswer } from "../../src/report/answer.ts";
import { spaceOf } from "../answers/spaces.ts";
import { inFolder } from "../pipeline/store/folder.ts";

const answer = answerOf(spaceOf([
  { prior: 0.5, pointwise: [-1, -2], answer: "it's in" },
  { prior: 0.5, pointwise: [-2, -1.5], answer: "out" },
], {
  effects: [{
    ...{
      term: "x",
      against: null,
      at: null,
      ratio: "odds ratio",
      programs: Int32Array.of(0),
    },
    ...{ mean: Float64Array.of(0.5) },
    ...{ q05: Float64Array.of(0.3355), q95: Float64Array.of(0.6645) },
  }],
}));

async function asked<T>(
  use: (ask: (sql: string) => Promise<readonly (readonly unknown[])[]>) => Promise<T>,
) {
  await inFolder(async (root) => {
    for (const hasAnswer of [true, false]) {
      const store = await RunStore.create(root, ulid());
      await store.close();
      if (hasAnswer) await writeAnswer(answer, store.folder);
    }
    await use(async (sql) => (await query(root, sql, { documents: answerTables })).rows);
  });
}

Deno.test("answers, effects and models are rows, with the numbers of the file", async () => {
  await asked(async (ask) => {
    const [first, second] = answer.questions[0].answers;
    assert.deepEqual(
      await ask(
        "select question, answer, target, whole_lo, scored from answer order by target desc",
      ),
      [first, second].map((one) => ["which?", one.answer, one.target, one.whole_lo, one.scored]),
    );
    const [{ ratio, mean }] = answer.effects;
    assert.deepEqual(await ask("select term, mean, ratio, ratio_hi, against from effect"), [
      ["x", mean, "odds ratio", ratio!.hi, null],
    ]);
    assert.deepEqual(
      await ask("select model, target, stacking from model order by target desc"),
      answer.likeliest.map((one) => [one.model, one.target, one.stacking]),
    );
  });
});

Deno.test("docs/tables.md has every column of the answers' tables", async () => {
  const page = fileURLToPath(new URL("../../docs/tables.md", import.meta.url));
  const text = Deno.readTextFileSync(page).split("## Answers")[1];
  await asked(async (ask) => {
    for (const table of Object.keys(answerTables.tables)) {
      const own = text.split(`### \`${table}\``)[1].split("###")[0];
      const columns = (await ask(`select column_name from (describe ${table})`)).flat();
      const lacking = columns.filter((name) => name !== "run_id" && !own.includes(`\`${name}\``));
      assert.deepEqual(lacking, [], join("docs/tables.md", table));
    }
  });
});
