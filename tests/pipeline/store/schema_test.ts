/** Tests of the schema's versions: databases of other versions are migrated or refused. */
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { join } from "node:path";
import { InputError } from "../../../src/base/diagnostic.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import {
  migrations,
  migrationStatements,
  schemaVersion,
} from "../../../src/pipeline/store/schema.ts";
import { ulid } from "../../../src/pipeline/store/ulid.ts";
import { inFolder } from "./folder.ts";

Deno.test("there is one migration between each version of the schema and the next", () => {
  assert.equal(migrations.length, schemaVersion - 1);
  assert.deepEqual(migrationStatements(schemaVersion), []);
});

Deno.test("a database of a newer version is refused, and left as it is", async () => {
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
      assert.equal(error.diagnostics[0].code, "store/newer");
      return true;
    });
    await assert.rejects(RunStore.open(root, store.runId), InputError);
  });
});
