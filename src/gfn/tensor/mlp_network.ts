/** A multilayer perceptron with its weights on a device: numbers in, numbers out. */
import type { Tensor, Tensor2D } from "@tensorflow/tfjs-core";
import type { HostTensor } from "../parameters/parameter_layout.ts";
import { type BackendName, openBackend, type TensorBackend } from "./backend.ts";
import { DeviceWeights, download, numbersOf } from "./device_weights.ts";

/** Inputs of every layer, on the device; to be given to `backward` or `release`, once. */
export type KeptLayers = readonly Tensor2D[];

/** Layers `layers.0` … and the linear `head`; hidden layers compute max(x, slope · x). */
export class MlpNetwork {
  readonly #weights: DeviceWeights;

  private constructor(
    readonly backend: TensorBackend,
    readonly layers: number,
    readonly slope: number,
  ) {
    this.#weights = new DeviceWeights(backend);
  }

  /** @throws MissingPartError if the backend cannot be had on this machine. */
  static async open(backend: BackendName, layers: number, slope: number): Promise<MlpNetwork> {
    return new MlpNetwork(await openBackend(backend), layers, slope);
  }

  /** Copies weights to the device, in place of those that are there. */
  upload(tensors: readonly HostTensor[]): void {
    this.#weights.upload(tensors);
  }

  #names(layer: number): readonly [string, string] {
    if (layer === this.layers) return ["head", "head_bias"];
    return [`layers.${layer}.weight`, `layers.${layer}.bias`];
  }

  /** @param features `[rows, inputs]`. */
  async forward(
    features: Float32Array,
    rows: number,
    keep: boolean,
  ): Promise<{ readonly values: Float32Array; readonly kept?: KeptLayers }> {
    const { tf } = this.backend;
    const { top, inputs } = this.backend.use(() => {
      const inputs = [tf.tensor2d(features, [rows, features.length / rows])];
      for (let layer = 0;; layer++) {
        const [weight, bias] = this.#names(layer);
        const product = tf.matMul(inputs[layer], this.#weights.matrix(weight)) as Tensor2D;
        const sum = tf.add(product, this.#weights.matrix(bias)) as Tensor2D;
        if (layer === this.layers) return { top: sum, inputs: keep ? inputs : [] };
        inputs.push(tf.maximum(sum, tf.mul(sum, this.slope)));
      }
    });
    const values = await numbersOf(top);
    return keep ? { values, kept: inputs } : { values };
  }

  /**
   * Gradients by name; releases the kept values.
   *
   * @param gradient `[rows, outputs]`.
   */
  async backward(kept: KeptLayers, gradient: Float32Array): Promise<Map<string, Float32Array>> {
    const gradients = this.backend.use(() => this.#gradients(kept, gradient));
    this.release(kept);
    return await download(gradients);
  }

  #gradients(kept: KeptLayers, gradient: Float32Array): Record<string, Tensor> {
    const { tf } = this.backend;
    const gradients: Record<string, Tensor> = {};
    const rows = kept[0].shape[0];
    let dy = tf.tensor2d(gradient, [rows, gradient.length / rows]);
    for (let layer = this.layers; layer >= 0; layer--) {
      const [weight, bias] = this.#names(layer);
      gradients[weight] = tf.matMul(tf.transpose(kept[layer]), dy);
      gradients[bias] = tf.matMul(tf.ones([1, rows]), dy);
      if (layer === 0) break;
      const dx = tf.matMul(dy, tf.transpose(this.#weights.matrix(weight))) as Tensor2D;
      dy = tf.mul(dx, tf.step(kept[layer], this.slope)) as Tensor2D;
    }
    return gradients;
  }

  release(kept: KeptLayers): void {
    this.backend.tf.dispose([...kept]);
  }

  /** Takes the weights off the device. */
  dispose(): void {
    this.#weights.dispose();
  }
}
