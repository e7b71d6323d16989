/** One worker process seen from its supervisor: start, attestation, jobs under limits, the end. */
import { MissingPartError } from "../base/diagnostic.ts";
import { type Execution, type ExecutionStatus, isSettled } from "../engine/score/execution/mod.ts";
import { checkDenoVersion, missingDeno } from "../base/deno_command.ts";
import { decodeExecution } from "./execution_json.ts";
import type { FrameCaps, FrameRead } from "../base/frames.ts";
import { FrameReader, FrameWriter } from "../base/frames.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import {
  type Confinement,
  type EndReport,
  type Launcher,
  splitReport,
  StderrTail,
  type WorkerStart,
} from "../sandbox/mod.ts";
import type { Job, SetupMessage } from "./messages.ts";
import { isRecord } from "../base/record.ts";
import { cpuLimitFault, probeNames, readAnswer, readHello } from "./messages.ts";
import type { ProcessUsage } from "./process_usage.ts";
import { processUsage } from "./process_usage.ts";

/** Bounds on one program; beyond them its worker is killed. */
export interface WorkerLimits {
  /** Milliseconds of wall time per program. */
  readonly wallMs: number;
  /**
   * Milliseconds of CPU time per program, by the kernel's account where it can be read (Deno shows
   * /proc to a process with every permission only), else by the worker's own.
   */
  readonly cpuMs: number;
  readonly frame: FrameCaps;
  readonly stderrBytes: number;
  /** Milliseconds until a started worker must have said hello. */
  readonly startMs: number;
}

export const defaultWorkerLimits: WorkerLimits = {
  wallMs: 120_000,
  cpuMs: 60_000,
  frame: { json: 1 << 20, payload: 1 << 20 },
  stderrBytes: 64 << 10,
  startMs: 30_000,
};

/** A program's execution, and what it cost by the supervisor's account. */
export interface ExecutionOutcome {
  readonly execution: Execution;
  readonly wallMs: number;
  /** The kernel's account where it can be read, else the worker's own. */
  readonly cpuMs?: number;
  readonly maxRssKib?: number;
  readonly level: SandboxLevel;
  /** SHA-256 of the confinement that the worker proved; from level L2 on. */
  readonly attestation?: string;
  /** Bytes that the job wanted beside the score. */
  readonly payload?: Uint8Array;
}

/** Why a worker was ended, or what it answered. */
type Verdict =
  | { readonly kind: "read"; readonly read: FrameRead }
  | { readonly kind: "limit"; readonly status: ExecutionStatus; readonly message: string };

const cpuPollMs = 250;
/** Seconds of CPU time for a worker's start, beside those of its programs. */
const startCpuSeconds = 2;

/** A worker that has proved its confinement and holds its setup. Not for two jobs at a time. */
export class WorkerProcess {
  readonly #child: Deno.ChildProcess;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #stderr: StderrTail;
  readonly #limits: WorkerLimits;
  readonly #level: SandboxLevel;
  readonly #confinement: Confinement | undefined;
  readonly #cpuSeconds: number;
  #jobs = 0;
  #ended = false;

