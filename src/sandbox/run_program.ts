/** Runs a confined program once, to its end, and reports how it ended. */
import { MissingPartError } from "../base/diagnostic.ts";
import { encodeFrame } from "../base/frames.ts";
import type { KernelLevel } from "./attestation.ts";
import { CappedReader } from "./capped_reader.ts";
import type { ConfinedProgram, Confinement, ConfinementHost, LayerChanges } from "./confinement.ts";
import { confine } from "./confinement.ts";
import type { EndReport } from "./keeper.ts";
import { reportSize, splitReport } from "./keeper.ts";

/** Input of a run, and limits of its output. */
export interface RunOptions {
  /** Bytes of standard input; empty if left out. */
  readonly stdin?: Uint8Array;
  /** Most bytes of standard output, 1 MiB if left out; more ends the program. */
  readonly stdoutBytes?: number;
  /** Most bytes of standard error, 64 KiB if left out; more ends the program. */
  readonly stderrBytes?: number;
  /** Aborted: the program is killed, and the call throws. */
  readonly signal?: AbortSignal;
  /** Layers that a test leaves out. */
  readonly changes?: LayerChanges;
}

/** How a confined process can end, by the kernel's word. */
export type ProcessStatus =
  | "ok"
  | "error"
  | "timeout_wall"
  | "timeout_cpu"
  | "output_limit"
  | "crash"
  | "seccomp_violation"
  | "sandbox_error";

/** How a program ended, by the supervisor's and the kernel's facts; its output is only output. */
export interface ProgramRun {
  /** How it ended, in a word. */
  readonly status: ProcessStatus;
  /** Level that it ran at. */
  readonly level: KernelLevel;
  /** SHA-256 of the confinement that held while it ran. */
  readonly attestation: string;
  /** Exit status of a program that ended by itself. */
  readonly exit?: number;
  /** Signal that ended it: `SIGKILL`, `SIGSYS`. */
  readonly signal?: string;
  /** Milliseconds from start to the end of its streams. */
  readonly wallMs: number;
  /** Absent if the supervisor had to kill the whole tree. */
  readonly cpuMs?: number;
  /** Most memory of its largest process, in KiB; absent where CPU time is. */
  readonly maxRssKib?: number;
  /** Bytes that it wrote, cut off at the limit. */
  readonly stdout: Uint8Array;
  /** Bytes that it wrote, cut off at the limit. */
  readonly stderr: Uint8Array;
}

const [defaultStdoutBytes, defaultStderrBytes] = [1 << 20, 64 << 10];
/** Milliseconds by which the supervisor is later than the keeper, which can report more. */
const graceMs = 1000;
/** Grace of a container in milliseconds, which an engine starts and takes down. */
const engineGraceMs = 15_000;
/** Milliseconds that an engine has to end its container before it is killed itself. */
const engineEndMs = 10_000;
const defaultWallMs = 120_000;

/**
 * Runs a program that ends by itself or at a limit. Nothing of it is left when this returns.
 *
 * @throws MissingPartError if the confinement cannot be set up, or does not hold; the program was
 * not started then. InputError if a limit is not one.
 */
export async function runProgram(
  program: ConfinedProgram,
  level: KernelLevel,
  host: ConfinementHost,
  options: RunOptions = {},
): Promise<ProgramRun> {
  const confinement = confine(program, level, host, options.changes);
  const start = performance.now();
  const child = spawn(host.launcher);
  const kill = () => host.container ? endEngine(child) : killChild(child);
  feed(child, confinement, options.stdin);
  const hello = encodeFrame({ kind: "attested", nonce: confinement.nonce });
  const { stdoutBytes = defaultStdoutBytes, stderrBytes = defaultStderrBytes } = options;
  const stdout = new CappedReader(child.stdout, stdoutBytes + hello.length, kill);
  const stderr = new CappedReader(child.stderr, stderrBytes + reportSize, kill);
  const wallMs = program.wallMs ?? defaultWallMs;
  let late = false;
  const grace = host.container ? engineGraceMs : graceMs;
  const timer = setTimeout(() => (late = true, kill()), wallMs + grace);
  options.signal?.addEventListener("abort", kill);
  await Promise.all([child.status, stdout.done, stderr.done]);
  clearTimeout(timer);
  options.signal?.removeEventListener("abort", kill);
  options.signal?.throwIfAborted();
  const elapsed = performance.now() - start;
  const { text, report } = splitReport(stderr.bytes, confinement.mark);
  if (!beginsWith(stdout.bytes, hello)) throw notConfined(level, text);
  const over = stdout.over || stderr.over;
  const facts = { report, over, late: late || elapsed >= wallMs };
  return {
    status: statusOf(facts, program.limits.cpuSeconds),
    level,
    attestation: confinement.attestation,
    wallMs: elapsed,
    ...report,
    stdout: stdout.bytes.slice(hello.length, hello.length + stdoutBytes),
    stderr: text.slice(0, stderrBytes),
  };
}

interface Facts {
  readonly report?: EndReport;
  readonly over: boolean;
  readonly late: boolean;
}

/** Status by the observations of keeper and supervisor; the program's own statements do not count. */
function statusOf({ report, over, late }: Facts, cpuSeconds: number): ProcessStatus {
  if (over) return "output_limit";
  const { exit, signal, cpuMs } = report ?? {};
  const cpuUsedUp = cpuMs !== undefined && cpuMs >= 1000 * cpuSeconds;
  if (signal === "SIGXCPU" || signal === "SIGKILL" && cpuUsedUp) return "timeout_cpu";
  if (late && (signal === "SIGKILL" || !report)) return "timeout_wall";
  if (!report) return "sandbox_error";
  if (signal === "SIGSYS") return "seccomp_violation";
  if (signal !== undefined) return "crash";
  return exit === 0 ? "ok" : "error";
}

function spawn(launcher: string): Deno.ChildProcess {
  try {
    return new Deno.Command(launcher, {
      clearEnv: true,
      detached: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  } catch (error) {
    const reason = error instanceof Error ? error.message : `${error}`;
    const remedy = "run `sluice doctor` to see which layer is missing and how to get it";
    throw new MissingPartError(`Cannot start the launcher: ${reason}`, remedy);
  }
}

/** Writes the plan and the input; a program that does not read it does not block. */
function feed(child: Deno.ChildProcess, { preamble }: Confinement, stdin?: Uint8Array): void {
  const writer = child.stdin.getWriter();
  const ignore = () => {};
  writer.write(preamble).catch(ignore);
  if (stdin) writer.write(stdin).catch(ignore);
  writer.close().catch(ignore);
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, i) => bytes[i] === byte);
}

function notConfined(level: KernelLevel, stderr: Uint8Array): MissingPartError {
  const said = new TextDecoder().decode(stderr).trim().slice(0, 500);
  return new MissingPartError(
    `Cannot confine a program at level ${level}: ${said || "the launcher said nothing"}`,
    "run `sluice doctor` to see which layer is missing and how to get it",
  );
}

/** Has an engine end its container, and kills it if it does not. */
function endEngine(child: Deno.ChildProcess): void {
  killChild(child, "SIGTERM");
  const timer = setTimeout(() => killChild(child), engineEndMs);
  child.status.finally(() => clearTimeout(timer));
}

function killChild(child: Deno.ChildProcess, signal: Deno.Signal = "SIGKILL"): void {
  try {
    child.kill(signal);
  } catch { /* it had ended by itself */ }
}
