/** A process of an oracle, seen from its supervisor: requests one after the other, answers back. */
import { denoCommand, missingDeno, moduleArgument } from "../base/deno_command.ts";
import { InputError, MissingPartError } from "../base/diagnostic.ts";
import { FrameReader, FrameWriter } from "../base/frames.ts";
import { oracleCaps, type OracleReply, type OracleRequest, type OracleWork } from "./messages.ts";
import { decodeCell } from "../pipeline/process/mod.ts";

/** Options with which a process is started. */
interface WorkerOptions {
  /** Purpose of the process, in messages. */
  readonly title: string;
  /** Flags of `deno run`: its permissions, by name. */
  readonly flags: readonly string[];
  /** Its main module. */
  readonly main: string;
  readonly args: readonly string[];
  /** Whether it inherits the variables of its parent, of which flags let it read some. */
  readonly inherits?: boolean;
  /** Further variables of the process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Letters of a process's last words that an error repeats. */
const mostWords = 2000;

/** A process that answers requests in their order. It is started by the first. */
export class OracleWorker {
  readonly #options: WorkerOptions;
  #process: Started | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** @throws The error of the process, InputError and MissingPartError included; Error if it has ended. */
  ask<K extends keyof OracleWork>(
    op: K,
    asked: OracleWork[K]["asked"],
  ): Promise<OracleWork[K]["answer"]> {
    const request = { op, asked } as OracleRequest;
    const answer = this.#last.then(() => this.#ask(request));
    this.#last = answer.catch(() => {});
    return answer as Promise<OracleWork[K]["answer"]>;
  }

  /** Ends the process. */
  async close(): Promise<void> {
    const started = this.#process;
    this.#process = undefined;
    if (!started) return;
    await started.writer.close();
    started.kill();
    await started.child.status;
  }

  async #ask(request: OracleRequest): Promise<unknown> {
    const started = this.#process ??= start(this.#options);
    await started.writer.write(request);
    const read = await started.reader.read();
    if (read.kind !== "frame") throw await this.#gone(started);
    const reply = read.frame.json as OracleReply;
    if (reply.kind === "answer") return decodeCell(reply.answer);
    if (reply.diagnostics) throw new InputError(reply.diagnostics);
    if (reply.remedy !== undefined) throw new MissingPartError(reply.message, reply.remedy);
    throw new Error(`${this.#options.title} failed: ${reply.message}`);
  }

  async #gone(started: Started): Promise<Error> {
    started.kill();
    const { code, signal } = await started.child.status;
    const words = (await started.words).trim().slice(-mostWords);
    const how = signal ?? `status ${code}`;
    return new Error(`${this.#options.title} ended (${how}): ${words || "it said nothing"}`);
  }
}

interface Started {
  readonly child: Deno.ChildProcess;
  readonly reader: FrameReader;
  readonly writer: FrameWriter;
  /** All that it wrote to standard error. */
  readonly words: Promise<string>;
  kill(): void;
}

/** @throws MissingPartError if Deno may not be started. */
function start({ flags, main, args, inherits = false, env = {} }: WorkerOptions): Started {
  const common = ["run", "--quiet", "--no-prompt", "--no-remote", "--cached-only"];
  const child = spawn([...common, ...flags, moduleArgument(main), ...args], { inherits, env });
  const kill = () => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  return {
    child,
    kill,
    reader: new FrameReader(child.stdout, oracleCaps),
    writer: new FrameWriter(child.stdin),
    words: new Response(child.stderr).text(),
  };
}

function spawn(
  args: readonly string[],
  options: Required<Pick<WorkerOptions, "inherits" | "env">>,
): Deno.ChildProcess {
  try {
    return denoCommand(args, options).spawn();
  } catch (error) {
    throw missingDeno(error);
  }
}
