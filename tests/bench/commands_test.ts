/** Pages quote the results of benchmarks that are kept. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { dataSetsTable } from "../../bench/data_sets/table.ts";
import { commandsTable, sharesTable } from "../../bench/commands/table.ts";

const repositoryText = (path: string) =>
  Deno.readTextFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)));

Deno.test("the tables of whole commands are those of bench/results/commands.json", () => {
  const results = JSON.parse(repositoryText("bench/results/commands.json"));
  const page = repositoryText("bench/results/benchmarks.md");
  const between = (mark: string) =>
    page.split(`<!-- ${mark} -->`)[1].split("<!-- end -->")[0].trim();
  assert.equal(between("commands"), commandsTable(results));
  assert.equal(between("shares"), sharesTable(results, "main job, empty cache"));
});

Deno.test("the table of data sets is that of bench/results/data_sets.json, and agrees but for one", () => {
  const results = JSON.parse(repositoryText("bench/results/data_sets.json"));
  const cells = (table: string) => table.replace(/ +/g, " ").replace(/-+/g, "-");
  const page = repositoryText("bench/results/data_sets.md").split("<!-- data sets -->")[1].split(
    "<!-- end -->",
  )[0];
  assert.equal(cells(page.trim()), cells(dataSetsTable(results)));
  const faults = (one: { faults: string[] }) => one.faults.length > 0;
  assert.deepEqual(Object.keys(results).filter((name) => faults(results[name])), ["Leinhardt"]);
});
