/** Tests of the PyMC front end against a sandbox that only plays its part: levels, retries, ends. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../../src/base/diagnostic.ts";
import { refusePython } from "../../../src/executor/pymc/allowed_python.ts";
import type { FrontEndOptions } from "../../../src/executor/pymc/front_end.ts";
import { PymcFrontEnd } from "../../../src/executor/pymc/front_end.ts";
import { pythonLockDigest, stampFile } from "../../../src/executor/pymc/python_environment.ts";
import type { KernelLevel } from "../../../src/sandbox/attestation.ts";
import type { ProgramRun } from "../../../src/sandbox/run_program.ts";
import type { RunPythonOptions } from "../../../src/sandbox/run_python.ts";
import type { ProcessStatus } from "../../../src/sandbox/run_program.ts";
import { dataset } from "../fake.ts";
import { temporaryFolder } from "../../temporary_folder.ts";

/** A project that claims to have a Python environment; nothing of it is ever started here. */
const root = temporaryFolder();
Deno.mkdirSync(`${root}/.sluice/python/bin`, { recursive: true });
Deno.writeTextFileSync(`${root}/.sluice/python/bin/python`, "");
Deno.writeTextFileSync(stampFile(root), pythonLockDigest());

/** Ends one run after the other with these statuses, then always with the last one. */
class Player {
  readonly runs: RunPythonOptions[] = [];

  constructor(readonly kernelLevel: KernelLevel, readonly statuses: readonly ProcessStatus[]) {}

  level(): Promise<KernelLevel> {
    return Promise.resolve(this.kernelLevel);
  }

  run(options: RunPythonOptions): Promise<ProgramRun> {
    const status = this.statuses[this.runs.length] ?? this.statuses.at(-1)!;
    this.runs.push(options);
    const printed = JSON.stringify({ format: 1, unsupported: "a play", rule: null });
    const stdout = new TextEncoder().encode(printed);
    const stderr = new TextEncoder().encode("first\nImportError: no PyMC\n");
    const { level = "L3" } = options;
    return Promise.resolve({
      ...{ status, level, attestation: "0".repeat(64), wallMs: 1, stdout, stderr },
    });
  }
}

async function play(
  statuses: readonly ProcessStatus[],
  options: Partial<FrontEndOptions> = {},
  level: KernelLevel = "L3",
) {
  const sandbox = new Player(level, statuses);
  const frontEnd = new PymcFrontEnd({ root, slots: 1, refuse: refusePython, sandbox, ...options });
  const result = await frontEnd.extract("x", dataset);
  assert.ok("execution" in result);
  const { status, diagnostics } = result.execution;
  return { runs: sandbox.runs.length, status, code: diagnostics[0].code, level: result.level };
}

const refused = { status: "rejected", code: "unsupported/pymc-graph" };

Deno.test("a failure of the sandbox is tried again, once or as often as is asked for", async () => {
  const first = await play(["sandbox_error", "ok"]);
  assert.deepEqual(first, { runs: 2, ...refused, level: "L3" });
  const failed = { status: "sandbox_error", code: "exec/sandbox_error", level: "L3" };
  assert.deepEqual(await play(["sandbox_error"]), { runs: 2, ...failed });
  assert.deepEqual(await play(["sandbox_error"], { retries: 0 }), { runs: 1, ...failed });
  assert.deepEqual(await play(["sandbox_error"], { retries: 3 }), { runs: 4, ...failed });
});

Deno.test("a program that takes too long is tried again, then undecided if PyMC itself starts", async () => {
  const undecided = { status: "undecided", code: "exec/timeout_wall", level: "L3" };
  for (const origin of ["foreign", "grammar"] as const) {
    const second = await play(["timeout_wall", "ok"], { origin });
    assert.deepEqual(second, { runs: 2, ...refused, level: "L3" });
    const again = await play(["timeout_wall", "timeout_wall", "ok"], { origin });
    assert.deepEqual(again, { runs: 3, ...undecided });
    await assert.rejects(play(["timeout_wall"], { origin }), /PyMC does not start/);
  }
});

Deno.test("a program that says no by itself is not asked twice; PyMC is, once, whether it starts", async () => {
  assert.deepEqual(await play(["error", "ok"], { origin: "grammar" }), {
    ...{ runs: 2, status: "error", code: "budget/python-error", level: "L3" },
  });
  const sandbox = new Player("L3", ["error", "ok", "error"]);
  const frontEnd = new PymcFrontEnd({ root, slots: 1, refuse: refusePython, sandbox });
  for (const text of ["a", "b", "c"]) await frontEnd.extract(text, dataset);
  assert.deepEqual(textsOf(sandbox), ["a", "", "b", "c"]);
});

