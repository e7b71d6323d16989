/** A small random generator for fuzzing: the same numbers for the same seed (Mulberry32). */

/** Not for anything but tests. */
export class Mulberry {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** A whole number from 0 to `limit` - 1. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor(((t ^ (t >>> 14)) >>> 0) / 2 ** 32 * limit);
  }
}
