/** Tests of checks in workers, without scores: a program that ends its worker costs no other its answer. */
import assert from "node:assert/strict";
import { sha256 } from "../../src/base/digest.ts";
import { MachineFailure } from "../../src/pipeline/contract/service.ts";
import { checkLikelihoods, type CheckRun, checkTexts } from "../../src/executor/checks.ts";
import { encodeFindings, encodeLikelihood } from "../../src/executor/findings_json.ts";
import type { Job } from "../../src/executor/messages.ts";
import { type ExecutionOutcome, failedExecution } from "../../src/executor/worker_process.ts";

const texts = Array.from({ length: 100 }, (_, i) => `program ${i}`);
const settled = { status: "error", engine: "", engineVersion: "", diagnostics: [] } as const;

/** A pool that checks as workers do, but for one program. */
function run(odd: string, outcome: Partial<ExecutionOutcome>): CheckRun & { readonly jobs: Job[] } {
  const jobs: Job[] = [];
  const execute = (job: Job): Promise<ExecutionOutcome> => {
    jobs.push(job);
    const all = job.wanted?.kind === "checks" ? job.wanted.programs : [job.program];
    const findings = all.map((one) => ({ ok: true, program: { hash: sha256(one) } }) as const);
    const payload = encodeFindings(findings);
    const usual = { execution: settled, wallMs: 1, level: "L1", payload } as const;
    return Promise.resolve(all.includes(odd) ? { ...usual, ...outcome } : usual);
  };
  return { pool: { execute }, workers: 2, admit: () => {}, jobs };
}

const ended = {
  execution: { ...failedExecution("crash", "it ended"), status: "undecided" as const },
};

Deno.test("texts are checked by the dozen, and answered in their order", async () => {
  const pool = run("none", {});
  const found = await checkTexts(pool, texts);
  assert.ok(pool.jobs.length < 10, "few messages");
  assert.deepEqual(found.map((one) => one.ok && one.program.hash), texts.map((t) => sha256(t)));
});

Deno.test("a text that ends its worker is undecided, and those beside it are not", async () => {
  const found = await checkTexts(run("program 17", { ...ended, payload: undefined }), texts);
  assert.deepEqual(found.flatMap((one, i) => one.ok ? [] : [i]), [17]);
  assert.equal(found[17].undecided, true);
  assert.match(found[17].ok ? "" : found[17].diagnostics[0].message, /Cannot decide .* it ended/);
});

Deno.test("an answer that is malformed, or one finding short, is no answer", async () => {
  for (const bytes of ["{", "[]", '[{"code":1}]', "[7]"]) {
    const payload = new TextEncoder().encode(bytes);
    const [found] = await checkTexts(run("program 0", { payload }), texts.slice(0, 1));
    assert.equal(found.undecided, true, bytes);
  }
});

Deno.test("a failure of the machine's ends the check, and so does a level that is too low", async () => {
  const failed = { execution: failedExecution("sandbox_error", "no sandbox"), payload: undefined };
  await assert.rejects(checkTexts(run("program 3", failed), texts), MachineFailure);
  const refuse = () => assert.fail("below its level");
  await assert.rejects(checkTexts({ ...run("", {}), admit: refuse }, texts), /below its level/);
});

Deno.test("likelihoods are checked, unread or undecided; infinities come through", async () => {
  const check = { distributions: 3, massError: Infinity, notShown: 0, holds: false };
  const asked = async (outcome: Partial<ExecutionOutcome>) =>
    (await checkLikelihoods(run("p", outcome), ["p"], 5))[0];
  assert.deepEqual(await asked({ payload: encodeLikelihood(check) }), { kind: "checked", check });
  assert.deepEqual(await asked({ payload: undefined }), { kind: "checked" });
  assert.deepEqual(await asked(ended), { kind: "undecided" });
  assert.deepEqual(await asked({ payload: new Uint8Array(3) }), { kind: "undecided" });
  const rejected = { ...settled, status: "rejected" as const };
  assert.deepEqual(await asked({ execution: rejected }), { kind: "unread" });
});
