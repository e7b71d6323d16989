/** The schema's version: a database of another one is refused, and left as it is. */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { join } from "node:path";
import { InputError } from "../../../src/base/diagnostic.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { inFolder } from "./folder.ts";

Deno.test("a database of another version is refused, and left as it is", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    await store.close();
    const path = join(store.folder, "run.duckdb");
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    await connection.run("insert into schema_version values (99, now()::timestamp)");
    connection.closeSync();
    instance.closeSync();
    await assert.rejects(RunStore.open(root, store.runId), (error) => {
      assert.ok(error instanceof InputError);
      assert.equal(error.diagnostics[0].code, "store/other-version");
      return true;
    });
    await assert.rejects(RunStore.open(root, store.runId), InputError);
  });
});
