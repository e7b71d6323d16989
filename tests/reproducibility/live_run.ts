/** A `sluice run` that goes on while a test watches it: how far it is, to kill it or to interrupt it. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";

/** Output and exit of a run. */
export interface RunEnd {
  readonly code: number;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** Programs that the memo of a project knows; grows while a batch is being scored. */
export function memoSize({ root }: CommandLine): number {
  return segmentsIn(`${root}/.sluice/memo`).reduce((entries, path) => {
    const lines = Deno.readTextFileSync(path).split("\n").length - 1;
    return entries + Math.max(0, lines - 1); // the first line names the format
  }, 0);
}

function segmentsIn(folder: string): string[] {
  return names(folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    return name.endsWith(".ndjson") ? [path] : segmentsIn(path);
  });
}

/** Step of the newest checkpoint, 0 without one; loops that have done all their `steps` do not count. */
export function checkpointStep({ root }: CommandLine, steps = Infinity): number {
  const folder = `${root}/.sluice/checkpoints`;
  const newest = names(folder).map((loop) => {
    const found = names(`${folder}/${loop}`).map((name) => /^(\d+)\.checkpoint$/.exec(name)?.[1]);
    return Math.max(0, ...found.map((step) => Number(step ?? 0)));
  });
  return Math.max(0, ...newest.filter((step) => step < steps));
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return []; // it is not there yet, or no longer
  }
}

/** A process that a run started, or the runner itself. */
export interface Process {
  readonly pid: number;
  readonly command: string;
}

/** Sends a signal to a process, or to a group by its negative number, unless it has ended meanwhile. */
function killed(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Processes that stand in a project's folder: the runner, its stages, its workers. No zombies. */
export function processesOf({ root }: CommandLine): Process[] {
  if (Deno.build.os !== "linux") return listedProcesses(root);
  return names("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      if (Deno.readLinkSync(`/proc/${pid}/cwd`) !== root) return [];
      const command = Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ");
      return [{ pid: Number(pid), command }];
    } catch {
      return []; // it has ended meanwhile, or belongs to another user
    }
  });
}

/** Whether a process handles SIGTERM; without /proc every process is taken to do so. */
export function handlesTermination({ pid }: Process): boolean {
  if (Deno.build.os !== "linux") return true;
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const [, caught] = /^SigCgt:\s*(\w+)$/m.exec(status)!;
  return (BigInt(`0x${caught}`) >> 14n & 1n) === 1n;
}

/** Where there is no /proc: the processes that name the folder, which all stages do. */
function listedProcesses(root: string): Process[] {
  const { stdout } = new Deno.Command("ps", { args: ["-A", "-o", "pid=,args="] }).outputSync();
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.includes(root));
  return lines.map((line) => ({ pid: parseInt(line), command: line.trim() }));
}

/** One process of the command line, in a group of its own. */
export class LiveRun {
  readonly #project: CommandLine;
  readonly #child: Deno.ChildProcess;
  readonly #out: Promise<string>;
  readonly #err: Promise<string>;
  #said = "";
  #ended = false;

  constructor(project: CommandLine, args: readonly string[]) {
    this.#project = project;
    this.#child = project.start(args, { detached: true });
    this.#out = new Response(this.#child.stdout).text();
    this.#err = this.#listen();
    this.#child.status.then(() => this.#ended = true);
  }

  /** Waits until something holds; false if the run ended before. */
  async until(holds: () => boolean): Promise<boolean> {
    while (!holds()) {
      if (this.#ended) return false;
      await pause(2);
    }
    return !this.#ended;
  }

  /** Waits until standard error contains a text; false if the run ended before. */
  async untilSaid(text: string): Promise<boolean> {
    return await this.until(() => this.#said.includes(text));
  }

  /** `kill -9` of the runner alone; within 3 s nothing that it started may be left. */
  async kill(): Promise<RunEnd> {
    this.#child.kill("SIGKILL");
    const end = await this.end();
    await this.#assertNothingLeft();
    return end;
  }

  /** Ctrl-C: to the runner alone, or, as a terminal does, to its whole group; or another signal. */
  press(to: "runner" | "group", signal: Deno.Signal = "SIGINT"): void {
    if (to === "runner") this.#child.kill(signal);
    else killed(-this.#child.pid, signal);
  }

  /** A signal to the runner alone. */
  signal(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** SIGTERM as a batch system sends it: to every process of the run. */
  terminateAll(): void {
    for (const { pid } of processesOf(this.#project)) killed(pid, "SIGTERM");
  }

  /** Ctrl-C, and the end that it leads to. */
  async interrupt(to: "runner" | "group"): Promise<RunEnd> {
    this.press(to);
    const end = await this.end();
    await this.#assertNothingLeft();
    return end;
  }

  async end(): Promise<RunEnd> {
    const { code, signal } = await this.#child.status;
    return { code, signal, out: await this.#out, err: await this.#err };
  }

  async #listen(): Promise<string> {
    for await (const text of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      this.#said += text;
    }
    return this.#said;
  }

  async #assertNothingLeft(): Promise<void> {
    const deadline = performance.now() + 3000;
    while (processesOf(this.#project).length > 0 && performance.now() < deadline) await pause(20);
    assert.deepEqual(processesOf(this.#project), []);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
