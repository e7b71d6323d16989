/** A decoder: logits, and log probabilities of given tokens, of a model in single precision. */
import { inputError } from "../../base/diagnostic.ts";
import { Body } from "./body.ts";
import type { Libraries } from "./decoder_memory.ts";
import { CachedAttention, type Span } from "./cached_attention.ts";
import { KeyValueCache } from "./key_value_cache.ts";
import type { HeadRows } from "./layer.ts";
import type { ModelConfig } from "./model_config.ts";
import type { Weights } from "./weights.ts";

/** Tokens that follow those of a cache. */
export interface Chunk {
  /** Keys and values of the tokens before; the chunk is added to it. */
  readonly cache: KeyValueCache;
  /** Ids of tokens, one at least. */
  readonly ids: ArrayLike<number>;
}

/** A sequence of which tokens are to be scored. */
export interface ScoredSequence {
  /** Ids of all tokens of the sequence. */
  readonly ids: ArrayLike<number>;
  /** Index of the first scored token, at least 1; those before are conditioned on. */
  readonly from: number;
}

/** Layers from the first one on that are computed elsewhere. */
export interface LowerLayers {
  /** Number of layers that are computed elsewhere. */
  readonly layers: number;
  /** Writes the outputs of these layers for the ids of chunks, `[rows, width]`. */
  writeChunks(chunks: readonly Chunk[], hidden: number): void;
}

/** Libraries by which a decoder computes; own kernels where left out. */
export type DecoderOptions = Libraries;

/** Positions that go through the layers at a time, unless one sequence is longer. */
const mostPositions = 2048;

/** The forward pass of Llama, Qwen3 and GPT-2. Weights stay where they are, outside of the memory. */
export class Decoder {
  /** Its parts, for code that builds on them. */
  readonly body: Body;

  /** Places norms and biases in a memory of its own; large weights stay with the caller. */
  constructor(
    readonly config: ModelConfig,
    readonly weights: Weights,
    libraries: DecoderOptions = {},
  ) {
    this.body = new Body(config, weights, libraries);
  }

  /** Bytes of the WebAssembly memory: activations, caches and tiles, no weights. */
  get memoryBytes(): number {
    return this.body.memory.byteLength;
  }

  /** An empty cache for so many positions; to be disposed of. @throws InputError if too many. */
  cache(capacity: number, firstLayer = 0): KeyValueCache {
    if (capacity > this.config.context) throw tooLong(capacity, this.config.context);
    return new KeyValueCache(this.body.memory, this.config, capacity, firstLayer);
  }

  /**
   * Appends tokens to caches, several caches at once, each in one chunk.
   *
   * @returns Logits `[vocabulary]` after the last token of each chunk.
   * @throws InputError if an id is beyond the vocabulary, or a cache is full.
   */
  advance(chunks: readonly Chunk[]): Float32Array[] {
    return this.through(chunks, (hidden, ends) => {
      return this.body.head.logits(hidden, ends.map((end) => end - 1));
    });
  }

  /** Logits `[tokens, vocabulary]` after every token of a sequence. @throws as `advance`. */
  logits(ids: ArrayLike<number>): Float32Array[] {
    const cache = this.cache(ids.length);
    try {
      return this.through([{ cache, ids }], (hidden) => {
        return this.body.head.logits(hidden, Array.from(ids, (_, row) => row));
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
      return this.through(chunks, (hidden, ends) => {
        const rows = sequences.flatMap(({ ids, from }, i) => {
          const first = ends[i] - given[i].length;
          return Array.from(
            { length: Math.max(0, ids.length - from) },
            (_, k) => first + from - 1 + k,
          );
        });
        const targets = sequences.flatMap(({ ids, from }) => Array.from(ids).slice(from));
        return split(this.body.head.logProbabilities(hidden, rows, targets), sequences);
      });
    } finally {
      for (const cache of caches) cache.dispose();
    }
  }

  /**
   * Runs all layers; calls `read` with the address of `[rows, width]` after the last norm, and for each
   * chunk the row behind its last.
   *
   * @param lower Computes the layers that caches are not of.
   * @throws as `advance`.
   */
  through<T>(
    chunks: readonly Chunk[],
    read: (hidden: number, ends: readonly number[]) => T,
    lower?: LowerLayers,
  ): T {
    checkIds(chunks, this.config.vocabulary);
    checkRoom(chunks);
    const { body, body: { memory }, config: { width } } = this;
    const spans = spansOf(chunks);
    const at = spans.flatMap(({ cache, count }) =>
      Array.from({ length: count }, (_, t) => cache.length + t)
    );
    const rows = at.length;
    const [hidden, positions] = [Math.max(4, rows * width), rows + 1].map((count) =>
      memory.allocate(count)
    );
    try {
      body.embed(chunks.flatMap(({ ids }) => Array.from(ids)), at, hidden, positions);
      const attention = new CachedAttention(memory, this.config, spans);
      const pass = {
        rows,
        positions,
        attend: (heads: HeadRows, layer: number) => attention.attend(heads, layer),
      };
      lower?.writeChunks(chunks, hidden);
      for (const layer of body.layers.slice(lower?.layers ?? 0)) layer.forward(hidden, pass);
      for (const { cache, ids } of chunks) cache.advance(ids);
      body.norm.apply(hidden, hidden, rows, width);
      return read(hidden, spans.map(({ begin, count }) => begin + count));
    } finally {
      for (const address of [hidden, positions]) memory.free(address);
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
