/** The transformer on TensorFlow.js: embeddings and optimiser on the host, the rest on a device. */
import {
  type BackendName,
  DecoderNetwork,
  type KeptActivations,
} from "../tensor/decoder_network.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { Engine, NetworkPlan } from "./engine_network.ts";
import { HostAdam } from "./host_adam.ts";
import { HostParameters } from "./host_parameters.ts";
import { distinctWalks, type NetworkSession, type OpenWalk } from "./network.ts";
import { layout, type TransformerShape } from "./transformer_layout.ts";

/** Tokens per forward pass without gradients, which bounds memory. */
const chunkTokens = 8192;

/** Prefixes of trajectories, padded: state (b, t) is the prefix `actions[b, 0 … t−1]`. */
interface PrefixBatch {
  readonly B: number;
  /** Number of states per row. */
  readonly T: number;
  /** `[B, T]`; the last column is never read. */
  readonly actions: Int32Array;
}

interface Kept {
  readonly batch: PrefixBatch;
  readonly device: KeptActivations;
}

/** A network of this shape; parameters as `layout` places them. */
export function tensorTransformer(
  shape: TransformerShape,
  backend: BackendName,
  computes: string,
): NetworkPlan<Kept> {
  return {
    kind: "transformer",
    outputSizes: { actions: shape.actions, backward: 0 },
    stepwise: true,
    readsNoPrompts: true,
    async open(parameters, frozen) {
      const { layers, width, heads, actions } = shape;
      const sizes = { layers, width, heads, outputs: actions + 1 };
      const device = await DecoderNetwork.open(backend, sizes);
      const store = new HostParameters(layout(shape), actions, parameters, frozen);
      const engine = new TensorDecoder(store, shape, device, computes);
      return { store, engine, optimiser: () => new HostAdam(store) };
    },
  };
}

class TensorDecoder implements Engine<Kept> {
  #stale = true;

  constructor(
    readonly store: HostParameters,
    readonly shape: TransformerShape,
    readonly device: DecoderNetwork,
    readonly computes: string,
  ) {}

  get backend(): BackendName {
    return this.device.backend.name;
  }

  parametersChanged(): void {
    this.#stale = true;
  }

  async forward(batch: Batch, keep: boolean) {
    this.#uploadIfStale();
    const rows = batch.states.index.map((state, at) => state < 0 ? -1 : at);
    if (!keep) return { values: await this.#inChunks(batch), rows };
    const embedded = this.#embed(batch, 0, batch.B);
    const { values, kept } = await this.device.forward(embedded, batch.B, batch.T, true);
    if (!kept) throw new Error("internal: the forward pass kept nothing");
    return { values, rows, kept: { batch, device: kept } };
  }

  async #inChunks(batch: PrefixBatch): Promise<Float32Array> {
    const perRow = batch.T * (this.shape.actions + 1);
    const values = new Float32Array(batch.B * perRow);
    const rows = Math.max(1, Math.floor(chunkTokens / batch.T));
    for (let begin = 0; begin < batch.B; begin += rows) {
      const end = Math.min(batch.B, begin + rows);
      const embedded = this.#embed(batch, begin, end);
      const chunk = await this.device.forward(embedded, end - begin, batch.T, false);
      values.set(chunk.values, begin * perRow);
    }
    return values;
  }

  async backward(kept: Kept, gradient: Float64Array): Promise<void> {
    const gradients = await this.device.backward(kept.device, Float32Array.from(gradient));
    for (const [name, values] of gradients) {
      if (name === "embedded") this.#addEmbeddingGradient(kept.batch, values);
      else this.store.addGradient(name, values);
    }
  }

  release(kept: Kept): void {
    this.device.release(kept.device);
  }

  /** Every step computes the whole prefixes again, equal ones once. */
  begin(): NetworkSession {
    return {
      next: async (walks: readonly OpenWalk[]) => {
        const { distinct, rows } = distinctWalks(walks, (walk) => walk.actions.join());
        const T = walks[0].actions.length + 1;
        const actions = new Int32Array(distinct.length * T);
        distinct.forEach((walk, b) => actions.set(walk.actions, b * T));
        this.#uploadIfStale();
        const values = await this.#inChunks({ B: distinct.length, T, actions });
        return { values, rows: rows.map((row) => row * T + T - 1) };
      },
      end() {},
    };
  }

  dispose(): void {
    this.device.dispose();
    this.#stale = true;
  }

  #uploadIfStale(): void {
    if (!this.#stale) return;
    const onHost = ["action_embedding", "position_embedding"];
    this.device.upload(this.store.tensors().filter((t) => !onHost.includes(t.name)));
    this.#stale = false;
  }

  /** `[rows·T, width]`: embedding of the token before each state, plus its position. */
  #embed(batch: PrefixBatch, begin: number, end: number): Float32Array {
    const { width } = this.shape;
    const actions = this.store.view("action_embedding");
    const positions = this.store.view("position_embedding");
    const embedded = new Float32Array((end - begin) * batch.T * width);
    let at = 0;
    for (let b = begin; b < end; b++) {
      for (let t = 0; t < batch.T; t++) {
        const source = this.#inputToken(batch, b, t) * width;
        for (let k = 0; k < width; k++) {
          embedded[at++] = actions[source + k] + positions[t * width + k];
        }
      }
    }
    return embedded;
  }

  /** The action before state (b, t); at the start the extra row of the embedding. */
  #inputToken(batch: PrefixBatch, b: number, t: number): number {
    return t === 0 ? this.shape.actions : batch.actions[b * batch.T + t - 1];
  }

  #addEmbeddingGradient(batch: PrefixBatch, gradient: Float32Array): void {
    const { width } = this.shape;
    for (let b = 0; b < batch.B; b++) {
      for (let t = 0; t < batch.T; t++) {
        const row = gradient.subarray((b * batch.T + t) * width, (b * batch.T + t + 1) * width);
        const token = this.#inputToken(batch, b, t);
        this.store.addGradient("action_embedding", row, token * width);
        this.store.addGradient("position_embedding", row, t * width);
      }
    }
  }
}
