/** The codec of every pipe: length-prefixed JSON frames, each with an optional binary payload. */

/**
 * Wire format: `"<json bytes>\n"` or `"<json bytes>,<payload bytes>\n"` in ASCII decimal without
 * leading zeros, then the UTF-8 JSON text, then the payload.
 */
export interface Frame {
  /** Any value of JSON. */
  readonly json: unknown;
  /** Bytes that JSON would have to spell out; absent where the header names none. */
  readonly payload?: Uint8Array;
}

/** Upper bounds on one frame, in bytes. */
export interface FrameCaps {
  /** Most bytes of the JSON text. */
  readonly json: number;
  /** Most bytes of the payload. */
  readonly payload: number;
}

/** Why a stream of frames could not be read on. */
export type FrameFault = "header" | "over_cap" | "truncated" | "invalid_json" | "trailing";

/** Result of a read: a frame, a clean end of the stream, or a breach of the protocol. */
export type FrameRead =
  | { readonly kind: "frame"; readonly frame: Frame }
  | { readonly kind: "end" }
  | { readonly kind: "fault"; readonly fault: FrameFault; readonly message: string };

/** Caps of a worker's answer: 1 MiB of JSON and no payload. */
export const defaultFrameCaps: FrameCaps = { json: 1 << 20, payload: 0 };

const longestHeader = 40;
const header = /^(0|[1-9][0-9]{0,15})(?:,(0|[1-9][0-9]{0,15}))?$/;

/**
 * The bytes of one frame.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { encodeFrame } from "./frames.ts";
 * assert.equal(new TextDecoder().decode(encodeFrame({ a: 1 })), '7\n{"a":1}');
 * ```
 */
export function encodeFrame(json: unknown, payload?: Uint8Array): Uint8Array<ArrayBuffer> {
  const body = new TextEncoder().encode(JSON.stringify(json));
  const lengths = payload ? `${body.length},${payload.length}\n` : `${body.length}\n`;
  const head = new TextEncoder().encode(lengths);
  const bytes = new Uint8Array(head.length + body.length + (payload?.length ?? 0));
  bytes.set(head, 0);
  bytes.set(body, head.length);
  if (payload) bytes.set(payload, head.length + body.length);
  return bytes;
}

/** Source of bytes, chunk by chunk: a stream's reader, or a pipe without a stream. */
export type ByteSource = Pick<ReadableStreamDefaultReader<Uint8Array>, "read" | "cancel">;

/** Target of bytes, in order: a stream's writer, or a pipe without a stream. */
export type ByteSink = Pick<WritableStreamDefaultWriter<Uint8Array>, "write" | "close">;

/** Writes frames to a pipe, one after the other. */
export class FrameWriter {
  readonly #writer: ByteSink;

  /** Takes the stream for itself: no one else may write to it. */
  constructor(to: WritableStream<Uint8Array> | ByteSink) {
    this.#writer = "getWriter" in to ? to.getWriter() : to;
  }

  /** True if the frame was handed over; false if the other end is gone. */
  async write(json: unknown, payload?: Uint8Array): Promise<boolean> {
    try {
      await this.#writer.write(encodeFrame(json, payload));
      return true;
    } catch {
      return false;
    }
  }

  /** Ends the stream; the other end reads `end`. */
  async close(): Promise<void> {
    await this.#writer.close().catch(() => {});
  }
}

/**
 * Reads frames from a pipe, strictly: after the first fault nothing more is read, and every later
 * `read` returns the same fault. No more is buffered than one frame and one chunk of the stream.
 */
export class FrameReader {
  readonly #reader: ByteSource;
  readonly #caps: FrameCaps;
  #chunks: Uint8Array[] = [];
  #buffered = 0;
  #ended = false;
  #filling: Promise<boolean> | undefined;
  #fault: FrameRead | undefined;

  /** Takes the stream for itself; frames above the caps are faults. */
  constructor(
    from: ReadableStream<Uint8Array> | ByteSource,
    caps: FrameCaps = defaultFrameCaps,
  ) {
    this.#reader = "getReader" in from ? from.getReader() : from;
    this.#caps = caps;
  }

