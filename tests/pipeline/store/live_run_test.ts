/** Runs that go on: a query reads the rows of the tables that it names, and no others. */
import assert from "node:assert/strict";
import { attachLive } from "../../../src/pipeline/store/live_run.ts";
import { openInMemory } from "../../../src/pipeline/store/closed_database.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { type TableName, tableNames } from "../../../src/pipeline/store/schema.ts";
import { tablesNamed } from "../../../src/pipeline/store/tables_named.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { inFolder } from "./folder.ts";

Deno.test("tables are known by the words of the SQL, and all where it may name them otherwise", () => {
  assert.deepEqual(tablesNamed("select max(step) from Metric m"), ["metric"]);
  assert.deepEqual(tablesNamed("select 1"), []);
  assert.deepEqual(tablesNamed("from query_table('met' || 'ric')"), tableNames);
  assert.deepEqual(tablesNamed(undefined), tableNames);
});

Deno.test("of a run that goes on the wanted tables have their rows, the others none", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    const learn = { stage: "train.learn", step: 1 };
    store.append("metric", [{ name: "loss", value: 0.5 }, { name: "log_z", value: NaN }], learn);
    store.append("trajectory", [{ idx: 0, tokens: [1], replayed: false }], learn);
    await store.flush();
    const counts = async (wanted: readonly TableName[]) => {
      const instance = await openInMemory({});
      const connection = await instance.connect();
      const run = { folder: store.folder, runId: store.runId, alias: "live" };
      await attachLive(connection, run, wanted);
      const sql = "select (select count(*) from live.main.metric)::int, " +
        "(select count(*) from live.main.trajectory)::int";
      const [found] = (await connection.runAndReadAll(sql)).getRowsJS();
      connection.closeSync();
      instance.closeSync();
      return found;
    };
    assert.deepEqual(await counts(["metric"]), [2, 0]);
    assert.deepEqual(await counts(tableNames), [2, 1]);
    await store.close();
  });
});
