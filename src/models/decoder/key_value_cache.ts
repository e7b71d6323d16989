/** Keys and values of the positions of one sequence, so that more tokens cost only themselves. */
import type { DecoderMemory } from "./decoder_memory.ts";
import type { ModelConfig } from "./model_config.ts";

/** The cache of one sequence: `[layers, 2, key heads, capacity, head size]` in the memory. */
export class KeyValueCache {
  readonly #address: number;
  #length = 0;

  constructor(
    readonly memory: DecoderMemory,
    readonly config: ModelConfig,
    /** Most positions. */
    readonly capacity: number,
  ) {
    this.#address = memory.allocate(2 * config.layers * this.#block);
  }

  /** Numbers of the keys of one layer. */
  get #block(): number {
    return this.config.key_heads * this.capacity * this.config.head_size;
  }

  /** Positions that are in it. */
  get length(): number {
    return this.#length;
  }

  /** Forgets what comes after the first positions. */
  truncate(length: number): void {
    this.#length = Math.min(length, this.#length);
  }

  /** To be called when all layers have written so many positions. */
  advance(count: number): void {
    this.#length += count;
  }

  /** The address of a head's keys (0) or values (1): `[capacity, head size]`. */
  address(layer: number, part: 0 | 1, head: number): number {
    const { capacity, config: { head_size } } = this;
    return this.#address + 4 * ((2 * layer + part) * this.#block + head * capacity * head_size);
  }

  /** Another cache of the same capacity that holds the same; to be disposed of. */
  fork(): KeyValueCache {
    const { memory, config, capacity } = this;
    const copy = new KeyValueCache(memory, config, capacity);
    const numbers = this.#length * config.head_size;
    for (let layer = 0; layer < config.layers; layer++) {
      for (let head = 0; head < config.key_heads; head++) {
        for (const part of [0, 1] as const) {
          memory.copy(copy.address(layer, part, head), this.address(layer, part, head), numbers);
        }
      }
    }
    copy.#length = this.#length;
    return copy;
  }

  /** Gives the memory back; the cache must not be used any more. */
  dispose(): void {
    this.memory.free(this.#address);
  }
}
