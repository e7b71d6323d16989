/** The multilayer perceptron on own kernels. */
import type { Environment } from "../environments/environment.ts";
import { type MlpActivations, MlpEngine } from "../kernels/mlp.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { Engine, NetworkPlan } from "./engine_network.ts";
import type { Kernels } from "./fused.ts";
import { FusedAdam } from "./fused_adam.ts";
import { FusedParameters } from "./fused_parameters.ts";
import { mlpLayout, type MlpNetworkShape, slopes } from "./mlp_layout.ts";
import { type NetworkSession, outputWidth } from "./network.ts";
import { featureSession, featuresOf } from "./state_features.ts";

/** States per forward pass without gradients, which bounds memory. */
const chunk = 4096;

/** A network of this shape; parameters as `mlpLayout` places them. */
export function fusedMlp(
  shape: MlpNetworkShape,
  kernels: Kernels,
): NetworkPlan<MlpActivations> {
  return {
    kind: "mlp",
    outputSizes: shape,
    open(parameters, frozen) {
      const store = new FusedParameters(
        kernels.machine(),
        mlpLayout(shape),
        shape.actions,
        parameters,
        frozen,
      );
      const engine = new FusedMlp(store, shape, kernels);
      return Promise.resolve({ store, engine, optimiser: () => new FusedAdam(store) });
    },
  };
}

class FusedMlp implements Engine<MlpActivations> {
  readonly backend: string;
  readonly computes: string;
  readonly #engine: MlpEngine;
  #stale = true;

  constructor(store: FusedParameters, shape: MlpNetworkShape, kernels: Kernels) {
    this.backend = kernels.backend;
    this.computes = kernels.computes;
    const { inputs, layers, width, activation } = shape;
    this.#engine = new MlpEngine(store.machine, store, {
      inputs,
      hidden: new Array(layers).fill(width),
      outputs: outputWidth(shape),
      slope: slopes[activation],
    });
  }

  parametersChanged(): void {
    this.#stale = true;
  }

  #packed(): MlpEngine {
    if (this.#stale) this.#engine.pack();
    this.#stale = false;
    return this.#engine;
  }

  forward(batch: Batch, keep: boolean) {
    const features = featuresOf(batch);
    const rows = batch.states.index;
    if (!keep) return Promise.resolve({ values: this.#values(features), rows });
    const count = batch.states.keys.length;
    return Promise.resolve({ ...this.#packed().forward(features, count), rows });
  }

  #values(features: Float32Array): Float32Array {
    const engine = this.#packed();
    const { inputs, outputs } = engine.shape;
    const count = features.length / inputs;
    const all = new Float32Array(count * outputs);
    for (let begin = 0; begin < count; begin += chunk) {
      const end = Math.min(count, begin + chunk);
      const part = features.subarray(begin * inputs, end * inputs);
      const { values, kept } = engine.forward(part, end - begin);
      engine.release(kept);
      all.set(values, begin * outputs);
    }
    return all;
  }

  backward(kept: MlpActivations, gradient: Float64Array): Promise<void> {
    this.#engine.backward(kept, gradient);
    return Promise.resolve();
  }

  release(kept: MlpActivations): void {
    this.#engine.release(kept);
  }

  begin(environment: Environment): NetworkSession {
    return featureSession(environment, (features) => Promise.resolve(this.#values(features)));
  }

  dispose(): void {}
}
