/** A `sluice run` that goes on while a test watches it: how far it is, to kill it or to interrupt it. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";

/** What a run that ended said, and how it ended. */
export interface RunEnd {
  readonly code: number;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
}

/** Programs that the memo of a project knows; grows while a batch is being scored. */
export function memoSize({ root }: CommandLine): number {
  let lines = 0;
  for (const name of names(`${root}/.sluice/memo`)) {
    lines += Deno.readTextFileSync(`${root}/.sluice/memo/${name}`).split("\n").length - 1;
  }
  return lines;
}

/** Step of the newest checkpoint, 0 without one. */
export function checkpointStep({ root }: CommandLine): number {
  const folder = `${root}/.sluice/checkpoints`;
  const files = names(folder).flatMap((loop) => names(`${folder}/${loop}`));
  return Math.max(0, ...files.filter((name) => name.endsWith(".checkpoint")).map(parseInt));
}

function names(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch {
    return []; // it is not there yet, or no longer
  }
}

/** Processes that stand in a project's folder: the runner, its stages, its workers. No zombies. */
export function processesOf({ root }: CommandLine): string[] {
  if (Deno.build.os !== "linux") return listedProcesses(root);
  return names("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const inside = Deno.readLinkSync(`/proc/${pid}/cwd`) === root;
      return inside ? [Deno.readTextFileSync(`/proc/${pid}/cmdline`).replaceAll("\0", " ")] : [];
    } catch {
      return [];
    }
  });
}

/** Where there is no /proc: the processes that name the folder, which all stages do. */
function listedProcesses(root: string): string[] {
  const { stdout } = new Deno.Command("ps", { args: ["-A", "-o", "args="] }).outputSync();
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line.includes(root));
}

/** One process of the command line, in a group of its own. */
export class LiveRun {
  readonly #project: CommandLine;
  readonly #child: Deno.ChildProcess;
  readonly #output: Promise<Deno.CommandOutput>;
  #ended = false;

  constructor(project: CommandLine, args: readonly string[]) {
    this.#project = project;
    this.#child = project.start(args, { detached: true });
    this.#output = this.#child.output();
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

  /** `kill -9` of the runner alone; within 3 s nothing that it started may be left. */
  async kill(): Promise<RunEnd> {
    this.#child.kill("SIGKILL");
    const end = await this.end();
    await this.#assertNothingLeft();
    return end;
  }

  /** Ctrl-C: to the runner alone, or, as a terminal does, to its whole group. */
  async interrupt(to: "runner" | "group"): Promise<RunEnd> {
    if (to === "runner") this.#child.kill("SIGINT");
    else Deno.kill(-this.#child.pid, "SIGINT");
    const end = await this.end();
    await this.#assertNothingLeft();
    return end;
  }

  async end(): Promise<RunEnd> {
    const { code, signal, stdout, stderr } = await this.#output;
    const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
    return { code, signal, out, err };
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
