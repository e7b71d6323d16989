/** The transformer on own kernels. */
import type { Environment } from "../environments/environment.ts";
import { type DecoderActivations, DecoderEngine } from "../kernels/decoder.ts";
import { DecoderSession } from "../kernels/decoder_session.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { Engine, NetworkPlan } from "./engine_network.ts";
import type { Kernels } from "./fused.ts";
import { FusedAdam } from "./fused_adam.ts";
import { FusedParameters } from "./fused_parameters.ts";
import type { NetworkSession, OpenWalk } from "./network.ts";
import { tokenRows, tokensOf } from "./tokens.ts";
import { layout, type TransformerShape } from "./transformer_layout.ts";

/** Tokens per forward pass without gradients, which bounds memory. */
const chunkTokens = 8192;

/** A network of this shape; parameters as `layout` places them. */
export function fusedTransformer(
  shape: TransformerShape,
  kernels: Kernels,
): NetworkPlan<DecoderActivations> {
  return {
    kind: "transformer",
    outputSizes: { actions: shape.actions, backward: 0 },
    stepwise: true,
    readsNoPrompts: true,
    open(parameters, frozen) {
      const [machine, slots] = [kernels.machine(), layout(shape)];
      const store = new FusedParameters(machine, slots, shape.actions, parameters, frozen);
      const engine = new FusedDecoder(store, shape, kernels);
      return Promise.resolve({ store, engine, optimiser: () => new FusedAdam(store) });
    },
  };
}

class FusedDecoder implements Engine<DecoderActivations> {
  readonly backend: string;
  readonly computes: string;
  readonly #engine: DecoderEngine;
  #stale = true;

  constructor(store: FusedParameters, readonly shape: TransformerShape, kernels: Kernels) {
    this.backend = kernels.backend;
    this.computes = kernels.computes;
    const { layers, width, heads, actions } = shape;
    const sizes = { layers, width, heads, outputs: actions + 1 };
    this.#engine = new DecoderEngine(store.machine, store, sizes);
  }

  parametersChanged(): void {
    this.#stale = true;
  }

  #packed(): DecoderEngine {
    if (this.#stale) this.#engine.pack();
    this.#stale = false;
    return this.#engine;
  }

  forward(batch: Batch, keep: boolean) {
    const rows = tokenRows(batch);
    if (!keep) return Promise.resolve({ values: this.#inChunks(batch), rows });
    return Promise.resolve({
      ...this.#packed().forward(tokensOf(batch, 0, batch.B), true),
      rows,
    });
  }

  #inChunks(batch: Batch): Float32Array {
    const engine = this.#packed();
    const count = batch.lengths.reduce((sum, length) => sum + length, 0);
    const all = new Float32Array(count * engine.shape.outputs);
    const step = Math.max(1, Math.floor(chunkTokens / batch.T));
    let at = 0;
    for (let begin = 0; begin < batch.B; begin += step) {
      const end = Math.min(batch.B, begin + step);
      const { values, kept } = engine.forward(tokensOf(batch, begin, end), false);
      engine.release(kept);
      all.set(values, at);
      at += values.length;
    }
    return all;
  }

  backward(kept: DecoderActivations, gradient: Float64Array): Promise<void> {
    this.#engine.backward(kept, gradient);
    return Promise.resolve();
  }

  release(kept: DecoderActivations): void {
    this.#engine.release(kept);
  }

  begin(environment: Environment, count: number): NetworkSession {
    const session = new DecoderSession(this.#packed(), count, environment.maxActions);
    const start = this.shape.actions;
    return {
      next(walks: readonly OpenWalk[]) {
        const slots = walks.map(({ slot }) => slot);
        const actions = walks.map((walk) => walk.actions.at(-1) ?? start);
        const values = session.next(slots, actions, walks[0].actions.length);
        return Promise.resolve({ values, rows: Int32Array.from(walks.keys()) });
      },
      end: () => session.end(),
    };
  }

  dispose(): void {}
}
