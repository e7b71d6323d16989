/** System calls that are allowed with certain arguments only, and those that seem not to exist. */
import type { BpfInstruction } from "./bpf.ts";
import { decide, ifAnyBit, ifAtLeast, ifEqual, load, seccompActions, seccompData } from "./bpf.ts";
import { execNameOffset, planAddress, planSize } from "./launcher_layout.ts";
import type { SyscallName } from "./syscall_numbers.ts";

/** A rule about one call: runs with the call's number loaded, and always decides. */
interface GuardedCall {
  readonly call: SyscallName;
  readonly rule: readonly BpfInstruction[];
  /** Attack that it prevents. */
  readonly prevents: string;
}

const { low, high } = seccompData;
const allow = decide(seccompActions.allow);
const [eperm, enosys] = [1, 38];
const refuse = decide(seccompActions.errno(eperm));

/** Stands in the filter where the launcher writes the process's own id. */
export const ownPidMark = 0x7fff_fff1;

const cloneThread = 0x0001_0000;
/** CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
const cloneNamespaces = 0x7e02_0080;
/** PR_GET_DUMPABLE, SET_NAME, GET_NAME, GET_SECCOMP, CAPBSET_READ, GET_NO_NEW_PRIVS, SET_VMA. */
const prctlOptions = [3, 15, 16, 21, 23, 39, 0x5356_4d41];
/** TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. */
const ioctlRequests = [0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451];
/** F_DUPFD, GETFD, SETFD, GETFL, DUPFD_CLOEXEC, GETPIPE_SZ, ADD_SEALS, GET_SEALS. */
const fcntlCommands = [0, 1, 2, 3, 1030, 1032, 1033, 1034];
const setFlags = 4;
/** O_ASYNC: a signal to the owner of a descriptor, who may be any process. */
const asynchronous = 0x2000;
/** MREMAP_FIXED. */
const mremapChoosesAddress = 2;
const familyUnix = 1;
/** SOCK_STREAM, with and without SOCK_NONBLOCK and SOCK_CLOEXEC. */
const streamTypes = [0o1, 0o4001, 0o2000001, 0o2004001];

/** Only the name at this address may be executed, and nothing can be put there afterwards. */
const execAddress = planAddress + execNameOffset;
const planEnd = planAddress + planSize;

/** The guarded calls. */
export function guardedCalls(): readonly GuardedCall[] {
  return [
    {
      call: "clone",
      rule: [
        load(low(0)),
        ...ifAnyBit(cloneNamespaces, [refuse]),
        ...ifAnyBit(cloneThread, [allow]),
        refuse,
      ],
      prevents: "processes and namespaces; threads are allowed",
    },
    {
      call: "clone3",
      rule: [decide(seccompActions.errno(enosys))],
      prevents: "flags in memory, which a filter cannot see; libc falls back to clone",
    },
    {
      call: "execve",
      rule: [
        load(high(0)),
        ...ifEqual(0, [load(low(0)), ...ifEqual(execAddress, [allow]), refuse]),
        refuse,
      ],
      prevents: "programs other than the one that the launcher starts",
    },
    {
      call: "mmap",
      rule: notBelow(0, planEnd),
      prevents: "memory at the address of the launcher's name for execve",
    },
    {
      call: "mremap",
      rule: [
        load(low(3)),
        ...ifAnyBit(mremapChoosesAddress, notBelow(4, planEnd)),
        allow,
      ],
      prevents: "memory moved to the address of the launcher's name for execve",
    },
    {
      call: "fcntl",
      rule: [
        load(low(1)),
        ...ifEqual(setFlags, [load(low(2)), ...ifAnyBit(asynchronous, [refuse]), allow]),
        ...oneOf(fcntlCommands, 1),
      ],
      prevents: "signals to the owner of a descriptor, leases, notices and locks of files",
    },
    { call: "prctl", rule: oneOf(prctlOptions), prevents: "keeping alive without the supervisor" },
    { call: "ioctl", rule: oneOf(ioctlRequests, 1), prevents: "keystrokes fed to a terminal" },
    {
      call: "prlimit64",
      rule: [
        load(low(0)),
        ...ifEqual(0, [load(low(2)), ...ifEqual(0, [load(high(2)), ...ifEqual(0, [allow])])]),
        refuse,
      ],
      prevents: "limits of this or of another process changed",
    },
    {
      call: "socketpair",
      rule: [load(low(0)), ...ifEqual(familyUnix, oneOf(streamTypes, 1)), refuse],
      prevents: "sockets that can be sent to somewhere else",
    },
    {
      call: "sendto",
      rule: [load(low(4)), ...ifEqual(0, [load(high(4)), ...ifEqual(0, [allow])]), refuse],
      prevents: "messages to an address",
    },
    { call: "tgkill", rule: oneOf([ownPidMark]), prevents: "signals to other processes" },
  ];
}

/** Allows the call if an argument's low half is one of the values. */
function oneOf(values: readonly number[], argument = 0): BpfInstruction[] {
  return [load(low(argument)), ...values.flatMap((value) => ifEqual(value, [allow])), refuse];
}

/** Allows the call if an address is zero (the kernel chooses) or at least `end`. */
function notBelow(argument: number, end: number): BpfInstruction[] {
  return [
    load(high(argument)),
    ...ifEqual(0, [
      load(low(argument)),
      ...ifEqual(0, [allow]),
      ...ifAtLeast(end, [allow]),
      refuse,
    ]),
    allow,
  ];
}
