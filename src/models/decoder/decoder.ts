/** A decoder: logits, and log probabilities of given tokens, of a model in single precision. */
import type { Blas } from "../../base/blas/blas.ts";
import { inputError } from "../../base/diagnostic.ts";
import { DecoderMemory } from "./decoder_memory.ts";
import { Head } from "./head.ts";
import { KeyValueCache } from "./key_value_cache.ts";
import { Layer, type Span } from "./layer.ts";
import type { ModelConfig } from "./model_config.ts";
import { PlacedNorm } from "./placed.ts";
import { Products } from "./products.ts";
import { RotaryTables } from "./rotary_tables.ts";
import type { Weights } from "./weights.ts";

/** Tokens that follow what is in a cache. */
export interface Chunk {
  readonly cache: KeyValueCache;
  readonly ids: ArrayLike<number>;
}

/** A sequence of which tokens are to be scored. */
export interface ScoredSequence {
  readonly ids: ArrayLike<number>;
  /** The first token that is scored, at least 1: what comes before is given. */
  readonly from: number;
}

/** How a decoder computes. */
export interface DecoderOptions {
  /** Computes matrix products; own kernels do without. */
  readonly blas?: Blas;
}

/** Positions that go through the layers at a time, unless one sequence is longer. */
const mostPositions = 2048;

/** The forward pass of Llama, Qwen3 and GPT-2. Weights stay where they are, outside of the memory. */
export class Decoder {
  readonly #memory: DecoderMemory;
  readonly #products: Products;
  readonly #tables: RotaryTables;
  readonly #layers: readonly Layer[];
  readonly #norm: PlacedNorm;
  readonly #head: Head;

  constructor(
    readonly config: ModelConfig,
    readonly weights: Weights,
    { blas }: DecoderOptions = {},
  ) {
    const memory = this.#memory = new DecoderMemory(blas);
    this.#products = new Products(memory);
    this.#tables = new RotaryTables(memory, config.rotary_base, config.head_size / 2);
    this.#layers = weights.layers.map((layer, index) =>
      new Layer({ memory, config, index, products: this.#products, tables: this.#tables }, layer)
    );
    this.#norm = new PlacedNorm(memory, weights.finalNorm, config.epsilon);
    this.#head = new Head(this.#products, config, weights.head);
  }

  /** Bytes of the WebAssembly memory: activations, caches and tiles, no weights. */
  get memoryBytes(): number {
    return this.#memory.byteLength;
  }

  /** An empty cache for so many positions; to be disposed of. @throws InputError if too many. */
  cache(capacity: number): KeyValueCache {
    if (capacity > this.config.context) throw tooLong(capacity, this.config.context);
    return new KeyValueCache(this.#memory, this.config, capacity);
  }

  /**
   * Puts tokens behind what is in caches, several caches at once, each in one chunk.
   *
   * @returns Logits `[vocabulary]` after the last token of each chunk.
   * @throws InputError if an id is beyond the vocabulary, or a cache is full.
   */
  advance(chunks: readonly Chunk[]): Float32Array[] {
    return this.#forward(chunks, (hidden, ends) => {
      return this.#head.logits(hidden, ends.map((end) => end - 1));
    });
  }