  private constructor(launcher: Launcher, file: string, limits: WorkerLimits, programs: number) {
    this.#cpuSeconds = Math.ceil(limits.cpuMs / 1000) * programs + startCpuSeconds;
    const start = launcher.start(file, this.#cpuSeconds);
    const child = spawn(start);
    this.#child = child;
    this.#confinement = start.confinement;
    this.#reader = new FrameReader(child.stdout, limits.frame);
    if (start.confinement) writeFirst(child.stdin, start.confinement.preamble);
    this.#writer = new FrameWriter(child.stdin);
    this.#stderr = new StderrTail(child.stderr, limits.stderrBytes);
    this.#limits = limits;
    this.#level = launcher.level;
    child.status.then(() => this.#ended = true);
  }

  /**
   * Starts a worker and hands it the setup, once it has shown that all is denied to it. It will
   * have the CPU time of so many programs.
   *
   * @throws MissingPartError if Deno may not be started, or a layer is missing.
   */
  static async start(
    launcher: Launcher,
    file: string,
    setup: SetupMessage,
    limits: WorkerLimits = defaultWorkerLimits,
    programs = 1,
  ): Promise<WorkerProcess> {
    const worker = new WorkerProcess(launcher, file, limits, programs);
    try {
      await worker.#attest();
      if (!(await worker.#writer.write(setup))) throw await worker.#noHello("took no setup");
      worker.#expectNothing();
      return worker;
    } catch (error) {
      await worker.kill();
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** Programs that this worker has been given. */
  get jobs(): number {
    return this.#jobs;
  }

  /** False once the process has ended or is being killed. */
  get alive(): boolean {
    return !this.#ended;
  }

  /** Scores one program. Every failure is a status; the worker is then dead. */
  async run(job: Job): Promise<ExecutionOutcome> {
    const id = ++this.#jobs;
    const start = performance.now();
    const before = this.#usage()?.cpuMs ?? 0;
    this.#writer.write({ kind: "job", id, ...job }); // a worker that is gone answers by its end
    const verdict = await this.#firstFact(before);
    const usage = this.#usage();
    const wallMs = performance.now() - start;
    const cpuMs = usage && usage.cpuMs - before;
    const { execution, reported, payload } = await this.#judge(verdict, id);
    this.#expectNothing();
    const cost = { wallMs, cpuMs: cpuMs ?? reported?.cpuMs };
    const maxRssKib = usage?.maxRssKib ?? (reported?.rssKib || undefined); // 0 without /proc
    const { attestation } = this.#confinement ?? {};
    const level = { level: this.#level, ...(attestation && { attestation }) };
    return { execution, ...cost, maxRssKib, ...level, ...(payload && { payload }) };
  }

  /**
   * Between jobs a worker sends nothing: any bytes, a second answer or a part of one, are a breach
   * of the protocol, and the worker never gets another program.
   */
  #expectNothing(): void {
    const jobs = this.#jobs;
    this.#reader.arrival().then(() =>
      jobs === this.#jobs && !this.#ended ? this.kill() : undefined
    );
  }

  /** The kernel's account, where the process that was started is the worker itself. */
  #usage(): ProcessUsage | undefined {
    return this.#confinement ? undefined : processUsage(this.pid);
  }

  /** SIGKILL, then waits until the process is gone. */
  async kill(): Promise<void> {
    if (!this.#ended) {
      this.#ended = true;
      try {
        this.#child.kill("SIGKILL");
      } catch { /* it had just ended by itself */ }
    }
    await this.#child.status;
    await Promise.all([this.#reader.cancel(), this.#writer.close(), this.#stderr.done]);
  }

  async #attest(): Promise<void> {
    const nonce = this.#confinement?.nonce;
    if (nonce !== undefined) {
      const attested = await this.#firstFrame();
      const proved = isRecord(attested) && attested.kind === "attested" && attested.nonce === nonce;
      if (!proved) throw await this.#noHello("did not prove its confinement");
    }
    const hello = readHello(await this.#firstFrame());
    if (!hello) throw await this.#noHello("did not say hello");
    checkDenoVersion(hello.denoVersion);
    const open = probeNames.filter((name) => hello.probes[name] !== "denied");
    if (open.length === 0) return;
    throw new MissingPartError(
      `Cannot trust the sandbox: a worker at level ${this.#level} was not denied ${
        open.join(", ")
      }`,
      "run `sluice doctor` to see which layer is missing",
    );
  }

  /** The next frame while starting; undefined if none comes in time, or something else does. */
  async #firstFrame(): Promise<unknown> {
    const late = after(this.#limits.startMs, undefined);
    const read = await Promise.race([this.#reader.read(), late.promise]);
    late.cancel();
    return read?.kind === "frame" ? read.frame.json : undefined;
  }

  async #noHello(what: string): Promise<MissingPartError> {
    await this.kill();
    const { end, said: all } = await this.#howItEnded();
    const said = all.slice(0, 500);
    return new MissingPartError(
      `Cannot start a worker of the sandbox: it ${what} and ${end}${said && `: ${said}`}`,
      "run `sluice doctor` to see what this machine lacks",
    );
  }

  async #firstFact(cpuBefore: number): Promise<Verdict> {
    const { wallMs, cpuMs } = this.#limits;
    const limit = (status: ExecutionStatus, message: string): Verdict => {
      return { kind: "limit", status, message };
    };
    const wall = after(wallMs, limit("timeout_wall", `more than ${wallMs} ms of wall time`));
    const cpu = this.#cpuWatch(
      cpuBefore,
      limit("timeout_cpu", `more than ${cpuMs} ms of CPU time`),
    );
    const bytes = this.#limits.stderrBytes;
    const flood = limit("output_limit", `more than ${bytes} bytes on standard error`);
    const answer = this.#reader.read().then((read): Verdict => ({ kind: "read", read }));
    const over = this.#stderr.over.then(() => flood);
    const verdict = await Promise.race([answer, wall.promise, cpu.promise, over]);
    wall.cancel();
    cpu.cancel();
    return verdict;
  }

  #cpuWatch(before: number, verdict: Verdict): { promise: Promise<Verdict>; cancel(): void } {
    const { promise, resolve } = Promise.withResolvers<Verdict>();
    const timer = setInterval(() => {
      const used = (this.#usage()?.cpuMs ?? 0) - before;
      if (used > this.#limits.cpuMs) resolve(verdict);
    }, cpuPollMs);
    return { promise, cancel: () => clearInterval(timer) };
  }

  async #judge(verdict: Verdict, id: number): Promise<Judged> {
    if (verdict.kind === "limit") return await this.#end(verdict.status, verdict.message);
    const { read } = verdict;
    if (read.kind === "end" || (read.kind === "fault" && read.fault === "truncated")) {
      return await this.#classifyEnd();
    }
    if (read.kind === "fault") {
      const status = read.fault === "over_cap" ? "output_limit" : "protocol_violation";
      return await this.#end(status, read.message);
    }
    if (this.#reader.ahead) return await this.#end("protocol_violation", "more than one answer");
    const answer = readAnswer(read.frame.json, id);
    if (answer?.kind === "fault") {
      return await this.#end(faultStatus(answer.message), answer.message);
    }
    const execution = answer && decodeExecution(answer.execution);
    if (!execution || !isSettled(execution.status)) {
      return await this.#end("protocol_violation", "an answer of the wrong form");
    }
    return { execution, reported: answer, payload: read.frame.payload };
  }

  async #end(status: ExecutionStatus, message: string): Promise<Judged> {
    await this.kill();
    return { execution: failedExecution(status, message) };
  }

  async #classifyEnd(): Promise<Judged> {
    const { facts, end, said } = await this.#howItEnded();
    const how = `the worker ${end}: ${said.slice(-1000)}`;
    return await this.#end(endStatus(facts, said, this.#cpuSeconds), how);
  }

  /** By the keeper's report where there is a keeper, else by what the process itself ended with. */
  async #howItEnded(): Promise<{ facts: EndFacts; end: string; said: string }> {
    const { code, signal } = await this.#child.status;
    await this.#stderr.done;
    const mark = this.#confinement?.mark;
    const { text, report } = mark
      ? splitReport(this.#stderr.bytes, mark)
      : { text: this.#stderr.bytes };
    const lost = mark !== undefined && !report;
    const own: EndFacts = { lost, ...(signal ? { signal } : { exit: code }) };
    const facts: EndFacts = report ?? own;
    const end = facts.signal ? `was ended by ${facts.signal}` : `exited with ${facts.exit}`;
    return { facts, end, said: new TextDecoder().decode(text).trim() };
  }
}

/** How a worker ended; `lost` if the keeper that should say so is gone. */
type EndFacts = Partial<EndReport> & { readonly lost?: boolean };

function endStatus(facts: EndFacts, said: string, cpuSeconds: number): ExecutionStatus {
  const { exit, signal, cpuMs = 0, lost } = facts;
  if (lost) return "sandbox_error";
  if (signal === "SIGSYS") return "seccomp_violation";
  if (signal === "SIGXCPU" || signal === "SIGKILL" && cpuMs >= 1000 * cpuSeconds) {
    return "timeout_cpu";
  }
  if (signal === "SIGTRAP" || /out of memory/i.test(said)) return "oom";
  return exit === 0 ? "no_result" : "crash";
}

interface Judged {
  readonly execution: Execution;
  readonly reported?: { readonly cpuMs: number; readonly rssKib: number };
  readonly payload?: Uint8Array;
}

/** An execution without a score, whose status is the supervisor's finding. */
export function failedExecution(status: ExecutionStatus, message: string): Execution {
  const diagnostic = { code: `exec/${status}`, severity: "error", message } as const;
  return { status, engine: "native", engineVersion: "", diagnostics: [diagnostic] };
}

function faultStatus(message: string): ExecutionStatus {
  if (message.startsWith(cpuLimitFault)) return "timeout_cpu";
  return /allocation failed|out of memory|grow instance memory/i.test(message) ? "oom" : "crash";
}

function spawn({ command }: WorkerStart): Deno.ChildProcess {
  try {
    return command.spawn();
  } catch (error) {
    throw missingDeno(error);
  }
}

/** Bytes ahead of all frames. If they cannot be written, the setup cannot either, which reports it. */
function writeFirst(stream: WritableStream<Uint8Array>, bytes: Uint8Array): void {
  const writer = stream.getWriter();
  writer.write(bytes).catch(() => {});
  writer.releaseLock();
}

function after<T>(ms: number, value: T): { promise: Promise<T>; cancel(): void } {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(value), ms);
  return { promise, cancel: () => clearTimeout(timer) };
}
