/** Interface of training: trees of tokens, log probabilities in them, gradients back. */
import type { NamedTensor } from "../../base/safetensors.ts";
import type { KeyValueCache } from "../decoder/key_value_cache.ts";
import type { ModelConfig } from "../decoder/model_config.ts";

/** Value at once where this process computes, a promise where another does. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Sequences that share their beginnings, each token of a shared beginning once. A node attends to
 * itself and its ancestors; its position is its depth, from 0 at roots.
 */
export interface TokenTree {
  /** Token of each node `[nodes]`. */
  readonly ids: Int32Array;
  /** Node before each node `[nodes]`, which comes earlier in the list; −1 at roots. */
  readonly parents: Int32Array;
}

/** A node behind which tokens are scored. */
export interface HeadRow {
  /** Index of the node in the tree. */
  readonly node: number;
  /**
   * Legal next tokens: log probabilities are normalised over these alone. `"all"`: over the
   * vocabulary.
   */
  readonly legal: Int32Array | "all";
  /** Tokens whose log probabilities are returned where `legal` is `"all"`; else those of all legal ones. */
  readonly picked?: Int32Array;
}

/** A tree that went through the model. */
export interface TreePass {
  /** log p of each row's legal tokens, or of those picked, given the node's path; nats. */
  readonly logProbabilities: readonly Float64Array[];
  /**
   * Adds to the gradients of all that is trained.
   *
   * @param gradients Derivatives of a loss by `logProbabilities`, of the same shape. To be called
   * at most once, on a pass with `grad`.
   */
  backward(gradients: readonly Float64Array[]): Awaitable<void>;
  /** Gives the memory back; the pass must not be used any more. */
  release(): void;
}

/** Options of a pass. */
export interface PassOptions {
  /** Whether `backward` will be called: then layer inputs are kept until `release`. */
  readonly grad: boolean;
}

/** Settings of one step of AdamW. */
export interface TrainingStep {
  /** Learning rate of AdamW. */
  readonly learningRate: number;
  /** Norm to which longer gradients are clipped; Infinity for no clipping. */
  readonly clipNorm?: number;
  /** Decay of a parameter per step of rate 1 (AdamW); 0 unless given. */
  readonly weightDecay?: number;
}

/** Tokens that follow those of a cache, and the legal tokens behind them. */
export interface LegalChunk {
  /** Keys and values of the tokens before; the chunk is added to it. */
  readonly cache: KeyValueCache;
  /** Ids of tokens, one at least. */
  readonly ids: ArrayLike<number>;
  /** Ids that may come next; logits are computed of these alone. */
  readonly legal: Int32Array | "all";
}

/** A text that a model is to write by itself. */
export interface WrittenText {
  /** Ids before the first that is written, one at least. */
  readonly prompt: readonly number[];
  /** Most tokens that are written. */
  readonly most: number;
  /** The token after which nothing is written. */
  readonly end: number;
  /** Seed of this draw: equal seeds, equal texts. */
  readonly seed: string;
}

/** Settings of written texts. */
export interface Writing {
  /** Temperature of the distribution that tokens are drawn from. */
  readonly temperature: number;
  /** Tokens are drawn among the likeliest that have this share together; 1: among all. */
  readonly topP: number;
}

/**
 * A language model with an adapter, or all of its weights, that can be trained: in this process, or by
 * a server.
 */
export interface TrainableModel {
  /** Sizes of the decoder, as far as they are known. */
  readonly config: Pick<ModelConfig, "vocabulary" | "context">;
  /** Number of trained numbers; 0 where it is unknown. */
  readonly size: number;
  /**
   * Scores rows of a tree.
   *
   * @throws InputError if an id is beyond the vocabulary, or a path longer than the context.
   */
  pass(tree: TokenTree, rows: readonly HeadRow[], options: PassOptions): Awaitable<TreePass>;
  /**
   * An empty cache for so many positions; the caller disposes of it. Caches of one `advance` are alike.
   *
   * @param options.isListed Whether tokens come from a list, so that outputs of the layers below all
   * adapters are worth remembering.
   */
  cache(capacity: number, options?: { readonly isListed?: boolean }): KeyValueCache;
  /**
   * Appends tokens to caches, several caches at once, each in one chunk.
   *
   * @returns log p of the legal tokens after the last token of each chunk, within 1e-5 nats of
   * `pass`: of `[legal]`, or of the whole `[vocabulary]`.
   */
  advance(chunks: readonly LegalChunk[]): Awaitable<Float64Array[]>;
  /**
   * Writes whole texts over the vocabulary, with log p of each token at temperature 1: there where a
   * distribution over the vocabulary cannot be asked for. Left out where `advance` gives it.
   */
  write?(
    texts: readonly WrittenText[],
    how: Writing,
  ): Promise<readonly { readonly ids: readonly number[]; readonly logProbs: readonly number[] }[]>;
  /** One step of AdamW with the gradients added up since the last one, which are then zero. */
  step(options: TrainingStep): Awaitable<{ readonly gradientNorm: number }>;
  /** Forgets gradients without a step. */
  zeroGradients(): void;
  /** Trained tensors, by PEFT's names, or by those of weights where all are trained. */
  parameters(): Awaitable<NamedTensor[]>;
  /** Sets the trained tensors. @throws InputError if a tensor is missing or of another shape. */
  loadParameters(tensors: readonly NamedTensor[]): void;
  /** Moments and number of steps. */
  saveOptimizer(): Awaitable<NamedTensor[]>;
  /** Restores the optimiser of another model. @throws InputError as `loadParameters`. */
  loadOptimizer(tensors: readonly NamedTensor[]): void;
  /** Files of a PEFT folder by name: `adapter_model.safetensors` and `adapter_config.json`. */
  saveAdapter(): ReadonlyMap<string, Uint8Array>;
  /** Sets the adapter from such files. @throws InputError if it is of another base or other maps. */
  loadAdapter(files: ReadonlyMap<string, Uint8Array>): void;
  /** Files of a checkpoint, adapters merged: `model.safetensors` and `config.json`. */
  saveMerged(): ReadonlyMap<string, Uint8Array>;
  /** Bytes of the WebAssembly memory: trained numbers, activations, caches; no frozen weights. */
  readonly memoryBytes: number;
  /** Releases memory elsewhere; left out where there is none. */
  dispose?(): void;
}
