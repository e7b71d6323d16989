/** Cosines and sines of rotary positions, for as many positions as were asked for. */
import type { DecoderMemory } from "./decoder_memory.ts";

/** Tables `[positions, half]` in the memory, which grow by doubling. */
export class RotaryTables {
  #count = 0;
  /** Address of cosines. */
  cosines = 0;
  /** Address of sines. */
  sines = 0;
  /** Address of sines of the negative angles, which turn back. */
  backSines = 0;

  /** Pair i of `half` turns by position × base^(−i / half). */
  constructor(
    readonly memory: DecoderMemory,
    readonly base: number,
    /** Half the numbers of a head. */
    readonly half: number,
  ) {}

  /** Makes sure of so many positions. */
  reserve(positions: number): void {
    if (positions <= this.#count) return;
    for (const old of [this.cosines, this.sines, this.backSines]) {
      if (old !== 0) this.memory.free(old);
    }
    this.#count = Math.max(64, 2 ** Math.ceil(Math.log2(positions)));
    const angles = this.#angles();
    this.cosines = this.memory.place(angles.map(Math.cos));
    this.sines = this.memory.place(angles.map(Math.sin));
    this.backSines = this.memory.place(angles.map((angle) => -Math.sin(angle)));
  }

  /** Rounded where PyTorch rounds them: a frequency, and its product with the position. */
  #angles(): Float32Array {
    const { half, base } = this;
    const angles = new Float32Array(this.#count * half);
    for (let i = 0; i < half; i++) {
      const frequency = Math.fround(1 / Math.fround(base ** Math.fround(i / half)));
      for (let t = 0; t < this.#count; t++) angles[t * half + i] = t * frequency;
    }
    return angles;
  }
}
