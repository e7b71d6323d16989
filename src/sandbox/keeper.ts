/** The keeper: the launcher waits for the program it started, and reports how it ended. */
import type { Step } from "./plan.ts";
import { Block } from "./plan.ts";

/** End and cost of a program, by the kernel's account (wait4). */
export interface EndReport {
  /** Exit status of a program that ended by itself. */
  readonly exit?: number;
  /** Signal that ended it: `SIGKILL`, `SIGSYS`. */
  readonly signal?: string;
  /** Milliseconds of CPU, user and system together, of all its processes. */
  readonly cpuMs: number;
  /** Most memory of its largest process, in KiB. */
  readonly maxRssKib: number;
}

/** Tasks of a keeper beside waiting. */
interface KeeperOptions {
  /** 16 random bytes that begin the report: only the keeper and the supervisor know them. */
  readonly mark: Uint8Array;
  /** Milliseconds after which the program is killed, also if the supervisor is busy. */
  readonly wallMs?: number;
}

const [sigChild, sigTerminate, sigKill] = [17, 15, 9];
const [blockSignals, setSignals] = [0, 2];
const signalSetSize = 8;
const deathSignal = 1;
/** Where in a report the mark ends, the wait status and `struct rusage` begin. */
const [markSize, statusAt, usageAt] = [16, 16, 24];
/** Bytes of a report. */
export const reportSize = 168;

/**
 * Starts `inner`, which ends in `execve`, in a child, waits for its end, a SIGTERM or the limit of
 * wall time, kills it if it still is, and writes the report to standard error: the last bytes there,
 * as no other process is left. The child is killed by the kernel if the keeper goes first.
 */
export function keeperSteps(inner: readonly Step[], options: KeeperOptions): Step[] {
  const awaited = signalSet(sigChild, sigTerminate);
  const sameParent: Step = { call: "getppid", label: "the keeper is gone" };
  const kill: Step = { call: "kill", args: [0, sigKill], label: "kill", expect: "any" };
  const parent = parentSteps(awaited, kill, options);
  return [
    {
      call: "rt_sigprocmask",
      args: [blockSignals, awaited, 0, signalSetSize],
      label: "block signals",
    },
    {
      call: "getpid",
      label: "getpid",
      expect: "any",
      store: { step: sameParent, field: "expect" },
    },
    {
      call: "clone",
      args: [sigChild, 0, 0, 0, 0],
      label: "clone",
      expect: "natural",
      store: { step: kill, field: 0 },
      ifOther: parent[0],
    },
    {
      call: "rt_sigprocmask",
      args: [setSignals, signalSet(), 0, signalSetSize],
      label: "unblock signals",
    },
    ...inner.flatMap((step) => step === dieWithKeeper ? [dieWithKeeper, sameParent] : [step]),
    ...parent,
  ];
}

/** Stands in the inner steps where privileges are final: the kernel forgets the signal before. */
export const dieWithKeeper: Step = {
  call: "prctl",
  args: [deathSignal, sigKill, 0, 0, 0],
  label: "die with the keeper",
};

function parentSteps(awaited: Block, kill: Step, { mark, wallMs }: KeeperOptions): Step[] {
  const report = new Block(new Uint8Array(reportSize));
  report.bytes.set(mark.subarray(0, markSize));
  const limit = wallMs === undefined ? 0 : timeSpec(wallMs);
  const field = (offset: number) => ({ block: report, offset });
  const wait: Step = {
    call: "wait4",
    args: [-1, field(statusAt), 0, field(usageAt)],
    label: "wait",
    expect: "natural",
  };
  return [
    { call: "close", args: [0], label: "leave standard input", expect: "any" },
    { call: "close", args: [1], label: "leave standard output", expect: "any" },
    {
      call: "rt_sigtimedwait",
      args: [awaited, 0, limit, signalSetSize],
      label: "await the end",
      expect: "any",
    },
    kill,
    wait,
    { call: "write", args: [2, report, reportSize], label: "report", expect: "any" },
    { call: "exit_group", args: [0], label: "leave" },
  ];
}

function signalSet(...signals: number[]): Block {
  const mask = signals.reduce((sum, signal) => sum | 1n << BigInt(signal - 1), 0n);
  return new Block(new Uint8Array(BigUint64Array.of(mask).buffer));
}

function timeSpec(ms: number): Block {
  const seconds = Math.floor(ms / 1000);
  const nanoseconds = Math.round((ms - 1000 * seconds) * 1e6);
  const fields = BigUint64Array.of(BigInt(seconds), BigInt(nanoseconds));
  return new Block(new Uint8Array(fields.buffer));
}

/** Names of the signals that end a program; others are given by their number. */
const signalNames: Readonly<Record<number, string>> = {
  1: "SIGHUP",
  2: "SIGINT",
  3: "SIGQUIT",
  4: "SIGILL",
  5: "SIGTRAP",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  10: "SIGUSR1",
  11: "SIGSEGV",
  12: "SIGUSR2",
  13: "SIGPIPE",
  14: "SIGALRM",
  15: "SIGTERM",
  24: "SIGXCPU",
  25: "SIGXFSZ",
  31: "SIGSYS",
};

/**
 * Splits standard error into the program's own part and the keeper's report, if that is there: only
 * the keeper can write the mark, and no process can write after the keeper.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { splitReport } from "./keeper.ts";
 * const text = new TextEncoder().encode("words of a program");
 * assert.deepEqual(splitReport(text, new Uint8Array(16)).text, text); // without a mark all is the program's
 * ```
 */
export function splitReport(
  stderr: Uint8Array,
  mark: Uint8Array,
): { readonly text: Uint8Array; readonly report?: EndReport } {
  const at = stderr.length - reportSize;
  if (at < 0 || !mark.every((byte, i) => stderr[at + i] === byte)) return { text: stderr };
  const view = new DataView(stderr.buffer, stderr.byteOffset + at, reportSize);
  return { text: stderr.subarray(0, at), report: readReport(view) };
}

function readReport(view: DataView): EndReport {
  const status = view.getUint32(statusAt, true);
  const number = (offset: number) => Number(view.getBigInt64(usageAt + offset, true));
  const cpuMs = (number(0) + number(16)) * 1000 + Math.round((number(8) + number(24)) / 1000);
  const signal = status & 0x7f;
  const end = signal === 0
    ? { exit: (status >> 8) & 0xff }
    : { signal: signalNames[signal] ?? `signal ${signal}` };
  return { ...end, cpuMs, maxRssKib: number(32) };
}
