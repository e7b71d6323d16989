/** The process of a stage, seen from the runner: frames in both directions, stderr by lines. */
import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { denoCommand, missingDeno, moduleArgument } from "../../base/deno_command.ts";
import { FrameReader, FrameWriter } from "../../base/frames.ts";
import { linesOf } from "../../base/lines_of.ts";
import type { ConfinedStart } from "../contract/confinement.ts";
import type { FromStage, ToStage } from "./messages.ts";
import { stageFrameCaps } from "./messages.ts";
import type { Grants } from "./permissions.ts";
import { grantFlags } from "./permissions.ts";
import type { SluiceHome } from "../project/project.ts";

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
  /** The confined process; by default it has Deno's permissions alone. */
  readonly confined?: ConfinedStart;
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
  /** Bytes on stdout that are no message of its host; undefined if there were none. */
  readonly breach?: string;
}

/** Letters from which on a line of stderr goes on as another. */
const longestLine = 1 << 20;

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
    `--location=${ownOrigin()}`,
    ...(config ? [`--config=${config}`, "--frozen"] : modulesBeside(options.entry)),
    ...grantFlags(options.grants),
    moduleArgument(options.entry),
  ];
}

/** By it Deno keeps what the web's storage holds: workers of a stage find what no other has left. */
function ownOrigin(): string {
  return `http://${crypto.randomUUID()}.invalid/`;
}

/** An entry that is no file has no folder in which Deno would find npm packages: a flag makes up for it. */
function modulesBeside(entry: string): string[] {
  return entry.startsWith("data:") ? ["--node-modules-dir=manual"] : [];
}

/** A running process of a stage. */
export class StageProcess {
  readonly #child: Deno.ChildProcess;
  readonly #reader: FrameReader;
  readonly #writer: FrameWriter;
  readonly #stderr: Promise<void>;
  readonly #lines: string[] = [];
  readonly #confined: ConfinedStart | undefined;
  #isKnown: boolean;
  #tail = new Uint8Array(0);
  #killed = false;
  #breach: string | undefined;

  /** @throws MissingPartError if Deno may not be started. */
  constructor(options: StageProcessOptions) {
    const { confined } = options;
    this.#confined = confined;
    this.#isKnown = confined === undefined;
    try {
      const { cwd } = options;
      const env = stageEnvironment(options);
      const command = confined?.command ?? denoCommand(stageArguments(options), { cwd, env });
      this.#child = command.spawn();
    } catch (error) {
      throw missingDeno(error);
    }
    this.#reader = new FrameReader(this.#child.stdout, stageFrameCaps);
    if (confined) writeFirst(this.#child.stdin, confined.preamble);
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
      if (!this.#isKnown) return await this.#attested(json);
      return { message: json as FromStage, payload: payload ?? new Uint8Array(0) };
    }
    if (read.kind === "fault") {
      if (read.fault !== "truncated") this.#breach = read.message; // else it was killed on the way
      this.kill();
    }
    return undefined;
  }

  /** Checks the first frame of a confined process; later frames are the stage's. */
  async #attested(json: unknown): Promise<Received | undefined> {
    this.#isKnown = true;
    const { kind, nonce } = json as { readonly kind?: unknown; readonly nonce?: unknown };
    if (kind === "attested" && nonce === this.#confined?.nonce) return await this.receive();
    this.#keep("the process did not prove its confinement");
    this.kill();
    return undefined;
  }

  kill(): void {
    this.#killed = true;
    try {
      this.#child.kill("SIGKILL");
    } catch {
      // the process has ended already
    }
  }

  /** Waits for the end; all lines of stderr have been seen by then. */
  async end(): Promise<ProcessEnd> {
    await this.#writer.close();
    await this.#stderr;
    await this.#reader.cancel();
    const { code, signal } = await this.#child.status;
    const told = this.#confined?.readEnd(this.#tail);
    const killed = this.#confined && !told ? "SIGKILL" : signal;
    return {
      code,
      signal: killed,
      ...told,
      lastWords: this.#lines.join("\n"),
      breach: this.#breach,
    };
  }

  async #readLines(onLine: (line: string) => void = () => {}): Promise<void> {
    const own = this.#child.stderr.pipeThrough(this.#withoutReport());
    for await (const line of linesOf(own, longestLine)) this.#keep(line), onLine(line);
  }

  /** Holds the last bytes back, which are a confined process's end and no words of its own. */
  #withoutReport(): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
    const most = this.#confined?.reportBytes ?? 0;
    return new TransformStream({
      transform: (chunk, controller) => {
        const all = new Uint8Array(this.#tail.length + chunk.length);
        all.set(this.#tail);
        all.set(chunk, this.#tail.length);
        const own = Math.max(0, all.length - most);
        if (own > 0) controller.enqueue(all.slice(0, own));
        this.#tail = all.slice(own);
      },
      flush: (controller) => {
        if (!this.#confined?.readEnd(this.#tail)) controller.enqueue(this.#tail);
      },
    });
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > mostLastLines) this.#lines.shift();
  }
}

/** All variables of a stage's process. */
export function stageEnvironment(
  { auditFile, env }: Pick<StageProcessOptions, "auditFile" | "env">,
): Record<string, string> {
  const { DENO_DIR, HOME } = inherited();
  const audit: Record<string, string> = auditFile ? { DENO_AUDIT_PERMISSIONS: auditFile } : {};
  return { ...DENO_DIR, ...HOME, ...audit, ...env };
}

/** Bytes ahead of all frames. If they cannot be written, no frame can be either, which reports it. */
function writeFirst(stream: WritableStream<Uint8Array>, bytes: Uint8Array): void {
  const writer = stream.getWriter();
  writer.write(bytes).catch(() => {});
  writer.releaseLock();
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

/** The answer of `deno info --json` about entries; of many it reads a module that imports them all. */
export async function denoInfo(entries: readonly string[], config?: string): Promise<unknown> {
  const cwd = dirname(entries[0]);
  const { DENO_DIR, HOME } = inherited();
  const flags = config ? [`--config=${config}`] : [];
  const root = entries.length === 1 ? moduleArgument(entries[0]) : importing(entries);
  const args = ["info", "--json", "--quiet", "--no-remote", ...flags, root];
  const child = denoCommand(args, { cwd, env: { ...DENO_DIR, ...HOME } }).spawn();
  await child.stdin.close();
  const { stdout, stderr, success } = await child.output();
  if (!success) throw new Error(`deno info failed: ${new TextDecoder().decode(stderr).trim()}`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

function importing(entries: readonly string[]): string {
  const lines = entries.map((entry) => `import ${JSON.stringify(pathToFileURL(entry).href)};\n`);
  return `data:text/javascript,${encodeURIComponent(lines.join(""))}`;
}
