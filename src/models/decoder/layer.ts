/** One layer of a decoder: attention to a cache, and a gated or plain multilayer perceptron. */
import { attendRows } from "./attend_rows.ts";
import type { DecoderMemory } from "./decoder_memory.ts";
import type { KeyValueCache } from "./key_value_cache.ts";
import type { ModelConfig } from "./model_config.ts";
import { PlacedAffine, PlacedNorm } from "./placed.ts";
import type { Products } from "./products.ts";
import type { RotaryTables } from "./rotary_tables.ts";
import type { Affine, LayerWeights } from "./weights.ts";

/** Rows of one sequence among those of a batch. */
export interface Span {
  readonly cache: KeyValueCache;
  readonly begin: number;
  readonly count: number;
}

/** What layers share. */
export interface LayerPlace {
  readonly memory: DecoderMemory;
  readonly config: ModelConfig;
  readonly index: number;
  readonly products: Products;
  readonly tables: RotaryTables;
}

/** The forward pass of a layer. */
export class Layer {
  readonly #place: LayerPlace;
  readonly #attentionNorm: PlacedNorm;
  readonly #innerNorm: PlacedNorm;
  readonly #queryNorm: PlacedNorm | undefined;
  readonly #keyNorm: PlacedNorm | undefined;
  readonly #query: PlacedAffine;
  readonly #key: PlacedAffine;
  readonly #value: PlacedAffine;
  readonly #output: PlacedAffine;
  readonly #gate: PlacedAffine | undefined;
  readonly #up: PlacedAffine;
  readonly #down: PlacedAffine;

  constructor(place: LayerPlace, weights: LayerWeights) {
    this.#place = place;
    const { memory, products, config: { epsilon } } = place;
    const affine = (map: Affine) => new PlacedAffine(products, map);
    this.#attentionNorm = new PlacedNorm(memory, weights.attentionNorm, epsilon);
    this.#innerNorm = new PlacedNorm(memory, weights.innerNorm, epsilon);
    this.#queryNorm = weights.queryNorm && new PlacedNorm(memory, weights.queryNorm, epsilon);
    this.#keyNorm = weights.keyNorm && new PlacedNorm(memory, weights.keyNorm, epsilon);
    this.#query = affine(weights.query);
    this.#key = affine(weights.key);
    this.#value = affine(weights.value);
    this.#output = affine(weights.output);
    this.#gate = weights.gate && affine(weights.gate);
    this.#up = affine(weights.up);
    this.#down = affine(weights.down);
  }

  /**
   * Adds to `hidden` `[rows, width]` what attention and perceptron make of it, and writes keys and
   * values into the caches, behind what they hold.
   */
  forward(hidden: number, positions: number, spans: readonly Span[], rows: number): void {
    const { memory, config } = this.#place;
    const normed = memory.allocate(rows * config.width);
    this.#attentionNorm.apply(hidden, normed, rows, config.width);
    this.#attention(normed, hidden, positions, spans, rows);
    this.#innerNorm.apply(hidden, normed, rows, config.width);
    this.#perceptron(normed, hidden, rows);
    memory.free(normed);
  }

  #attention(
    x: number,
    hidden: number,
    positions: number,
    spans: readonly Span[],
    rows: number,
  ): void {
    const { memory, config: { heads, key_heads, head_size, rotary_base } } = this.#place;
    const [query, key, value] = [heads, key_heads, key_heads].map((count) =>
      memory.allocate(rows * count * head_size)
    );
    this.#query.apply(x, query, rows);
    this.#key.apply(x, key, rows);
    this.#value.apply(x, value, rows);
    this.#queryNorm?.apply(query, query, rows * heads, head_size);
    this.#keyNorm?.apply(key, key, rows * key_heads, head_size);
    if (rotary_base > 0) {
      const { tables: { cosines, sines, half } } = this.#place;
      for (const [turned, count] of [[query, heads], [key, key_heads]]) {
        memory.kernels.turnRows(turned, positions, cosines, sines, rows, count, half);
      }
    }
    const attended = memory.allocate(rows * heads * head_size);
    for (const span of spans) this.#attend(span, { query, key, value, attended });
    this.#output.apply(attended, hidden, rows, true);
    for (const address of [query, key, value, attended]) memory.free(address);
  }

  /** Attention of the rows of one sequence to its cache, which takes their keys and values first. */
  #attend(
    { cache, begin, count }: Span,
    rows: Readonly<Record<"query" | "key" | "value" | "attended", number>>,
  ): void {
    const { memory, index, config: { heads, key_heads, head_size } } = this.#place;
    if (count === 1) return this.#attendOne(cache, begin, rows);
    const wide = heads * head_size;
    const group = heads / key_heads;
    for (let head = 0; head < heads; head++) {
      const shared = Math.floor(head / group);
      const places = [cache.address(index, 0, shared), cache.address(index, 1, shared)];
      if (head % group === 0) this.#remember(cache, begin, count, shared, rows, places);
      const first = 4 * (begin * wide + head * head_size);
      const [query, attended] = [rows.query + first, rows.attended + first];
      const [keys, values] = places;
      const before = cache.length;
      attendRows(memory, { query, keys, values, attended, wide, size: head_size, before, count });
    }
  }

  /** The same for one row, in one kernel: as products its matrices would be too small. */
  #attendOne(
    cache: KeyValueCache,
    row: number,
    rows: Readonly<Record<"query" | "key" | "value" | "attended", number>>,
  ): void {
    const { memory, index, config: { heads, key_heads, head_size } } = this.#place;
    const seen = cache.length + 1;
    const group = heads / key_heads;
    const scale = 1 / Math.sqrt(head_size);
    const scratch = memory.allocate(seen + 3);
    for (let head = 0; head < key_heads; head++) {
      const places = [cache.address(index, 0, head), cache.address(index, 1, head)];
      this.#remember(cache, row, 1, head, rows, places);
      const first = 4 * (row * heads + head * group) * head_size;
      const sizes = [seen, group, head_size, scratch];
      const [query, attended] = [rows.query + first, rows.attended + first];
      memory.kernels.attendOne(query, ...places, ...sizes, attended, scale);
    }
    memory.free(scratch);
  }

  /** Copies keys and values of a head behind those of earlier positions. */
  #remember(
    cache: KeyValueCache,
    begin: number,
    count: number,
    head: number,
    rows: Readonly<Record<"key" | "value", number>>,
    places: readonly number[],
  ): void {
    const { memory, config: { key_heads, head_size } } = this.#place;
    [rows.key, rows.value].forEach((from, part) => {
      for (let t = 0; t < count; t++) {
        const source = from + 4 * ((begin + t) * key_heads + head) * head_size;
        memory.copy(places[part] + 4 * (cache.length + t) * head_size, source, head_size);
      }
    });
  }

  #perceptron(x: number, hidden: number, rows: number): void {
    const { memory, config: { inner } } = this.#place;
    const [gate, up] = [0, 0].map(() => memory.allocate(rows * inner));
    this.#up.apply(x, up, rows);
    if (this.#gate) {
      this.#gate.apply(x, gate, rows);
      memory.kernels.gateRows(gate, up, rows * inner);
    } else memory.kernels.bendRows(up, rows * inner);
    this.#down.apply(this.#gate ? gate : up, hidden, rows, true);
    for (const address of [gate, up]) memory.free(address);
  }
}
