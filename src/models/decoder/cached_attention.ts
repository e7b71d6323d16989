/** Attention of the rows of several sequences, each to a cache of its own. */
import { attendRows } from "./attend_rows.ts";
import type { DecoderMemory } from "./decoder_memory.ts";
import type { KeyValueCache } from "./key_value_cache.ts";
import type { HeadRows } from "./layer.ts";
import type { ModelConfig } from "./model_config.ts";

/** Rows of one sequence among those of a batch. */
export interface Span {
  readonly cache: KeyValueCache;
  readonly begin: number;
  readonly count: number;
}

/** Rows attend to their caches, to which their keys and values are added first. */
export class CachedAttention {
  constructor(
    readonly memory: DecoderMemory,
    readonly config: ModelConfig,
    readonly spans: readonly Span[],
  ) {}

  /** All spans in one layer. */
  attend(rows: HeadRows, layer: number): void {
    for (const span of this.spans) {
      for (let head = 0; head < this.config.key_heads; head++) this.#head(span, rows, layer, head);
    }
  }

  /** The query heads that share the keys of one head. */
  #head({ cache, begin, count }: Span, rows: HeadRows, layer: number, shared: number): void {
    const { memory, config: { heads, key_heads, head_size: size } } = this;
    const [keys, values] = [cache.address(layer, 0, shared), cache.address(layer, 1, shared)];
    const [before, wide, group] = [cache.length, heads * size, heads / key_heads];
    const own = 4 * (begin * key_heads + shared) * size;
    for (const [from, to] of [[rows.key, keys], [rows.value, values]]) {
      const places = [from + own, 4 * key_heads * size, to + 4 * before * size, 4 * size];
      memory.kernels.copyRows(...places, count, size);
    }
    const first = 4 * (begin * wide + shared * group * size);
    const [query, attended] = [rows.query + first, rows.attended + first];
    const place = { query, keys, values, attended, wide, size, before, count, group };
    attendRows(memory, place);
  }
}