  /** The next frame, the end, or a fault. One call at a time. */
  async read(): Promise<FrameRead> {
    if (this.#fault) return this.#fault;
    const line = await this.#line();
    if (line === undefined) return this.#fault ?? { kind: "end" };
    const match = header.exec(line);
    if (!match) return this.#fail("header", `expected a length, found ${JSON.stringify(line)}`);
    const [json, payload] = [Number(match[1]), Number(match[2] ?? 0)];
    if (json > this.#caps.json || payload > this.#caps.payload) {
      const caps = `${this.#caps.json} and ${this.#caps.payload}`;
      return this.#fail("over_cap", `a frame of ${json} and ${payload} bytes; allowed ${caps}`);
    }
    const bytes = await this.#take(json + payload);
    if (!bytes) return this.#fail("truncated", "the stream ended inside a frame");
    return this.#decode(bytes, json, match[2] !== undefined);
  }

  /** True if more bytes arrived than those of the frames that were read. */
  get ahead(): boolean {
    return this.#buffered > 0;
  }

  /** Waits, while no read is pending, for a byte or the end, which stays to be read. */
  async arrival(): Promise<void> {
    if (!this.#fault && this.#buffered === 0) await this.#fill();
  }

  /** Expects the end of the stream: anything that follows is the fault `trailing`. */
  async readEnd(): Promise<FrameRead> {
    if (this.#fault) return this.#fault;
    if (this.#buffered === 0 && !(await this.#fill())) return { kind: "end" };
    return this.#fail("trailing", "bytes follow the last frame");
  }

  /** Stops reading and drops buffered bytes. */
  async cancel(): Promise<void> {
    await this.#reader.cancel().catch(() => {});
  }

  #decode(bytes: Uint8Array, jsonLength: number, hasPayload: boolean): FrameRead {
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      const json: unknown = JSON.parse(text.decode(bytes.subarray(0, jsonLength)));
      const frame = hasPayload ? { json, payload: bytes.slice(jsonLength) } : { json };
      return { kind: "frame", frame };
    } catch (error) {
      return this.#fail("invalid_json", error instanceof Error ? error.message : `${error}`);
    }
  }

  #fail(fault: FrameFault, message: string): FrameRead {
    this.#fault = { kind: "fault", fault, message };
    this.#chunks = [];
    this.#buffered = 0;
    return this.#fault;
  }

  async #line(): Promise<string | undefined> {
    for (;;) {
      const head = this.#peek(longestHeader);
      const newline = head.indexOf(10);
      if (newline >= 0) return latin1(this.#drop(newline + 1).subarray(0, newline));
      if (head.length >= longestHeader) {
        this.#fail("header", `expected a length, found ${JSON.stringify(latin1(head))}`);
        return undefined;
      }
      if (await this.#fill()) continue;
      if (head.length > 0) this.#fail("truncated", "the stream ended inside a header");
      return undefined;
    }
  }

  async #take(length: number): Promise<Uint8Array | undefined> {
    while (this.#buffered < length) {
      if (!(await this.#fill())) return undefined;
    }
    return this.#drop(length);
  }

  /** The chunk that is waited for already, or the next one; false at the end. */
  #fill(): Promise<boolean> {
    return this.#filling ??= this.#nextChunk().finally(() => this.#filling = undefined);
  }

  async #nextChunk(): Promise<boolean> {
    if (this.#ended) return false;
    try {
      const { value, done } = await this.#reader.read();
      if (value && value.length > 0) {
        this.#chunks.push(value);
        this.#buffered += value.length;
      }
      this.#ended = done;
    } catch {
      this.#ended = true;
    }
    return !this.#ended;
  }

  #peek(length: number): Uint8Array {
    const first = this.#chunks[0];
    if (first === undefined) return new Uint8Array(0);
    if (first.length >= length || this.#chunks.length === 1) return first.subarray(0, length);
    return this.#join().subarray(0, length);
  }

  #drop(length: number): Uint8Array {
    const all = this.#chunks[0]?.length >= length ? this.#chunks[0] : this.#join();
    this.#buffered -= length;
    if (all.length > length) this.#chunks[0] = all.subarray(length);
    else this.#chunks.shift();
    return all.subarray(0, length);
  }

  #join(): Uint8Array {
    const all = new Uint8Array(this.#buffered);
    let at = 0;
    for (const chunk of this.#chunks) {
      all.set(chunk, at);
      at += chunk.length;
    }
    this.#chunks = all.length > 0 ? [all] : [];
    return all;
  }
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
