/** Tests that no execution below the policy's level is made, recalled or handed to a judge. */
import assert from "node:assert/strict";
import { datasetToJson } from "../../src/base/dataset.ts";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import type { ExecutedProgram } from "../../src/executor/executor.ts";
import { Executor } from "../../src/executor/executor.ts";
import { ExecutorSession } from "../../src/executor/service.ts";
import { denoLauncher } from "../../src/sandbox/launcher.ts";
import type { ConfinedRecord } from "../../src/sandbox/policy.ts";
import { policyBreach } from "../../src/sandbox/policy.ts";
import { dataset, fakeWorker, schedule } from "../executor/fake.ts";

const attestation = "0".repeat(64);
const records: readonly (readonly [ConfinedRecord, grammar: boolean, foreign: boolean])[] = [
  [{ level: "L0" }, false, false],
  [{ level: "L0", attestation }, false, false],
  [{ level: "L1" }, true, false],
  [{ level: "L2" }, false, false],
  [{ level: "L2", attestation: "yes" }, false, false],
  [{ level: "L2", attestation }, true, true],
  [{ level: "L3", attestation }, true, true],
];

Deno.test("a record satisfies a policy by its level and, from L2 on, its attestation", () => {
  for (const [record, grammar, foreign] of records) {
    assert.equal(policyBreach(record, "grammar") === undefined, grammar, JSON.stringify(record));
    assert.equal(policyBreach(record, "foreign") === undefined, foreign, JSON.stringify(record));
  }
});

Deno.test("a level that the user demands raises a policy, and never lowers it", () => {
  const breach = (level: "L1" | "L2" | "L3", demanded: "L1" | "L2" | "L3") =>
    (["grammar", "foreign"] as const).map((origin) =>
      policyBreach(level === "L1" ? { level } : { level, attestation }, origin, demanded)
        ?.match(/level (L.) of/)?.[1]
    );
  assert.deepEqual(breach("L1", "L1"), [undefined, "L2"]);
  assert.deepEqual(breach("L1", "L3"), ["L3", "L3"]);
  assert.deepEqual(breach("L2", "L3"), ["L3", "L3"]);
  assert.deepEqual(breach("L3", "L3"), [undefined, undefined]);
  assert.deepEqual(breach("L2", "L1"), [undefined, undefined]);
});

Deno.test("a demanded level that cannot be had: exit status 3, nothing is started", async () => {
  let started = false;
  const launcher = { ...denoLauncher, start: () => (started = true, denoLauncher.start("", 1)) };
  const executor = new Executor({ root: "/no/such/folder", launcher, minimumLevel: "L3" });
  await assert.rejects(executor.executeAll(["x"], { dataset, schedule }), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /ask for level L3 .* offers L1/);
    return true;
  });
  assert.equal(started, false);
});

Deno.test("what ran below a demanded level is not recalled, and reaches no judge", async () => {
  const root = Deno.makeTempDirSync();
  const options = { root, workers: 1, workerFile: fakeWorker };
  const run = async (extra: object) => {
    const executor = new Executor({ ...options, ...extra });
    const [{ memo, level }] = await executor.executeAll(["score 1"], { dataset, schedule });
    await executor.close();
    return { memo, level };
  };
  const claims = { level: "L2", start: denoLauncher.start } as const; // without an attestation
  assert.deepEqual(await run({ launcher: denoLauncher }), { memo: false, level: "L1" });
  assert.deepEqual(await run({ launcher: denoLauncher }), { memo: true, level: "L1" });
  assert.deepEqual(await run({ launcher: claims, minimumLevel: "L2" }), {
    ...{ memo: false, level: "L2" },
  });
  Deno.removeSync(root, { recursive: true });
});

Deno.test("text of foreign origin is not executed at level L1: exit status 3, nothing is started", async () => {
  let started = false;
  const launcher = { ...denoLauncher, start: () => (started = true, denoLauncher.start("", 1)) };
  const executor = new Executor({ root: "/no/such/folder", launcher });
  const request = { dataset, schedule, origin: "foreign" } as const;
  await assert.rejects(executor.executeAll(["x"], request), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /ask for level L2 .* offers L1/);
    return true;
  });
  assert.equal(started, false);
});

Deno.test("an execution whose record breaks the policy reaches no judge", async () => {
  for (const [record, grammar, foreign] of records) {
    const outcome = { status: "rejected", engine: "", engineVersion: "", diagnostics: [] } as const;
    const executed: ExecutedProgram = { outcome, memo: false, wallMs: 1, ...record };
    const executor = {
      ...{ digestOf: () => "", executeAll: () => Promise.resolve([executed]) },
    } as unknown as Executor;
    const caller = { append: () => {}, onProgress: () => {} };
    const session = new ExecutorSession(() => executor, caller);
    const { signal } = new AbortController();
    const named = { executor: "native", programs: ["x"] };
    const request = { ...named, dataset: datasetToJson(dataset), schedule };
    for (const origin of [undefined, "grammar", "foreign", "friends"]) {
      const answer = session.answer({ ...request, origin }, signal);
      const allowed = origin === undefined || origin === "grammar" ? grammar : foreign;
      if (allowed) assert.deepEqual(await answer, [outcome]);
      else await assert.rejects(answer, MissingPartError);
    }
  }
});
