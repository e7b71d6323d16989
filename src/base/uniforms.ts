/** Uniform numbers that are drawn ahead, many at a time, for loops that need one after another. */
import type { RandomStream } from "./random.ts";

/** How many are drawn at a time. */
const ahead = 256;

/**
 * The uniform numbers of a stream in their order. A generator of random integers is too long for V8 to
 * write into every function that asks for a number, and what a call returns is a number on the heap.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "./random.ts";
 * import { Uniforms } from "./uniforms.ts";
 * const [stream, uniforms] = [new RandomStream("a"), new Uniforms(new RandomStream("a"))];
 * for (let k = 0; k < 1000; k++) assert.equal(uniforms.next(), stream.uniform());
 * ```
 */
export class Uniforms {
  readonly #stream: RandomStream;
  readonly #numbers = new Float64Array(ahead);
  #at = ahead;

  /** @param stream which nobody else draws from. */
  constructor(stream: RandomStream) {
    this.#stream = stream;
  }

  /** The next number, in (0, 1). */
  next(): number {
    if (this.#at === ahead) this.#drawAhead();
    return this.#numbers[this.#at++];
  }

  #drawAhead(): void {
    for (let k = 0; k < ahead; k++) this.#numbers[k] = this.#stream.uniform();
    this.#at = 0;
  }
}
