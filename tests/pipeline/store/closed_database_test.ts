/** Tests of databases that reach nothing outside: the writer's, and the checks' on top of it. */
import assert from "node:assert/strict";
import { runChecks } from "../../../src/pipeline/run/checks.ts";
import { RunStore } from "../../../src/pipeline/store/run_store.ts";
import { ulid } from "../../../src/pipeline/store/ulid.ts";
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

Deno.test("a check that takes too much does not hold, and says which flag gives it more", async () => {
  await inFolder(async (root) => {
    const store = await RunStore.create(root, ulid());
    const long = "select count(*) = 1 from range(100000000000) a(x) where x * x % 7 = 3";
    const large = "select count(distinct x) = 1 from range(30000000) t(x)";
    const fine = "select true";
    const limits = { timeout: 1, memory: 50 * 1024 ** 2 };
    const checks = [long, large, fine].map((sql) => ({ sql }));
    const outcomes = await runChecks(store, checks, limits);
    assert.deepEqual(outcomes.map(({ passed }) => passed), [false, false, true]);
    assert.match(outcomes[0].found, /no answer within 1 s; --check-timeout/);
    assert.match(outcomes[1].found, /Out of Memory Error.*--check-memory/);
    await store.close();
  });
});
