/** The pipe to the runner, seen from a stage's process: requests out, answers and `stop` in. */
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import { sha256 } from "../../base/digest.ts";
import { FrameReader, FrameWriter } from "../../base/frames.ts";
import type { FromStage, StageFault, StageJob, ToStage } from "../process/messages.ts";
import { decodeCell, encodeCell, stageFrameCaps } from "../process/messages.ts";

/** An error that the runner sent in answer to a request. */
class RefusedError extends Error {
  constructor(fault: StageFault) {
    super(fault.message);
    this.name = fault.name;
  }
}

interface Waiting {
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** One end of the pipe. The process ends when the runner does. */
export class Link {
  readonly #reader = new FrameReader(Deno.stdin.readable, stageFrameCaps);
  readonly #writer = new FrameWriter(Deno.stdout.writable);
  readonly #waiting = new Map<number, Waiting>();
  readonly #shared = new Map<string, number>();
  #written: Promise<unknown> = Promise.resolve();
  #requests = 0;
  #stopping = false;
  /** Called once, when the runner asks to stop. */
  onStop: () => void = () => {};

  /** True once the runner has asked to stop. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** The job, which comes first. */
  async job(): Promise<{ readonly job: StageJob; readonly payload: Uint8Array }> {
    const read = await this.#reader.read();
    const message = read.kind === "frame" ? read.frame.json as ToStage : undefined;
    if (read.kind !== "frame" || message?.type !== "start") Deno.exit(70);
    return { job: message.job, payload: read.frame.payload ?? new Uint8Array(0) };
  }

  /** Starts to listen. Without a runner nothing is left to do: the process ends. */
  listen(): void {
    this.#listen().catch(() => Deno.exit(70));
  }

  /** Hands a message over; messages arrive in the order of the calls. */
  send(message: FromStage, payload?: Uint8Array): void {
    this.#written = this.#writer.write(message, payload).then((sent) => {
      if (!sent) Deno.exit(70);
    });
  }

  /** Waits until everything sent so far was handed over. */
  async flush(): Promise<void> {
    await this.#written;
  }

  /** Asks a service; its answer is what it gave, or the error that it gave instead. */
  ask(
    from: { readonly stage: string; readonly step: number; readonly service: string },
    request: Readonly<Record<string, unknown>>,
  ): Promise<unknown> {
    const id = this.#requests++;
    const entries = Object.entries(request).filter(([, value]) => value !== undefined);
    const [objects, plain] = [entries.filter(isObject), entries.filter((one) => !isObject(one))];
    const shared = Object.fromEntries(objects.map(([name, value]) => [name, this.#keyOf(value)]));
    const fields = encodeCell(Object.fromEntries(plain)) as Record<string, unknown>;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.send({ type: "ask", id, ...from, request: fields, shared });
    });
  }

  /** The key of an object, which is sent when it is first used. */
  #keyOf(object: unknown): number {
    const value = encodeCell(object);
    const digest = sha256(JSON.stringify(value));
    const known = this.#shared.get(digest);
    if (known !== undefined) return known;
    const key = this.#shared.size;
    this.#shared.set(digest, key);
    this.send({ type: "shared", key, value });
    return key;
  }

  async #listen(): Promise<never> {
    for (;;) {
      const read = await this.#reader.read();
      if (read.kind !== "frame") Deno.exit(70);
      this.#receive(read.frame.json as ToStage);
    }
  }

  #receive(message: ToStage): void {
    if (message.type === "stop") {
      this.#stopping = true;
      this.onStop();
    } else if (message.type === "answered") {
      this.#take(message.id)?.resolve(decodeCell(message.answer));
    } else if (message.type === "refused") {
      this.#take(message.id)?.reject(errorOf(message.fault));
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }
}

function isObject([, value]: readonly [string, unknown]): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !ArrayBuffer.isView(value);
}

function errorOf(fault: StageFault): Error {
  if (fault.diagnostics) return new InputError(fault.diagnostics);
  if (fault.remedy) return new MissingPartError(fault.message, fault.remedy);
  return new RefusedError(fault);
}

/** An error of an inner stage of a loop, with its name and step. */
export class InnerError extends Error {
  constructor(override readonly cause: unknown, readonly stage: string, readonly step: number) {
    super(`stage "${stage}" failed at step ${step}`);
  }
}

/** The message for an error. */
export function faultOf(error: unknown, stage?: string, step?: number): StageFault {
  if (error instanceof InnerError) return faultOf(error.cause, error.stage, error.step);
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stage, step };
  const { name, message, stack } = error;
  const diagnostics = error instanceof InputError ? error.diagnostics : undefined;
  const remedy = error instanceof MissingPartError ? error.remedy : undefined;
  return { name, message, stack, diagnostics, remedy, stage, step };
}
