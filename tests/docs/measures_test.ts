/** The measures that stages take are those of the docs, and the docs' queries of them run. */
import assert from "node:assert/strict";
import { subjectKinds } from "../../src/base/measure_subject.ts";
import { query } from "../../src/pipeline/store/query.ts";
import { measureNames } from "../../stages/evaluation/measure.ts";
import { inFolder } from "../pipeline/store/folder.ts";
import { read } from "./markdown.ts";

/** Names in code in the first column of the tables of a part of a page. */
function firstColumn(page: string, heading: string): string[] {
  const part = read(page).split(/^(?=#{2,3} )/m).find((one) => one.startsWith(heading))!;
  const cells = part.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|")[1]);
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
}

Deno.test("every measure has a row in docs/stages.md", () => {
  const evaluated = firstColumn("docs/stages.md", "## `evaluate_kl`");
  const checked = firstColumn("docs/stages.md", "## `integrity`");
  const answered = firstColumn("docs/stages.md", "## `benchmark`");
  const amortised = firstColumn("docs/stages.md", "## `evaluate_amortised`");
  const named = [...evaluated, ...checked, ...answered, ...amortised];
  const missing = measureNames.filter((name) => !named.includes(name));
  assert.deepEqual(missing, []);
});

Deno.test("every kind of subject has a row in docs/tables.md and in docs/evaluation.md", () => {
  const table = firstColumn("docs/tables.md", "### `evaluation`");
  const page = firstColumn("docs/evaluation.md", "## Baselines");
  assert.deepEqual(subjectKinds.filter((kind) => !table.includes(kind)), []);
  assert.deepEqual(subjectKinds.filter((kind) => !page.includes(kind)), ["policy"]);
});

Deno.test("the queries that docs/tables.md shows can be asked", async () => {
  const shown = [...read("docs/tables.md").matchAll(/```sql\n([^`]+)```/g)].map(([, sql]) => sql);
  assert.ok(shown.some((sql) => sql.includes("from evaluation")));
  await inFolder(async (root) => {
    for (const sql of shown) await query(root, sql);
  });
});
