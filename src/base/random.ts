/** Seeded random streams: xoshiro128** (Blackman and Vigna 2021), keyed by text. */
import { sha256 } from "./digest.ts";

const rotl = (x: number, k: number): number => (x << k) | (x >>> (32 - k));

/**
 * A stream of random numbers named by the parts of its key: the same key gives the same numbers
 * on every machine, and different keys give independent streams.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "./random.ts";
 * const stream = new RandomStream("seed 20", "sample", 3);
 * assert.equal(stream.uniform(), new RandomStream("seed 20", "sample", 3).uniform());
 * ```
 */
export class RandomStream {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** The stream that this key names: text and numbers, in order. */
  constructor(...key: readonly (string | number)[]) {
    const digest = sha256(JSON.stringify(key));
    const word = (i: number) => parseInt(digest.slice(8 * i, 8 * i + 8), 16) | 0;
    [this.#a, this.#b, this.#c, this.#d] = [word(0), word(1), word(2), word(3) | 1];
  }

  /** Writes the state of the stream into four words, for code that continues it elsewhere. */
  save(words: Int32Array, at: number): void {
    words[at] = this.#a;
    words[at + 1] = this.#b;
    words[at + 2] = this.#c;
    words[at + 3] = this.#d;
  }

  /** Continues from a state that `save` wrote. */
  restore(words: Int32Array, at: number): void {
    this.#a = words[at];
    this.#b = words[at + 1];
    this.#c = words[at + 2];
    this.#d = words[at + 3];
  }

  /** A uniform integer in [0, 2^32). */
  uint32(): number {
    const result = Math.imul(rotl(Math.imul(this.#b, 5), 7), 9);
    const t = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= t;
    this.#d = rotl(this.#d, 11);
    return result >>> 0;
  }

  /** A uniform double in (0, 1): the middle of one of 2^52 equal cells, so never 0 or 1. */
  uniform(): number {
    const high = this.uint32() >>> 6;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low + 0.5) / 4503599627370496;
  }

  /** A uniform integer in [0, n), 0 < n <= 2^32, without bias. */
  below(n: number): number {
    const limit = 4294967296 - (4294967296 % n);
    for (;;) {
      const x = this.uint32();
      if (x < limit) return x % n;
    }
  }
}
