/** Reads a stream to its end, keeps the first bytes only, and reports when there are too many. */

/** At most `cap` bytes are held; the first byte beyond calls `onOver`, and the rest is dropped. */
export class CappedReader {
  /** Settles when the stream has ended. */
  readonly done: Promise<void>;
  readonly #cap: number;
  readonly #onOver: () => void;
  #chunks: Uint8Array[] = [];
  #size = 0;
  #over = false;

  constructor(stream: ReadableStream<Uint8Array>, cap: number, onOver: () => void) {
    this.#cap = cap;
    this.#onOver = onOver;
    this.done = this.#drain(stream);
  }

  /** Whether there was more than the cap. */
  get over(): boolean {
    return this.#over;
  }

  /** Bytes that were kept. */
  get bytes(): Uint8Array {
    const all = new Uint8Array(this.#size);
    this.#chunks.reduce((at, chunk) => (all.set(chunk, at), at + chunk.length), 0);
    return all;
  }

  async #drain(stream: ReadableStream<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of stream) this.#keep(chunk);
    } catch { /* the process is gone, and its pipe with it */ }
  }

  #keep(chunk: Uint8Array): void {
    const room = this.#cap - this.#size;
    const kept = chunk.length <= room ? chunk : chunk.slice(0, Math.max(0, room));
    if (kept.length > 0) this.#chunks.push(kept);
    this.#size += kept.length;
    if (chunk.length <= room || this.#over) return;
    this.#over = true;
    this.#onOver();
  }
}
