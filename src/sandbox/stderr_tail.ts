/** Drains a worker's standard error, keeps its last part, and reports when it exceeds its cap. */

/** A capped reader: never blocks the child, never holds more than `cap` bytes. */
export class StderrTail {
  /** Settles when the stream has ended. */
  readonly done: Promise<void>;
  /** Settles when more than `cap` bytes have come; never, if they do not. */
  readonly over: Promise<void>;
  readonly #cap: number;
  #kept = new Uint8Array(0);

  /** Begins to read the stream at once; `cap` is in bytes. */
  constructor(stream: ReadableStream<Uint8Array>, cap: number) {
    this.#cap = cap;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.over = promise;
    this.done = this.#drain(stream, resolve);
  }

  /** The last bytes. */
  get bytes(): Uint8Array {
    return this.#kept;
  }

  /** The last bytes as text. */
  get text(): string {
    return new TextDecoder().decode(this.#kept);
  }

  async #drain(stream: ReadableStream<Uint8Array>, tooMuch: () => void): Promise<void> {
    let total = 0;
    try {
      for await (const chunk of stream) {
        total += chunk.length;
        this.#keep(chunk);
        if (total > this.#cap) tooMuch();
      }
    } catch { /* the process is gone, and its pipe with it */ }
  }

  #keep(chunk: Uint8Array): void {
    const joined = new Uint8Array(this.#kept.length + chunk.length);
    joined.set(this.#kept, 0);
    joined.set(chunk, this.#kept.length);
    this.#kept = joined.slice(Math.max(0, joined.length - this.#cap));
  }
}
