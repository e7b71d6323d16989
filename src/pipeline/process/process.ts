/** The process of a stage, seen from the runner: frames in both directions, stderr by lines. */
import { dirname } from "node:path";
import { denoCommand, missingDeno } from "../../base/deno_command.ts";
import { FrameReader, FrameWriter } from "../../base/frames.ts";
import type { FromStage, ToStage } from "./messages.ts";
import { stageFrameCaps } from "./messages.ts";
import type { Grants } from "./permissions.ts";
import { grantFlags } from "./permissions.ts";
import type { SluiceHome } from "../contract/project.ts";

/** How a process is started. */
export interface StageProcessOptions {
  /** The generated entry. */
  readonly entry: string;
  readonly grants: Grants;
  readonly home: SluiceHome;
  /** Folder of the project, where the process stands. */
  readonly cwd: string;
  /** Values of the variables that the stage declares. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where Deno records what was touched. */
  readonly auditFile?: string;
  /** Receives each line that the process writes to stderr. */
  readonly onLine?: (line: string) => void;
}

/** A message with its payload. */
export interface Received {
  readonly message: FromStage;
  readonly payload: Uint8Array;
}

/** How a process ended. */
export interface ProcessEnd {
  readonly code: number;
  readonly signal: string | null;
  /** Last lines of stderr. */
  readonly lastWords: string;
}

const mostLastLines = 40;

/** Arguments of `deno` that hold for every process of a stage: nothing is fetched, nothing asked. */
export function stageArguments(options: Pick<StageProcessOptions, "entry" | "grants" | "home">) {
  const { config } = options.home;
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--no-remote",
    "--cached-only",
    ...(config ? [`--config=${config}`, "--frozen"] : []),
    ...grantFlags(options.grants),
    options.entry,
  ];
}

/** A running process of a stage. */
export class StageProcess {
  readonly #child: Deno.ChildProcess;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #stderr: Promise<void>;
  readonly #lines: string[] = [];
  #killed = false;

  /** @throws MissingPartError if Deno may not be started. */
  constructor(options: StageProcessOptions) {
    const { DENO_DIR, HOME } = inherited();
    const audit: Record<string, string> = {};
    if (options.auditFile) audit.DENO_AUDIT_PERMISSIONS = options.auditFile;
    try {
      this.#child = denoCommand(stageArguments(options), {
        cwd: options.cwd,
        env: { ...DENO_DIR, ...HOME, ...audit, ...options.env },
      }).spawn();
    } catch (error) {
      throw missingDeno(error);
    }
    this.#reader = new FrameReader(this.#child.stdout, stageFrameCaps);
    this.#writer = new FrameWriter(this.#child.stdin);
    this.#stderr = this.#readLines(options.onLine);
  }

  get pid(): number {
    return this.#child.pid;
  }

  /** True if the process was killed from here. */
  get killed(): boolean {
    return this.#killed;
  }

  send(message: ToStage, payload?: Uint8Array): Promise<boolean> {
    return this.#writer.write(message, payload);
  }

  /** The next message, or undefined after the last. A breach of the protocol kills the process. */
  async receive(): Promise<Received | undefined> {
    const read = await this.#reader.read();
    if (read.kind === "frame") {
      const { json, payload } = read.frame;
      return { message: json as FromStage, payload: payload ?? new Uint8Array(0) };
    }
    if (read.kind === "fault") {
      this.#keep(`the stage wrote something that is not a frame to stdout: ${read.message}`);
      this.kill();
    }
    return undefined;
  }

  kill(): void {
    this.#killed = true;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // It has ended already.
    }
  }

  /** Waits for the end; all lines of stderr have been seen by then. */
  async end(): Promise<ProcessEnd> {
    await this.#writer.close();
    await this.#stderr;
    await this.#reader.cancel();
    const { code, signal } = await this.#child.status;
    return { code, signal, lastWords: this.#lines.join("\n") };
  }

  async #readLines(onLine: (line: string) => void = () => {}): Promise<void> {
    let rest = "";
    for await (const chunk of this.#child.stderr.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#keep(line), onLine(line);
    }
    if (rest) this.#keep(rest), onLine(rest);
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > mostLastLines) this.#lines.shift();
  }
}

/** Where Deno keeps its compiled code: a child without it would compile everything again. */
function inherited(): Record<"DENO_DIR" | "HOME", Record<string, string>> {
  const given = (name: string): Record<string, string> => {
    const value = readVariable(name);
    return value === undefined ? {} : { [name]: value };
  };
  return { DENO_DIR: given("DENO_DIR"), HOME: given("HOME") };
}

/** A variable of the runner's environment, or undefined if unset or not allowed to be read. */
export function readVariable(name: string): string | undefined {
  try {
    return Deno.env.get(name);
  } catch {
    return undefined;
  }
}

/** What `deno info --json` prints about an entry. */
export async function denoInfo(entry: string, config?: string): Promise<unknown> {
  const cwd = dirname(entry);
  const { DENO_DIR, HOME } = inherited();
  const flags = config ? [`--config=${config}`] : [];
  const args = ["info", "--json", "--quiet", "--no-remote", ...flags, entry];
  const child = denoCommand(args, { cwd, env: { ...DENO_DIR, ...HOME } }).spawn();
  await child.stdin.close();
  const { stdout, stderr, success } = await child.output();
  if (!success) throw new Error(`deno info failed: ${new TextDecoder().decode(stderr).trim()}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}
