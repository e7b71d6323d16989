/** Keys and values of the positions of one sequence, so that more tokens cost only themselves. */
import type { DecoderMemory } from "./decoder_memory.ts";
import type { ModelConfig } from "./model_config.ts";

/**
 * The cache of one sequence: `[layers, 2, key heads, capacity, head size]` in the memory. Where layers
 * below the first are computed without it, it holds the tokens themselves.
 */
export class KeyValueCache {
  readonly #address: number;
  #length = 0;
  #ids: number[] = [];

  /** Room for `capacity` positions of all layers. */
  constructor(
    readonly memory: DecoderMemory,
    readonly config: ModelConfig,
    /** Most positions. */
    readonly capacity: number,
    /** The first layer that it is of. */
    readonly firstLayer: number = 0,
  ) {
    this.#address = memory.allocate(2 * (config.layers - firstLayer) * this.#block);
  }

  /** The tokens that are in it; none if it is of all layers. */
  get ids(): readonly number[] {
    return this.#ids;
  }

  /** Numbers of the keys of one layer. */
  get #block(): number {
    return this.config.key_heads * this.capacity * this.config.head_size;
  }

  /** Positions that are in it. */
  get length(): number {
    return this.#length;
  }

  /** Forgets all positions after the first ones. */
  truncate(length: number): void {
    this.#length = Math.min(length, this.#length);
    this.#ids.length = Math.min(length, this.#ids.length);
  }

  /** To be called when all layers have written these positions. */
  advance(ids: ArrayLike<number>): void {
    this.#length += ids.length;
    if (this.firstLayer > 0) { for (let i = 0; i < ids.length; i++) this.#ids.push(ids[i]); }
  }

  /** The address of a head's keys (0) or values (1): `[capacity, head size]`. */
  address(layer: number, part: 0 | 1, head: number): number {
    const { capacity, config: { head_size } } = this;
    const place = 2 * (layer - this.firstLayer) + part;
    return this.#address + 4 * (place * this.#block + head * capacity * head_size);
  }

  /** Another cache of the same capacity that holds the same; to be disposed of. */
  fork(): KeyValueCache {
    const { memory, config, capacity, firstLayer } = this;
    const copy = new KeyValueCache(memory, config, capacity, firstLayer);
    const numbers = this.#length * config.head_size;
    for (let layer = firstLayer; layer < config.layers; layer++) {
      for (let head = 0; head < config.key_heads; head++) {
        for (const part of [0, 1] as const) {
          memory.copy(copy.address(layer, part, head), this.address(layer, part, head), numbers);
        }
      }
    }
    copy.#length = this.#length;
    copy.#ids = [...this.#ids];
    return copy;
  }

  /** Gives the memory back; the cache must not be used any more. */
  dispose(): void {
    this.memory.free(this.#address);
  }
}
