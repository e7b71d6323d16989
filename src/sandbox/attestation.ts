/** Attestation: a process proves its confinement from inside before the program is in it. */
import { digestOf } from "../base/digest.ts";
import { insideLauncher } from "./namespaces.ts";
import type { Step } from "./plan.ts";
import { Block, cString } from "./plan.ts";

/** Level of confinement that the kernel enforces. */
export type KernelLevel = "L2" | "L3";

/** Where a process proves its confinement; the files around it differ. */
export type Place = KernelLevel | "container";

/** One thing that is tried, and the only answer that is accepted. */
interface Probe {
  readonly name: string;
  readonly step: Omit<Step, "label" | "expect">;
  /** The answer at each place; absent where the place does not promise it. */
  readonly answer: Partial<Record<Place, number>>;
}

const [EPERM, ENOENT, EBADF, EACCES, EROFS] = [-1, -2, -9, -13, -30];
const [noNewPrivs, seccompMode] = [39, 21];
const filterMode = 2;
const currentFolder = -100;
const [inet, datagram, discardPort, firstFree, ENETUNREACH] = [2, 2, 9, 3, -101];
const [writeCreateExclusive, mode, folder] = [0o301, 0o600, 0o200000];
const all = (answer: number) => ({ L2: answer, L3: answer, container: answer });

/** All probes; their calls change nothing outside, whatever the answer is. */
const probes: readonly Probe[] = [
  {
    name: "no_new_privs",
    step: { call: "prctl", args: [noNewPrivs, 0, 0, 0, 0] },
    answer: all(1),
  },
  {
    name: "seccomp",
    step: { call: "prctl", args: [seccompMode, 0, 0, 0, 0] },
    answer: all(filterMode),
  },
  { name: "descriptors", step: { call: "fcntl", args: [3, 1, 0] }, answer: all(EBADF) },
  { name: "inet", step: { call: "socket", args: [2, 1, 0] }, answer: all(EPERM) },
  { name: "unix", step: { call: "socket", args: [1, 1, 0] }, answer: all(EPERM) },
  { name: "vsock", step: { call: "socket", args: [40, 1, 0] }, answer: all(EPERM) },
  { name: "fork", step: { call: "clone", args: [17, 0, 0, 0, 0] }, answer: all(EPERM) },
  {
    name: "exec",
    step: { call: "execve", args: [cString("/bin/sh"), 0, 0] },
    answer: all(EPERM),
  },
  { name: "ptrace", step: { call: "ptrace", args: [0, 0, 0, 0] }, answer: all(EPERM) },
  { name: "unshare", step: { call: "unshare", args: [0x1000_0000] }, answer: all(EPERM) },
  {
    name: "read",
    step: { call: "openat", args: [currentFolder, cString("/etc/passwd"), 0, 0] },
    answer: { L2: EACCES, L3: ENOENT },
  },
  {
    name: "list",
    step: { call: "openat", args: [currentFolder, cString("/"), folder, 0] },
    answer: { container: EACCES }, // its files are not ours to name
  },
  {
    name: "proc",
    step: { call: "openat", args: [currentFolder, cString("/proc/self/environ"), 0, 0] },
    answer: { L2: EACCES, L3: ENOENT, container: EACCES },
  },
  {
    name: "write",
    step: {
      call: "openat",
      args: [currentFolder, cString("/sluice-probe"), writeCreateExclusive, mode],
    },
    answer: { L2: EACCES, L3: EROFS, container: EROFS },
  },
  {
    name: "landlock",
    step: { call: "openat", args: [currentFolder, cString(insideLauncher), 0, 0] },
    answer: { L3: EACCES, container: EACCES }, // the launcher is there, and readable for all
  },
  { name: "pid", step: { call: "getpid" }, answer: { L3: 2 } },
  { name: "parent", step: { call: "getppid" }, answer: { L3: 1, container: 1 } },
];

/**
 * Names of everything that is tried at a level, or in a container.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { probesAt } from "./attestation.ts";
 * assert(probesAt("L2").includes("inet")); // no socket to the network
 * ```
 */
export function probesAt(place: Place): readonly string[] {
  return probes.filter(({ answer }) => answer[place] !== undefined).map(({ name }) => name);
}

/**
 * The steps that try, at the very end of a plan, forbidden actions: another answer than the one
 * expected ends the process. A layer that holds here holds for the program: none can be taken off,
 * and `execve` keeps them.
 */
export function probeSteps(place: Place): Step[] {
  return probes.flatMap(({ name, step, answer }) => {
    const expect = answer[place];
    return expect === undefined ? [] : [{ ...step, expect, label: `attestation: ${name}` }];
  });
}

/**
 * The steps by which a container proves that it has no network, before sockets are forbidden: an
 * address for documentation (RFC 5737) has no route. Nothing is sent.
 */
export function noRouteSteps(): Step[] {
  const address = new Uint8Array(16);
  address.set([inet, 0, 0, discardPort, 192, 0, 2, 1]);
  return [
    { call: "socket", args: [inet, datagram, 0], label: "socket", expect: firstFree },
    {
      call: "connect",
      args: [firstFree, new Block(address), address.length],
      label: "attestation: network",
      expect: ENETUNREACH,
    },
    { call: "close", args: [firstFree], label: "close the socket" },
  ];
}

/** SHA-256 of everything that a confinement consists of. */
export function attestationHash(document: unknown): string {
  return digestOf(document);
}
