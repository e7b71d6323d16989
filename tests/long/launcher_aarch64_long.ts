/**
 * The launcher for aarch64, run by QEMU's emulation of that processor's programs: apt-get install
 * qemu-user-static. QEMU has neither Landlock nor seccomp, so that a plan must end there.
 */
import assert from "node:assert/strict";
import { launcherPath } from "../../src/sandbox/host.ts";
import { dieWithKeeper, keeperSteps, splitReport } from "../../src/sandbox/keeper.ts";
import { landlockSteps } from "../../src/sandbox/landlock.ts";
import { limitSteps } from "../../src/sandbox/limits.ts";
import type { Step } from "../../src/sandbox/plan.ts";
import { Block, cString, encodePlan, Pointers } from "../../src/sandbox/plan.ts";
import { noCapabilities, noNewPrivileges } from "../../src/sandbox/privileges.ts";
import { encodedFilter } from "../../src/sandbox/seccomp_filter.ts";

const emulator = "qemu-aarch64-static";
const leave: Step = { call: "exit_group", args: [7], label: "leave" };

function say(text: string): Step {
  const bytes = new TextEncoder().encode(text);
  return { call: "write", args: [1, new Block(bytes), bytes.length], label: "say", expect: "any" };
}

async function run(steps: readonly Step[]) {
  const child = new Deno.Command(emulator, {
    ...{ args: [launcherPath("aarch64")], stdin: "piped", stdout: "piped", stderr: "piped" },
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(encodePlan(steps, "aarch64"));
  const { code, stdout, stderr } = await child.output();
  await writer.close().catch(() => {});
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), err: text(stderr), stderr };
}

Deno.test("on aarch64 the launcher makes a plan's calls in turn and ends as it says", async () => {
  const { code, out, err } = await run([say("one, "), say("two"), leave]);
  assert.deepEqual([code, out, err], [7, "one, two", ""]);
});

Deno.test("on aarch64 a call with another result than the wanted one ends the plan", async () => {
  const close: Step = { call: "close", args: [77], label: "close what is not open" };
  const { code, out, err } = await run([close, say("went on"), leave]);
  assert.deepEqual([code, out, err], [9, "", "sluice launcher: close what is not open\n"]);
});

Deno.test("on aarch64 a result is stored, and found by a later call", async () => {
  const place = new Block(new Uint8Array(8));
  const duplicate: Step = { call: "fcntl", args: [1, 0, 50], label: "dup", expect: 50 };
  const store: Step = { ...duplicate, store: { block: place, offset: 0 } };
  const show: Step = { call: "write", args: [1, place, 4], label: "show", expect: 4 };
  assert.equal((await run([store, show, leave])).out, "2\0\0\0"); // 50 is the digit 2
});

Deno.test("on aarch64 a keeper waits for its child, and reports how it ended", async () => {
  const mark = crypto.getRandomValues(new Uint8Array(16));
  const child: Step = { call: "exit_group", args: [5], label: "leave" };
  const { code, out, stderr } = await run(keeperSteps([dieWithKeeper, say("child"), child], {
    ...{ mark, wallMs: 20_000 },
  }));
  assert.deepEqual([code, out], [0, "child"]);
  assert.equal(splitReport(stderr, mark).report?.exit, 5);
});

Deno.test("on aarch64 a keeper kills its child at the limit of wall time", async () => {
  const mark = crypto.getRandomValues(new Uint8Array(16));
  const nothing = new Block(new Uint8Array(8));
  const args = [nothing, 0, 0, 8];
  const steps = [dieWithKeeper, { call: "rt_sigtimedwait", args, label: "sleep" } as const];
  const { stderr } = await run(keeperSteps(steps, { mark, wallMs: 500 }));
  assert.equal(splitReport(stderr, mark).report?.signal, "SIGKILL");
});

Deno.test("on aarch64 limits are set, privileges given up, and a program executed", async () => {
  const limits = { cpuSeconds: 10, dataBytes: 1 << 30, fileBytes: 0, openFiles: 64, processes: 99 };
  const { code, out } = await run([
    ...limitSteps(limits, { openFiles: 64 }),
    ...[noCapabilities(), noNewPrivileges],
    {
      call: "execve",
      args: [cString("/bin/echo"), Pointers.ofTexts(["echo", "done"]), Pointers.ofTexts([])],
      label: "start",
    },
  ]);
  assert.deepEqual([code, out], [0, "done\n"]);
});

Deno.test("on aarch64 a kernel without Landlock or seccomp ends the plan: nothing is started", async () => {
  const filter = new Block(encodedFilter({ arch: "aarch64" }).bytes);
  const header = new Pointers([filter.bytes.length / 8, filter]);
  const seccomp: Step = { call: "prctl", args: [22, 2, header, 0, 0], label: "seccomp" };
  for (const layer of [landlockSteps([], 7), [noNewPrivileges, seccomp]]) {
    const { code, out, err } = await run([...layer, say("started"), leave]);
    assert.notEqual(code, 7);
    assert.equal(out, "");
    assert.match(err, /^sluice launcher: (landlock_create_ruleset|seccomp)\n$/);
  }
});
