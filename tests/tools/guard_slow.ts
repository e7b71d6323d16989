/** A slowdown that is planted in a command is red: one database opened more, one commit more. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cases, countCase } from "../../tools/guard/cases.ts";
import { differences } from "../../tools/guard/compare.ts";
import { temporaryFolder } from "../temporary_folder.ts";

const home = fileURLToPath(new URL("../../", import.meta.url));
const asked = cases.find(({ name }) => name === "a question about two runs")!;

/** Fault of `query` before: work before every answer. */
const planted = `
import { DuckDBInstance } from "@duckdb/node-api";
const instance = await DuckDBInstance.create("more.duckdb");
await (await instance.connect()).run("create table t as select 1");
instance.closeSync();
`;

Deno.test("a database that is opened and written once more turns the guard red", async () => {
  const table = JSON.parse(Deno.readTextFileSync(join(home, "tools/guard/table.json")));
  const folder = temporaryFolder();
  try {
    const module = join(folder, "planted.ts");
    Deno.writeTextFileSync(module, planted);
    const calm = await countCase(asked, home);
    assert.deepEqual(differences(table, { [asked.name]: calm }).filter(({ grew }) => grew), []);
    const slow = await countCase(asked, home, ["--preload", module]);
    const grown = differences(table, { [asked.name]: slow }).map(({ figure }) => figure);
    assert.ok(grown.includes("databases") && grown.includes("commits"), grown.join());
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
