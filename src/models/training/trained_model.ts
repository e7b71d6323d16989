/** A language model that is trained: an adapter on a frozen base, or all weights. */
import type { Blas } from "../../numerics/blas/mod.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import { Decoder } from "../decoder/decoder.ts";
import { Dropout } from "../decoder/dropout.ts";
import type { KeyValueCache } from "../decoder/key_value_cache.ts";
import type { ModelConfig } from "../decoder/model_config.ts";
import type { Weights } from "../decoder/weights.ts";
import { AdamW } from "./adamw.ts";
import {
  type AdapterSpec,
  attachAdapters,
  attachWeights,
  type EmbeddingGradients,
} from "./attach.ts";
import { FrozenRows } from "./frozen_rows.ts";
import { frozenLayers } from "./linear_maps.ts";
import type { RememberedRows } from "./remembered_rows.ts";
import { mergedFiles } from "./merged_weights.ts";
import { adapterFiles, type BaseModel, readAdapterFiles } from "./peft_folder.ts";
import type {
  HeadRow,
  LegalChunk,
  PassOptions,
  TokenTree,
  TrainableModel,
  TrainingStep,
  TreePass,
} from "./token_tree.ts";
import { keptBytesOfPass } from "./training_memory.ts";
import { loadTrained, type Trained, trainedTensors } from "./trained.ts";
import { logSoftmax } from "../../numerics/math/mod.ts";
import { LayeredPass } from "./layered_pass.ts";

/** The model to train, and its trained part. */
export interface TrainedModelOptions {
  /** Sizes of the decoder. */
  readonly config: ModelConfig;
  /** Weights of the model; with `adapter = "full"` these arrays change with every step. */
  readonly weights: Weights;
  /** Name and digest of the frozen model. */
  readonly base: BaseModel;
  /** Low-rank adapters, or all weights. */
  readonly adapter: AdapterSpec | "full";
  /** Decides how adapters begin. */
  readonly seedKey: string;
  /** Computes matrix products; own kernels do without. */
  readonly blas?: Blas | undefined;
  /** Computes products with frozen weights; only where an adapter is trained. */
  readonly device?: Blas | undefined;
  /**
   * Bytes of activations that a pass may keep, so that the backward pass computes fewer layers again;
   * 352 MiB unless given.
   */
  readonly keptBytes?: number;
  /** Outputs of frozen layers, shared with other models of these weights, adapter and libraries. */
  readonly remembered?: RememberedRows | undefined;
}

function requireTrainable({ weights, device }: TrainedModelOptions): void {
  const message = "Cannot train all weights of a model: ";
  const hint = 'train an adapter, or choose precision "f32" and another backend than "cuda"';
  if (device) {
    throw inputError("model/frozen", `${message}${device.name} keeps copies`, undefined, hint);
  }
  if (weights.embedding instanceof Float32Array) return;
  throw inputError("model/frozen", `${message}they are in bfloat16`, undefined, hint);
}

/** Gradients of log probabilities through all layers. */
export class TrainedModel implements TrainableModel {
  readonly #decoder: Decoder;
  readonly #trained: readonly Trained[];
  readonly #embedding: EmbeddingGradients | undefined;
  readonly #optimiser: AdamW;
  readonly #frozen: FrozenRows | undefined;
  readonly #dropout: Dropout | undefined;
  /** Passes with a gradient since the latest step. */
  #passes = 0;

  /**
   * Attaches adapters to the decoder, or gradients to all of its weights.
   *
   * @throws InputError if the rank is not a multiple of four, a target matches no map, or all weights
   * are to be trained that are not in single precision, or of which a device keeps copies.
   */
  constructor(readonly options: TrainedModelOptions) {
    const { config, weights, blas, device, adapter, seedKey } = options;
    if (adapter === "full") requireTrainable(options);
    this.#decoder = new Decoder(config, weights, { blas, device });
    if (adapter === "full") {
      const { trained, embedding } = attachWeights(this.#decoder.body);
      [this.#trained, this.#embedding] = [trained, embedding];
    } else {
      const { body } = this.#decoder;
      if (adapter.dropout) this.#dropout = new Dropout(adapter.dropout);
      this.#trained = attachAdapters(body, adapter, seedKey, this.#dropout);
      const frozen = frozenLayers(body.layers.length, adapter.lastLayers);
      if (frozen > 0) this.#frozen = new FrozenRows(body, frozen, options.remembered);
    }
    this.#optimiser = new AdamW(this.#trained);
  }

  /** Sizes of the decoder. */
  get config(): ModelConfig {
    return this.options.config;
  }

  /** Numbers that are trained. */
  get size(): number {
    return this.#trained.reduce((sum, { values }) => sum + values().length, 0);
  }

  get memoryBytes(): number {
    return this.#decoder.memoryBytes;
  }

  /** Trained tensors with their gradients. */
  get trained(): readonly Trained[] {
    return this.#trained;
  }

  pass(tree: TokenTree, rows: readonly HeadRow[], { grad }: PassOptions): TreePass {
    const { keptBytes = keptBytesOfPass } = this.options;
    const [embedding, frozen] = [this.#embedding, this.#frozen];
    // By steps and passes, so that one that goes on after a kill leaves out the same.
    const left = grad && this.#dropout &&
      { dropout: this.#dropout, pass: 1024 * this.#optimiser.steps + this.#passes++ };
    const options = {
      grad,
      keptBytes,
      embedding,
      ...(frozen && { frozen }),
      ...(left && { left }),
    };
    return new LayeredPass(this.#decoder.body, tree, rows, options);
  }

  cache(capacity: number, { isListed = false } = {}): KeyValueCache {
    return this.#decoder.cache(capacity, isListed ? this.#frozen?.layers : 0);
  }

  advance(chunks: readonly LegalChunk[]): Float64Array[] {
    const { head, config: { width } } = this.#decoder.body;
    return this.#decoder.through(chunks, (hidden, ends) => {
      const open = ends.map((end) => end - 1).filter((_, i) => chunks[i].legal === "all");
      const all = head.logits(hidden, open).values();
      return chunks.map(({ legal }, i) => {
        const at = hidden + 4 * (ends[i] - 1) * width;
        return logSoftmax(legal === "all" ? all.next().value! : head.logitsOf(at, legal));
      });
    }, chunks[0]?.cache.firstLayer ? this.#frozen : undefined);
  }

  step(options: TrainingStep): { readonly gradientNorm: number } {
    this.#passes = 0;
    return this.#optimiser.step(options);
  }

  zeroGradients(): void {
    for (const { gradient } of this.#trained) gradient().fill(0);
  }

  parameters(): NamedTensor[] {
    return trainedTensors(this.#trained);
  }

  loadParameters(tensors: readonly NamedTensor[]): void {
    loadTrained(this.#trained, tensors);
  }

  saveOptimizer(): NamedTensor[] {
    return this.#optimiser.tensors();
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    this.#optimiser.load(tensors);
  }

  saveAdapter(): ReadonlyMap<string, Uint8Array> {
    return adapterFiles(this.#spec(), this.options, this.parameters());
  }

  loadAdapter(files: ReadonlyMap<string, Uint8Array>): void {
    this.loadParameters(readAdapterFiles(this.#spec(), this.options, files));
  }

  /** Files of a checkpoint by name, adapters merged: `model.safetensors` and `config.json`. */
  saveMerged(): ReadonlyMap<string, Uint8Array> {
    return mergedFiles(this.#decoder.body);
  }

  #spec(): AdapterSpec {
    const { adapter } = this.options;
    if (adapter !== "full") return adapter;
    throw new Error("internal: a model of which all weights are trained has no adapter");
  }
}
