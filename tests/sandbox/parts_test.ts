/** Tests of the parts that a plan is made of: layout, limits, Landlock rights, the keeper's report. */
import assert from "node:assert/strict";
import { InputError } from "../../src/base/diagnostic.ts";
import { confine } from "../../src/sandbox/confinement.ts";
import type { ConfinementHost } from "../../src/sandbox/confinement.ts";
import { splitReport } from "../../src/sandbox/keeper.ts";
import { handledRights, ruleRights } from "../../src/sandbox/landlock.ts";
import { planAddress, planSize, stepFields } from "../../src/sandbox/launcher_layout.ts";
import { checkLimits, limitSteps } from "../../src/sandbox/limits.ts";
import { assemble } from "../../src/sandbox/machine_code.ts";
import { bubblewrapArguments } from "../../src/sandbox/namespaces.ts";
import { Block, encodePlan } from "../../src/sandbox/plan.ts";

const limits = {
  ...{ cpuSeconds: 1, dataBytes: 1 << 30, fileBytes: 0, openFiles: 64, processes: 64 },
};
const program = {
  command: () => ["/bin/true"],
  environment: {},
  world: { bindings: [] },
  limits,
};
const host: ConfinementHost = {
  ...{ arch: "x86_64", landlockAbi: 7, asRoot: true, supervisor: 1 },
  ...{ launcher: "/launcher", bubblewrap: "/usr/bin/bwrap" },
};

Deno.test("a plan has the size that the launcher reads, and addresses within itself", () => {
  const text = new Block(new TextEncoder().encode("abc"));
  const exit = { call: "exit_group", args: [0], label: "leave" } as const;
  const write = { call: "write", args: [1, text, 3], label: "write", expect: 3 } as const;
  const plan = encodePlan([write, exit], "aarch64");
  assert.equal(plan.length, planSize);
  const view = new DataView(plan.buffer);
  assert.equal(view.getBigUint64(stepFields.number, true), 64n);
  const address = Number(view.getBigUint64(stepFields.arguments + 8, true)) - planAddress;
  assert.deepEqual([...plan.subarray(address, address + 3)], [97, 98, 99]);
});

Deno.test("a plan that is too large, or asks for a call that is not there, is refused", () => {
  const large = new Block(new Uint8Array(planSize));
  const write = { call: "write", args: [1, large, 3], label: "write" } as const;
  assert.throws(() => encodePlan([write], "x86_64"), /does not fit/);
  assert.throws(() => encodePlan([{ call: "fork", label: "fork" }], "aarch64"), /no fork/);
});

Deno.test("jumps reach their labels, forwards and backwards", () => {
  const jump = (to: string) => ({
    length: 2,
    to,
    encode: (distance: number) => [0xeb, (distance - 2) & 0xff],
  });
  const code = assemble([{ label: "a" }, jump("b"), { bytes: [0x90] }, { label: "b" }, jump("a")]);
  assert.deepEqual([...code], [0xeb, 0x01, 0x90, 0xeb, 0xfb]);
});

Deno.test("limits that are none are refused, each with its name", () => {
  checkLimits(limits);
  const absurd = [-1, NaN, Infinity, 1.5, 1e99, "7", undefined, null];
  for (const name of ["cpuSeconds", "dataBytes", "fileBytes", "openFiles", "processes"] as const) {
    for (const value of name === "fileBytes" ? absurd : [0, ...absurd]) {
      const wrong = { ...limits, [name]: value };
      assert.throws(() => checkLimits(wrong as typeof limits), (error) => {
        assert.ok(error instanceof InputError);
        assert.match(error.message, new RegExp(`^Cannot set the limit ${name}: `));
        return true;
      });
    }
  }
});

Deno.test("a limit of the supervisor's own that is lower takes the place of the wanted one", () => {
  const value = (steps: ReturnType<typeof limitSteps>, name: string) => {
    const step = steps.find(({ label }) => label === `limit ${name}`)!;
    return [...new BigUint64Array((step.args![2] as Block).bytes.slice().buffer)];
  };
  assert.deepEqual(value(limitSteps(limits), "cpu"), [1n, 2n]);
  assert.deepEqual(value(limitSteps(limits, { processes: 7 }), "processes"), [7n, 7n]);
  assert.deepEqual(value(limitSteps(limits, { processes: 700 }), "processes"), [64n, 64n]);
});

Deno.test("rights that the kernel does not know are not asked for", () => {
  assert.equal(handledRights(1), 0x1fff);
  assert.equal(handledRights(7), 0xffff);
  const write = { path: "/x", kind: "directory", access: "write" } as const;
  assert.equal(ruleRights(write, 1) & ~0x1fff, 0);
  assert.equal(ruleRights({ ...write, kind: "file" }, 7), 0x4006);
  assert.equal(ruleRights({ ...write, access: "read" }, 7), 0xc);
});

Deno.test("a confinement is attested by what it consists of, not by chance", () => {
  const [a, b] = [confine(program, "L3", host), confine(program, "L3", host)];
  assert.equal(a.attestation, b.attestation);
  assert.notEqual(a.nonce, b.nonce);
  assert.notEqual(a.attestation, confine(program, "L2", host).attestation);
  const more = { ...program, limits: { ...limits, openFiles: 65 } };
  assert.notEqual(a.attestation, confine(more, "L3", host).attestation);
  const weaker = confine(program, "L3", host, { extraCalls: ["ptrace"] });
  assert.notEqual(a.attestation, weaker.attestation);
  const older = confine(program, "L3", { ...host, landlockAbi: 5 });
  assert.notEqual(a.attestation, older.attestation, "Landlock without scopes of signals");
  assert.equal(a.preamble.length, 2 * planSize);
});

Deno.test("no option of bubblewrap is one that gives way silently", () => {
  for (const asRoot of [true, false]) {
    const args = bubblewrapArguments({ bindings: [], scratchBytes: 1 }, "/launcher", asRoot);
    assert.deepEqual(args.filter((arg) => arg.endsWith("-try")), []);
    assert.ok(args.indexOf("--remount-ro") > args.indexOf("--tmpfs"));
  }
});

Deno.test("a report counts only behind its mark, as the last bytes", () => {
  const mark = new Uint8Array(16).fill(7);
  const report = new Uint8Array(168);
  report.set(mark);
  const view = new DataView(report.buffer);
  view.setUint32(16, 11, true);
  view.setBigInt64(24, 2n, true);
  view.setBigInt64(32, 500_000n, true);
  view.setBigInt64(56, 1234n, true);
  const said = new TextEncoder().encode("said");
  const whole = Uint8Array.from([...said, ...report]);
  const { text, report: read } = splitReport(whole, mark);
  assert.equal(new TextDecoder().decode(text), "said");
  assert.deepEqual(read, { signal: "SIGSEGV", cpuMs: 2500, maxRssKib: 1234 });
  assert.equal(splitReport(Uint8Array.from([...whole, 0]), mark).report, undefined);
  assert.equal(splitReport(whole, new Uint8Array(16)).report, undefined);
  assert.equal(splitReport(said, mark).report, undefined);
});
