/** The decoder with its weights on a device: numbers in, numbers out, no tensor in between. */
import type { Tensor, Tensor2D } from "@tensorflow/tfjs-core";
import type { HostTensor } from "../parameters/parameter_layout.ts";
import { openBackend } from "./backend.ts";
import type { BackendName, TensorBackend } from "./backend.ts";
import { decoderBackward, decoderForward } from "./decoder.ts";
import type { Activations, DecoderShape } from "./decoder.ts";
import { DeviceWeights, download, numbersOf } from "./device_weights.ts";

export type { BackendName } from "./backend.ts";

/** The result of a forward pass; `kept` is for `backward`, if it was asked for. */
interface DecoderOutput {
  /** `[B·T, outputs]`. */
  readonly values: Float32Array;
  readonly kept?: KeptActivations;
}

/** Activations on the device; to be given to `backward` or `release`, once. */
export interface KeptActivations {
  readonly B: number;
  readonly T: number;
  readonly activations: Activations;
}

/** Runs one decoder on one backend. */
export class DecoderNetwork {
  readonly #weights: DeviceWeights;

  private constructor(readonly backend: TensorBackend, readonly shape: DecoderShape) {
    this.#weights = new DeviceWeights(backend);
  }

  /** @throws MissingPartError if the backend cannot be had on this machine. */
  static async open(backend: BackendName, shape: DecoderShape): Promise<DecoderNetwork> {
    return new DecoderNetwork(await openBackend(backend), shape);
  }

  /** Copies weights to the device, in place of those that are there. */
  upload(tensors: readonly HostTensor[]): void {
    this.#weights.upload(tensors);
  }

  /** @param embedded `[B·T, width]`. */
  async forward(
    embedded: Float32Array,
    B: number,
    T: number,
    keep: boolean,
  ): Promise<DecoderOutput> {
    const { tf } = this.backend;
    const result = this.backend.use(() => {
      const run = decoderForward(tf, this.shape, this.#weights.all, embedded, B, T);
      const activations = run.activations as unknown as Record<string, Tensor>;
      return keep ? { values: run.values, activations } : { values: run.values };
    }) as { values: Tensor2D; activations?: Activations };
    const values = await numbersOf(result.values);
    return result.activations
      ? { values, kept: { B, T, activations: result.activations } }
      : { values };
  }

  /**
   * Gradients by name, and that of the embedded input as `embedded`. Releases `kept`.
   *
   * @param gradient `[B·T, outputs]`.
   */
  async backward(
    kept: KeptActivations,
    gradient: Float32Array,
  ): Promise<Map<string, Float32Array>> {
    const { tf } = this.backend;
    const { B, T, activations } = kept;
    const gradients = this.backend.use(() =>
      decoderBackward(tf, this.shape, this.#weights.all, activations, gradient, B, T)
    );
    this.release(kept);
    return await download(gradients);
  }

  release(kept: KeptActivations): void {
    const activations = kept.activations as unknown as Record<string, Tensor>;
    this.backend.tf.dispose(activations);
  }

  /** Takes the weights off the device. */
  dispose(): void {
    this.#weights.dispose();
  }
}
