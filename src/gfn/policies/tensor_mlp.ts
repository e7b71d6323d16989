/** The multilayer perceptron on TensorFlow.js. */
import type { Environment } from "../environments/environment.ts";
import type { BackendName } from "../tensor/decoder_network.ts";
import { type KeptLayers, MlpNetwork } from "../tensor/mlp_network.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { Engine, NetworkPlan } from "./engine_network.ts";
import { HostAdam } from "./host_adam.ts";
import { HostParameters } from "./host_parameters.ts";
import { mlpLayout, type MlpNetworkShape, slopes } from "./mlp_layout.ts";
import { type NetworkSession, outputWidth } from "./network.ts";
import { featureSession, featuresOf } from "./state_features.ts";

/** A network of this shape; parameters as `mlpLayout` places them. */
export function tensorMlp(
  shape: MlpNetworkShape,
  backend: BackendName,
  computes: string,
): NetworkPlan<KeptLayers> {
  return {
    kind: "mlp",
    outputSizes: shape,
    async open(parameters, frozen) {
      const store = new HostParameters(mlpLayout(shape), shape.actions, parameters, frozen);
      const device = await MlpNetwork.open(backend, shape.layers, slopes[shape.activation]);
      const engine = new TensorMlp(store, shape, device, computes);
      return { store, engine, optimiser: () => new HostAdam(store) };
    },
  };
}

class TensorMlp implements Engine<KeptLayers> {
  #stale = true;

  constructor(
    readonly store: HostParameters,
    readonly shape: MlpNetworkShape,
    readonly device: MlpNetwork,
    readonly computes: string,
  ) {}

  get backend(): BackendName {
    return this.device.backend.name;
  }

  parametersChanged(): void {
    this.#stale = true;
  }

  #uploadIfStale(): void {
    if (this.#stale) this.device.upload(this.store.tensors());
    this.#stale = false;
  }

  async forward(batch: Batch, keep: boolean) {
    this.#uploadIfStale();
    const outputs = await this.device.forward(featuresOf(batch), batch.states.keys.length, keep);
    return { ...outputs, rows: batch.states.index };
  }

  async backward(kept: KeptLayers, gradient: Float64Array): Promise<void> {
    const rows = gradient.length / outputWidth(this.shape);
    if (kept[0].shape[0] !== rows) throw new Error("internal: a gradient of other states");
    const gradients = await this.device.backward(kept, Float32Array.from(gradient));
    for (const [name, values] of gradients) this.store.addGradient(name, values);
  }

  release(kept: KeptLayers): void {
    this.device.release(kept);
  }

  begin(environment: Environment): NetworkSession {
    return featureSession(environment, async (features, rows) => {
      this.#uploadIfStale();
      return (await this.device.forward(features, rows, false)).values;
    });
  }

  dispose(): void {
    this.device.dispose();
    this.#stale = true;
  }
}