Deno.test("where PyMC does not start at L3 either, no program is to blame", async () => {
  const frontEnd = new PymcFrontEnd({
    root,
    slots: 1,
    refuse: refusePython,
    sandbox: new Player("L3", ["error"]),
  });
  await assert.rejects(frontEnd.extract("x", dataset), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /does not start at level L3 .*ImportError: no PyMC$/);
    assert.equal(error.remedy, "run `sluice doctor --install-python`");
    return true;
  });
});

Deno.test("an environment without an interpreter is a missing part", async () => {
  const empty = temporaryFolder();
  Deno.mkdirSync(`${empty}/.sluice/python`, { recursive: true });
  Deno.writeTextFileSync(stampFile(empty), pythonLockDigest());
  const sandbox = new Player("L3", ["ok"]);
  const frontEnd = new PymcFrontEnd({ root: empty, slots: 1, refuse: refusePython, sandbox });
  await assert.rejects(frontEnd.extract("x", dataset), /has no interpreter: .*bin\/python$/);
  assert.equal(sandbox.runs.length, 0);
  Deno.removeSync(empty, { recursive: true });
});

/** Programs that the runs received on standard input, in order. */
function textsOf({ runs }: Player): string[] {
  return runs.map(({ stdin }) => JSON.parse(new TextDecoder().decode(stdin)).program);
}

Deno.test("below L3 an empty program is tried first, once for all that come", async () => {
  const sandbox = new Player("L2", ["ok"]);
  const frontEnd = new PymcFrontEnd({ root, slots: 2, refuse: refusePython, sandbox });
  await Promise.all(["a", "b", "c"].map((text) => frontEnd.extract(text, dataset)));
  assert.deepEqual(sandbox.runs.map(({ level }) => level), ["L2", "L2", "L2", "L2"]);
  assert.deepEqual(textsOf(sandbox), ["", "a", "b", "c"]);
  assert.equal((await play(["ok"], {}, "L2")).level, "L2");
});

Deno.test("where PyMC does not start below L3, no program is given to it", async () => {
  const sandbox = new Player("L2", ["error"]);
  const frontEnd = new PymcFrontEnd({ root, slots: 1, refuse: refusePython, sandbox });
  await assert.rejects(frontEnd.extract("x", dataset), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /does not start at level L2 .*ImportError: no PyMC$/);
    return true;
  });
  assert.equal(sandbox.runs.length, 1);
});

Deno.test("a level below the one that is asked for is refused, and nothing is started", async () => {
  const sandbox = new Player("L2", ["ok"]);
  const frontEnd = new PymcFrontEnd({
    root,
    slots: 1,
    refuse: refusePython,
    sandbox,
    minimumLevel: "L3",
  });
  await assert.rejects(frontEnd.extract("x", dataset), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /level L3 .* is asked for, Python reaches L2/);
    return true;
  });
  assert.equal(sandbox.runs.length, 0);
});

Deno.test("a program that is called off before its turn is not started", async () => {
  const sandbox = new Player("L3", ["ok"]);
  const frontEnd = new PymcFrontEnd({ root, slots: 1, refuse: refusePython, sandbox });
  assert.equal(await frontEnd.extract("x", dataset, undefined, () => true), undefined);
  assert.equal(sandbox.runs.length, 0);
  const gone = AbortSignal.abort(new Error("enough"));
  await assert.rejects(frontEnd.extract("x", dataset, gone, () => false), /enough/);
  assert.equal(sandbox.runs.length, 0);
});

Deno.test("a project without an environment, or with another's, is told how to get it", async () => {
  const sandbox = new Player("L3", ["ok"]);
  const bare = temporaryFolder();
  const frontEnd = new PymcFrontEnd({ root: bare, slots: 1, refuse: refusePython, sandbox });
  const missing = { name: "MissingPartError", remedy: "run `sluice doctor --install-python`" };
  await assert.rejects(frontEnd.extract("x", dataset), missing);
  Deno.mkdirSync(`${bare}/.sluice/python`, { recursive: true });
  Deno.writeTextFileSync(stampFile(bare), "another");
  await assert.rejects(frontEnd.extract("x", dataset), missing);
  Deno.removeSync(bare, { recursive: true });
});
