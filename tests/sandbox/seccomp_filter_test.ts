/** Tests of the filter on both processors, asked call by call; and that its bytes are the known ones. */
import assert from "node:assert/strict";
import { sha256 } from "../../src/base/digest.ts";
import { allowedCalls } from "../../src/sandbox/allowed_calls.ts";
import { seccompActions } from "../../src/sandbox/bpf.ts";
import { guardedCalls, ownPidMark } from "../../src/sandbox/guarded_calls.ts";
import { launcherImage } from "../../src/sandbox/launcher_image.ts";
import { execNameOffset, planAddress } from "../../src/sandbox/launcher_layout.ts";
import { encodedFilter, seccompFilter } from "../../src/sandbox/seccomp_filter.ts";
import type { Architecture, SyscallName } from "../../src/sandbox/syscall_numbers.ts";
import { architectures, auditArch } from "../../src/sandbox/syscall_numbers.ts";
import { syscallNames, syscallNumber } from "../../src/sandbox/syscall_numbers.ts";
import { decideOn } from "./bpf_machine.ts";
import pins from "../golden/sandbox_pins.json" with { type: "json" };

const { allow, killProcess, errno } = seccompActions;
const [eperm, enosys] = [errno(1), errno(38)];

function ask(arch: Architecture, name: SyscallName, ...args: (bigint | number)[]): number {
  const number = syscallNumber(name, arch)!;
  return decideOn(seccompFilter({ arch }), {
    number,
    arch: auditArch[arch],
    args: args.map(BigInt),
  });
}

const guarded = new Set<SyscallName>(guardedCalls().map(({ call }) => call));

