/** Tests of databases that reach nothing outside: the writer's, and the checks' on top of it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { runChecks } from "../../../src/pipeline/run/checks.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { inFolder } from "./folder.ts";

const outside: readonly string[] = [
  "select * from read_text('/etc/hostname')",
  "attach '/tmp/other.duckdb' as other",
  "copy (select 1) to '/tmp/out.csv'",
  "set enable_external_access = true",
];

Deno.test("the database of a run reaches nothing outside from the moment it is open", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    for (const sql of outside) {
      await assert.rejects(store.select(sql), /Permission Error|Cannot enable external/, sql);
    }
    await store.close();
    const again = await RunStore.open(root, store.runId);
    for (const sql of outside) await assert.rejects(again.select(sql), Error, sql);
    await again.close();
  });
});

Deno.test("a check can write no file, also not where the rows of its run lie", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    const file = join(store.folder, "rows", "train-1-000001.ndjson");
    const checks = [file, "/tmp/out.csv"].map((to) => ({ sql: `copy (select 1) to '${to}'` }));
    for (const { passed, found } of await runChecks(store, checks)) {
      assert.equal(passed, false);
      assert.match(found, /^it is no query$|^Permission Error/);
    }
    assert.equal(existsSync(file), false);
    await store.close();
  });
});

const tooMuch = [
  {
    title: "time",
    sql: "select count(*) = 1 from range(100000000000) a(x) where x * x % 7 = 3",
    limits: { timeout: 0.5, memory: 2 * 1024 ** 3 },
    found: /no answer within 0\.5 s; --check-timeout/,
  },
  {
    title: "memory",
    sql: "select count(distinct x) = 1 from range(30000000) t(x)",
    limits: { timeout: 600, memory: 50 * 1024 ** 2 },
    found: /Out of Memory Error.*--check-memory/,
  },
];

for (const { title, sql, limits, found } of tooMuch) {
  Deno.test(`a check that takes too much ${title} does not hold, and says which flag gives more`, async () => {
    await inFolder(async (root) => {
      const store = await RunStore.create(root, ulid());
      const outcomes = await runChecks(store, [{ sql }, { sql: "select true" }], { limits });
      assert.deepEqual(outcomes.map(({ passed }) => passed), [false, true]);
      assert.match(outcomes[0].found, found);
      await store.close();
    });
  });
}