  /** Logits `[tokens, vocabulary]` after every token of a sequence. @throws as `advance`. */
  logits(ids: ArrayLike<number>): Float32Array[] {
    const cache = this.cache(ids.length);
    try {
      return this.#forward([{ cache, ids }], (hidden) => {
        return this.#head.logits(hidden, Array.from(ids, (_, row) => row));
      });
    } finally {
      cache.dispose();
    }
  }

  /**
   * log p(token | tokens before it) in nats, of the tokens of each sequence from its `from` on.
   *
   * @throws as `advance`.
   */
  logProbabilities(sequences: readonly ScoredSequence[]): Float64Array[] {
    const out: Float64Array[] = [];
    for (let begin = 0; begin < sequences.length;) {
      const group = takeGroup(sequences, begin);
      out.push(...this.#score(group));
      begin += group.length;
    }
    return out;
  }

  #score(sequences: readonly ScoredSequence[]): Float64Array[] {
    const given = sequences.map(({ ids }) => Array.from(ids).slice(0, -1));
    const caches = given.map(({ length }) => this.cache(length));
    try {
      const chunks = given.map((ids, i) => ({ ids, cache: caches[i] }));
      checkIds(sequences, this.config.vocabulary);
      return this.#forward(chunks, (hidden, ends) => {
        const rows = sequences.flatMap(({ ids, from }, i) => {
          const first = ends[i] - given[i].length;
          return Array.from(
            { length: Math.max(0, ids.length - from) },
            (_, k) => first + from - 1 + k,
          );
        });
        const targets = sequences.flatMap(({ ids, from }) => Array.from(ids).slice(from));
        return split(this.#head.logProbabilities(hidden, rows, targets), sequences);
      });
    } finally {
      for (const cache of caches) cache.dispose();
    }
  }

  /**
   * Runs all layers; `read` gets the address of `[rows, width]` after the last norm, and for each
   * chunk the row behind its last.
   */
  #forward<T>(chunks: readonly Chunk[], read: (hidden: number, ends: readonly number[]) => T): T {
    checkIds(chunks, this.config.vocabulary);
    checkRoom(chunks);
    const spans = spansOf(chunks);
    const rows = spans.reduce((sum, { count }) => sum + count, 0);
    const { width } = this.config;
    if (this.config.rotary_base > 0) {
      this.#tables.reserve(Math.max(...spans.map(({ cache, count }) => cache.length + count)));
    }
    const memory = this.#memory;
    const [hidden, positions] = [
      memory.allocate(Math.max(4, rows * width)),
      memory.allocate(rows + 1),
    ];
    try {
      this.#embed(chunks, hidden, positions);
      for (const layer of this.#layers) layer.forward(hidden, positions, spans, rows);
      for (const { cache, count } of spans) cache.advance(count);
      this.#norm.apply(hidden, hidden, rows, width);
      return read(hidden, spans.map(({ begin, count }) => begin + count));
    } finally {
      for (const address of [hidden, positions]) memory.free(address);
    }
  }

  #embed(chunks: readonly Chunk[], hidden: number, positions: number): void {
    const { config: { width }, weights } = this;
    let row = 0;
    for (const { cache, ids } of chunks) {
      for (let t = 0; t < ids.length; t++, row++) {
        const target = this.#memory.f32(hidden + 4 * row * width, width);
        target.set(weights.embedding.subarray(ids[t] * width, (ids[t] + 1) * width));
        const position = cache.length + t;
        this.#memory.i32(positions + 4 * row, 1)[0] = position;
        if (!weights.positions) continue;
        for (let i = 0; i < width; i++) target[i] += weights.positions[position * width + i];
      }
    }
  }
}

function takeGroup(sequences: readonly ScoredSequence[], begin: number): ScoredSequence[] {
  let [end, count] = [begin, 0];
  while (
    end < sequences.length && (end === begin || count + sequences[end].ids.length <= mostPositions)
  ) {
    count += sequences[end++].ids.length;
  }
  return sequences.slice(begin, end);
}

function spansOf(chunks: readonly Chunk[]): Span[] {
  let begin = 0;
  return chunks.map(({ cache, ids }) => {
    begin += ids.length;
    return { cache, begin: begin - ids.length, count: ids.length };
  });
}

function split(all: Float64Array, sequences: readonly ScoredSequence[]): Float64Array[] {
  let at = 0;
  return sequences.map(({ ids, from }) => {
    const count = Math.max(0, ids.length - from);
    at += count;
    return all.slice(at - count, at);
  });
}

function checkIds(parts: readonly { readonly ids: ArrayLike<number> }[], vocabulary: number): void {
  for (const { ids } of parts) {
    for (let i = 0; i < ids.length; i++) {
      if (Number.isInteger(ids[i]) && ids[i] >= 0 && ids[i] < vocabulary) continue;
      const message = `Cannot score tokens: id ${ids[i]} at place ${i + 1} is beyond the ` +
        `vocabulary of ${vocabulary}`;
      throw inputError(
        "model/ids",
        message,
        undefined,
        "encode the text with this model's tokenizer",
      );
    }
  }
}

function checkRoom(chunks: readonly Chunk[]): void {
  for (const { cache, ids } of chunks) {
    const wanted = cache.length + ids.length;
    if (wanted > cache.capacity) throw tooLong(wanted, cache.capacity);
  }
}

function tooLong(found: number, most: number) {
  const message = `Cannot score a sequence of ${found} tokens: there is room for ${most}`;
  return inputError("model/context", message, undefined, "shorten the text, or raise the context");
}
