/** The seccomp filter of a confined program: a list of what is allowed, everything else refused. */
import { allowedCalls } from "./allowed_calls.ts";
import type { BpfInstruction } from "./bpf.ts";
import { decide, encodeBpf, ifAtLeast, ifEqual, load } from "./bpf.ts";
import { seccompActions, seccompData } from "./bpf.ts";
import { guardedCalls, ownPidMark } from "./guarded_calls.ts";
import type { Architecture, SyscallName } from "./syscall_numbers.ts";
import { auditArch, syscallNumber } from "./syscall_numbers.ts";

/** The processor, and what tests change to see which rule stops which attack. */
interface FilterOptions {
  readonly arch: Architecture;
  /** Calls allowed on top, whatever their arguments; for tests of the rules. */
  readonly extra?: readonly SyscallName[];
  /** Leaves out the check of the processor's calling convention; for tests of that check. */
  readonly anyArch?: boolean;
}

const eperm = 1;
/** Numbers from here on are those of the x32 convention of x86-64. */
const x32 = 0x4000_0000;

/** The instructions: convention, x32, guarded calls, allowed calls, refusal. */
export function seccompFilter(options: FilterOptions): BpfInstruction[] {
  const { arch, extra = [], anyArch } = options;
  const allow = decide(seccompActions.allow);
  const kill = decide(seccompActions.killProcess);
  const on = (name: SyscallName, body: readonly BpfInstruction[]) => {
    const number = syscallNumber(name, arch);
    return number === undefined ? [] : ifEqual(number, body);
  };
  const foreign = [load(seccompData.arch), ...skipIfEqual(auditArch[arch]), kill];
  return [
    ...(anyArch ? [] : foreign),
    load(seccompData.number),
    ...(anyArch ? [] : ifAtLeast(x32, [kill])),
    ...extra.flatMap((name) => on(name, [allow])),
    ...guardedCalls().flatMap(({ call, rule }) => on(call, rule)),
    ...allowedCalls.flatMap((name) => on(name, [allow])),
    decide(seccompActions.errno(eperm)),
  ];
}

/** Skips the next instruction if the loaded word equals `k`. */
function skipIfEqual(k: number): BpfInstruction[] {
  const [test] = ifEqual(k, []);
  return [{ ...test, jumpTrue: 1, jumpFalse: 0 }];
}

/** The filter's bytes, and where in them the launcher must write the process's own id. */
interface EncodedFilter {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ownPid: readonly number[];
}

const encoded = new Map<string, EncodedFilter>();

/** The filter, encoded once for the same options; its bytes are not to be changed. */
export function encodedFilter(options: FilterOptions): EncodedFilter {
  const key = JSON.stringify(options);
  const filter = encoded.get(key) ?? encode(options);
  encoded.set(key, filter);
  return filter;
}

function encode(options: FilterOptions): EncodedFilter {
  const filter = seccompFilter(options);
  const ownPid = filter.flatMap(({ k }, i) => k === ownPidMark ? [8 * i + 4] : []);
  return { bytes: encodeBpf(filter), ownPid };
}
