/** Tests of one confined run: refusals before it starts, and the surroundings of a program inside. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { requireHost, runPython } from "../../src/sandbox/run_python.ts";
import { pythonProgram } from "../../src/sandbox/python_program.ts";
import { runProgram } from "../../src/sandbox/run_program.ts";
import { sandboxTest } from "./needs.ts";
import { kernelLevels, runText, smallLimits } from "./python_run.ts";

for (const level of kernelLevels) {
  sandboxTest(`a program finds itself alone, without names, at ${level}`, async () => {
    const text = "import os, json\nprint(json.dumps([sorted(os.environ), os.getcwd()]))";
    const { status, out, attestation } = await runText(text, level);
    assert.equal(status, "ok");
    assert.match(attestation, /^[0-9a-f]{64}$/);
    const names = ["HOME", "LANG", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"];
    const folder = level === "L3" ? "/tmp" : "/";
    assert.deepEqual(JSON.parse(out), [[...names, "PATH", "TMPDIR"], folder]);
  });

  sandboxTest(
    `a layer that does not hold is noticed before the program starts, at ${level}`,
    async () => {
      for (const layer of ["landlock", "seccomp"] as const) {
        const run = runText("print('started')", level, {}, { changes: { without: [layer] } });
        await assert.rejects(run, (error) => {
          assert.ok(error instanceof MissingPartError);
          assert.match(error.message, /attestation: /);
          return true;
        });
      }
    },
  );

  sandboxTest(`each refused call that is allowed again is noticed, at ${level}`, async () => {
    for (const call of ["socket", "clone", "execve", "ptrace", "unshare"] as const) {
      const run = runText("print('started')", level, {}, { changes: { extraCalls: [call] } });
      await assert.rejects(run, MissingPartError, call);
    }
  });
}

sandboxTest("an interpreter that is not there is a missing part", async () => {
  const run = runPython({ script: "/dev/null", python: "/no/python", limits: smallLimits });
  await assert.rejects(run, { name: "MissingPartError", message: /there is no \/no\/python/ });
});

sandboxTest("a supervisor that is gone before its program starts takes it along", async () => {
  const program = pythonProgram({ python: "/usr/bin/python3", script: "/dev/null" }, "L2");
  const host = { ...await requireHost(), supervisor: 1 };
  await assert.rejects(runProgram(program, "L2", host), /the supervisor is gone/);
});

sandboxTest(
  "without bubblewrap there is no level L3, and nothing weaker in its place",
  async () => {
    const program = pythonProgram({ python: "/usr/bin/python3", script: "/dev/null" }, "L3");
    const host = { ...await requireHost(), bubblewrap: "/no/bwrap" };
    await assert.rejects(runProgram(program, "L3", host), /start \/no\/bwrap/);
  },
);

sandboxTest(
  "a kernel without Landlock, or another processor's calls, refuse to start",
  async () => {
    const host = await requireHost();
    const program = pythonProgram({ python: "/usr/bin/python3", script: "/dev/null" }, "L2");
    const none = { ...host, landlockAbi: 0 };
    await assert.rejects(runProgram(program, "L2", none), /landlock_create_ruleset/);
    const arch = host.arch === "x86_64" ? "aarch64" as const : "x86_64" as const;
    await assert.rejects(runProgram(program, "L2", { ...host, arch }), MissingPartError);
  },
);
