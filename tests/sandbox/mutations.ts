/** Purpose of each part of a layer: the attack that succeeds when this part alone is left out. */
import type { KernelLevel } from "../../src/sandbox/attestation.ts";
import type { LayerChanges } from "../../src/sandbox/confinement.ts";
import { landlockRights } from "../../src/sandbox/landlock.ts";
import type { LimitName } from "../../src/sandbox/limits.ts";
import { namespaceOptions } from "../../src/sandbox/namespaces.ts";
import type { SyscallName } from "../../src/sandbox/syscall_numbers.ts";

/** One part left out, where the other layers are off already. */
export interface Mutation {
  readonly part: string;
  readonly attack: string;
  readonly level: KernelLevel;
  /** The other layers, off. */
  readonly before: LayerChanges;
  /** The part that is left out as well. */
  readonly change: LayerChanges;
}

const seccompAlone: LayerChanges = { without: ["landlock", "attestation"] };
const landlockAlone: LayerChanges = {
  without: ["seccomp", "attestation"],
  unlimited: ["fileSize"],
};
const namespacesAlone: LayerChanges = { without: ["seccomp", "landlock", "attestation"] };

/** Parts beside the filter that stop some attacks; they are off for these attacks. */
const besides: Readonly<Record<string, LayerChanges>> = {
  "PX-10b": { without: ["privileges"] }, // an unprivileged process may not trace a privileged one
  "KX-03a": { without: ["privileges"] },
  "NW-11": { unlimited: ["lockedMemory"] },
};

/** Calls that are refused, or allowed with some arguments only, and who would use them. */
const calls: readonly (readonly [attack: string, ...calls: SyscallName[]])[] = [
  ["PX-03", "clone"],
  ["PX-04c", "clone3"],
  ["PX-01d", "execve"],
  ["PX-01e", "execveat"],
  ["PX-06c", "mmap"],
  ["PX-06d", "mremap"],
  ["PX-15", "prctl"],
  ["KX-06", "ioctl"],
  ["PX-10c", "prlimit64"],
  ["NW-16", "socketpair", "sendto"],
  ["NW-17", "socketpair", "sendmsg"],
  ["PX-10", "kill"],
  ["PX-10b", "ptrace"],
  ["PX-10d", "pidfd_open"],
  ["PX-10e", "rt_sigqueueinfo"],
  ["PX-10f", "tgkill"],
  ["PX-10h", "fcntl"],
  ["PX-10i", "flock"],
  ["KX-03a", "process_vm_readv"],
  ["NW-01", "socket", "connect", "sendto"],
  ["NW-08", "socket"],
  ["NW-10", "socket", "bind", "listen"],
  ["NW-11", "io_uring_setup"],
  ["PX-12b", "sched_setaffinity"],
  ["PX-12c", "setpriority"],
  ["PX-18", "setsid"],
  ["PX-19", "getpgid"],
  ["KX-01a", "unshare"],
  ["KX-02d", "add_key"],
  ["KX-02e", "keyctl"],
  ["KX-04a", "shmget", "shmctl"],
  ["KX-04b", "semget", "semctl"],
  ["KX-04c", "msgget", "msgctl"],
  ["KX-07", "personality"],
  ["KX-10", "prctl", "seccomp"],
  ["KX-14", "set_mempolicy"],
  ["KX-15", "inotify_init1", "inotify_add_watch"],
  ["KX-16", "setxattr"],
  ["FW-10", "chmod", "fchmod", "fchmodat"],
  ["FW-14", "truncate"],
  ["FW-15", "utimensat"],
  ["FW-18", "mknod", "mknodat"],
  ["FR-12", "openat2"],
  ["PT-02", "symlink", "symlinkat"],
  ["PT-03", "link", "linkat"],
  ["PT-05", "name_to_handle_at"],
];

/** Rights that are denied, and which others an attack needs, too. */
const rights: readonly (readonly [
  attack: string,
  right: keyof typeof landlockRights,
  others?: number,
])[] = [
  ["PX-01f", "execute", landlockRights.readFile],
  ["FW-03", "writeFile"],
  ["FR-03", "readFile"],
  ["FR-05", "readDir"],
  ["FW-17", "removeFile"],
  ["FW-18", "makeReg"],
  ["FW-14", "truncate"],
];

const limits: readonly (readonly [attack: string, limit: LimitName, level: KernelLevel])[] = [
  ["RS-01", "cpu", "L2"],
  ["RS-06", "data", "L2"],
  ["RS-15", "openFiles", "L2"],
  ["FW-12", "core", "L2"],
  ["RS-26", "pendingSignals", "L2"],
  ["PX-05", "processes", "L3"],
];

/** All parts of all layers, for a supervisor that is root or is not. */
export function mutations(asRoot: boolean): Mutation[] {
  return [
    ...calls.map(([attack, ...extraCalls]): Mutation => ({
      ...{ part: `seccomp: ${extraCalls.join(", ")}`, attack, level: "L2" },
      before: together(seccompAlone, besides[attack] ?? {}),
      change: { extraCalls },
    })),
    {
      ...{ part: "seccomp: convention", attack: "PX-09a", level: "L2", before: seccompAlone },
      change: { anyArch: true },
    },
    ...rights.map(([attack, right, others = 0]): Mutation => ({
      ...{ part: `landlock: ${right}`, attack, level: "L2" },
      before: { ...landlockAlone, undenied: others },
      change: { undenied: landlockRights[right] | others },
    })),
    ...limits.map(([attack, limit, level]): Mutation => ({
      ...{ part: `limit: ${limit}`, attack, level, before: { without: ["attestation"] } },
      change: { unlimited: [limit] },
    })),
    ...optionMutations(asRoot),
    ...(asRoot ? rootMutations : []),
  ];
}

function optionMutations(asRoot: boolean): Mutation[] {
  const privileged = { without: [...namespacesAlone.without!, "privileges" as const] };
  const options = [...namespaceOptions(asRoot), { args: ["--remount-ro"], attack: "FW-16" }];
  return options.filter(({ attack }) => attack !== "SG-07") // shown by the supervisor's sudden end
    .map(({ args: [option], attack }) => ({
      ...{ part: `namespaces: ${option}`, attack, level: "L3" },
      before: option === "--remount-ro" ? privileged : namespacesAlone,
      change: { withoutOptions: [option] },
    }));
}

/** Root gives its privileges up; others have none to begin with. */
const rootMutations: readonly Mutation[] = [
  {
    ...{ part: "privileges", attack: "PT-07", level: "L2", before: namespacesAlone },
    change: { without: ["privileges"] },
  },
  {
    ...{ part: "privileges: a user of its own", attack: "FW-16", level: "L3" },
    before: { ...namespacesAlone, withoutOptions: ["--remount-ro"] },
    change: { without: ["privileges"] },
  },
];

/** Both changes at once. */
export function together(a: LayerChanges, b: LayerChanges): LayerChanges {
  const join = <T>(x: readonly T[] = [], y: readonly T[] = []) => [...x, ...y];
  return {
    ...{ ...a, ...b, without: join(a.without, b.without), undenied: b.undenied ?? a.undenied },
    unlimited: join(a.unlimited, b.unlimited),
    withoutOptions: join(a.withoutOptions, b.withoutOptions),
  };
}
