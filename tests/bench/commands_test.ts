/** The page of benchmarks quotes the results that are kept. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { commandsTable, sharesTable } from "../../bench/commands/table.ts";

const repositoryText = (path: string) =>
  Deno.readTextFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

Deno.test("the tables of whole commands are those of bench/results/commands.json", () => {
  const results = JSON.parse(repositoryText("bench/results/commands.json"));
  const page = repositoryText("docs/benchmarks.md");
  const between = (mark: string) =>
    page.split(`<!-- ${mark} -->`)[1].split("<!-- end -->")[0].trim();
  assert.equal(between("commands"), commandsTable(results));
  assert.equal(between("shares"), sharesTable(results, "main job, empty cache"));
});
