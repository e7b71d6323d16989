/** Dropout before adapters (Srivastava et al. 2014): inputs that a pass leaves out, the same ones at every repetition. */
import type { DecoderMemory } from "./decoder_memory.ts";

/** State that the adapters of a model share. */
export class Dropout {
  /** Number of the current pass; undefined where nothing is left out. */
  pass: number | undefined;

  /** Leaves out the share `rate` of all numbers, in (0, 1). */
  constructor(readonly rate: number) {}

  /**
   * Numbers at an address, in place: zero with probability `rate`, else divided by 1 − rate.
   *
   * @param map Which map's input this is: each has a mask of its own.
   */
  apply(memory: DecoderMemory, address: number, count: number, map: number): void {
    const key = Math.imul(this.pass! + 1, 0x9e3779b1) ^ Math.imul(map + 1, 0x85ebca77);
    const [least, scale] = [this.rate * 2 ** 32, 1 / (1 - this.rate)];
    const numbers = memory.f32(address, count);
    for (let i = 0; i < count; i++) numbers[i] = mixed(key, i) < least ? 0 : numbers[i] * scale;
  }
}

/** 32 bits of a key and a place: the finaliser of MurmurHash3 (github.com/aappleby/smhasher), twice. */
function mixed(key: number, place: number): number {
  let h = key;
  for (const word of [place, key]) {
    h ^= word;
    h = Math.imul(h ^ h >>> 16, 0x85ebca6b);
    h = Math.imul(h ^ h >>> 13, 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return h >>> 0;
}