for (const arch of architectures) {
  Deno.test(`on ${arch} each call is allowed, guarded or refused, as its list says`, () => {
    for (const name of syscallNames) {
      if (syscallNumber(name, arch) === undefined || guarded.has(name)) continue;
      const wanted = allowedCalls.includes(name) ? allow : eperm;
      assert.equal(ask(arch, name), wanted, name);
    }
  });

  Deno.test(`on ${arch} calls without a name here are refused`, () => {
    const known = new Set(syscallNames.map((name) => syscallNumber(name, arch)));
    const filter = seccompFilter({ arch });
    for (let number = 0; number < 600; number++) {
      if (known.has(number)) continue;
      assert.equal(decideOn(filter, { number, arch: auditArch[arch] }), eperm, `${number}`);
    }
  });

  Deno.test(`on ${arch} calls of another convention end the process`, () => {
    const filter = seccompFilter({ arch });
    for (const foreign of [0x40000003, 0x40000028, auditArch.x86_64, auditArch.aarch64]) {
      if (foreign === auditArch[arch]) continue;
      assert.equal(decideOn(filter, { number: 1, arch: foreign }), killProcess);
    }
    assert.equal(decideOn(filter, { number: 0x4000_0027, arch: auditArch[arch] }), killProcess);
    assert.equal(decideOn(filter, { number: 0xffff_ffff, arch: auditArch[arch] }), killProcess);
  });

  Deno.test(`on ${arch} descriptors are copied and asked, and have no owner, lease or lock`, () => {
    const [async, nonBlocking, cloexec] = [0o20000, 0o4000, 1];
    const fcntl = (command: number, argument = 0) => ask(arch, "fcntl", 3, command, argument);
    for (const command of [0, 1, 3, 1030, 1032, 1033, 1034]) assert.equal(fcntl(command), allow);
    assert.deepEqual([fcntl(2, cloexec), fcntl(4, nonBlocking)], [allow, allow]);
    assert.deepEqual([fcntl(4, async), fcntl(4, async | nonBlocking)], [eperm, eperm]);
    // F_GETLK … F_GETOWN_EX, F_OFD_SETLKW, F_SETLEASE … F_NOTIFY, F_CREATED_QUERY, F_SETPIPE_SZ, hints.
    for (
      const command of [5, 6, 7, 8, 9, 10, 11, 15, 16, 36, 37, 38, 1024, 1025, 1026, 1031, 1036]
    ) {
      assert.equal(fcntl(command), eperm, `${command}`);
    }
    assert.equal(ask(arch, "flock", 3, 2), eperm);
  });

  Deno.test(`on ${arch} threads are made, processes and namespaces are not`, () => {
    const thread = 0x3d0f00;
    assert.equal(ask(arch, "clone", thread), allow);
    assert.equal(ask(arch, "clone", 17), eperm);
    assert.equal(ask(arch, "clone", 0x4111), eperm);
    for (let bit = 0; bit < 8; bit++) {
      const namespace = [0x80, 0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000]
        .concat(0x20000000, 0x40000000)[bit];
      assert.equal(ask(arch, "clone", thread | namespace), eperm);
    }
    assert.equal(ask(arch, "clone3"), enosys);
  });

  Deno.test(`on ${arch} one name is executed, and nothing can be put in its place`, () => {
    const name = planAddress + execNameOffset;
    assert.equal(ask(arch, "execve", name), allow);
    for (const other of [0, name - 1, name + 1, 0x7fff_0000_0000n, BigInt(name) + (1n << 32n)]) {
      assert.equal(ask(arch, "execve", other), eperm);
    }
    for (const address of [1, 0x1000, planAddress, name, name & ~0xfff, planAddress + 0xefff]) {
      assert.equal(ask(arch, "mmap", address), eperm);
      assert.equal(ask(arch, "mremap", 0x7f0000000000n, 1, 1, 3, address), eperm);
      assert.equal(ask(arch, "mremap", 0x7f0000000000n, 1, 1, 1, address), allow);
    }
    for (const address of [0n, 0x400000n, 0x7f00_0000_0000n, 1n << 32n]) {
      assert.equal(ask(arch, "mmap", address), allow);
      assert.equal(ask(arch, "mremap", 0x7f0000000000n, 1, 1, 3, address), allow);
    }
  });

  Deno.test(`on ${arch} arguments decide about prctl, ioctl, limits, sockets and signals`, () => {
    assert.equal(ask(arch, "prctl", 15), allow);
    for (const option of [1, 4, 8, 22, 24, 38, 47]) {
      assert.equal(ask(arch, "prctl", option), eperm);
    }
    assert.equal(ask(arch, "ioctl", 1, 0x5401), allow);
    assert.equal(ask(arch, "ioctl", 0, 0x5412), eperm);
    assert.equal(ask(arch, "ioctl", 0, 0x541c), eperm);
    assert.equal(ask(arch, "prlimit64", 0, 7, 0), allow);
    assert.equal(ask(arch, "prlimit64", 0, 7, 0x7f00_0000_0000n), eperm);
    assert.equal(ask(arch, "prlimit64", 0, 7, 1n << 40n), eperm);
    assert.equal(ask(arch, "prlimit64", 1, 7, 0), eperm);
    assert.equal(ask(arch, "socketpair", 1, 0o2004001), allow);
    assert.equal(ask(arch, "socketpair", 1, 2), eperm);
    assert.equal(ask(arch, "socketpair", 16, 1), eperm);
    assert.equal(ask(arch, "sendto", 5, 1, 1, 0, 0), allow);
    assert.equal(ask(arch, "sendto", 5, 1, 1, 0, 0x7fff_0000_0000n), eperm);
    assert.equal(ask(arch, "tgkill", ownPidMark), allow);
    assert.equal(ask(arch, "tgkill", 1), eperm);
  });

  Deno.test(`on ${arch} filter and launcher are byte for byte the known ones`, () => {
    const { bytes, ownPid } = encodedFilter({ arch });
    assert.equal(ownPid.length, 1);
    const found = { filter: sha256(bytes), launcher: sha256(launcherImage(arch)) };
    assert.deepEqual(found, pins[arch]);
  });

  Deno.test(`the launcher for ${arch} lies beside its listing, executable and current`, () => {
    const path = new URL(`../../src/sandbox/launch_${arch}`, import.meta.url);
    const [found, wanted] = [Deno.readFileSync(path), launcherImage(arch)];
    assert.ok(found.length === wanted.length && found.every((byte, i) => byte === wanted[i]));
    if (Deno.build.os !== "windows") assert.equal(Deno.statSync(path).mode! & 0o777, 0o755);
  });
}
