/** The decoder with its weights on a device: numbers in, numbers out, no tensor in between. */
import type { Tensor, Tensor2D } from "@tensorflow/tfjs-core";
import { openBackend } from "./backend.ts";
import type { BackendName, TensorBackend } from "./backend.ts";
import { decoderBackward, decoderForward } from "./decoder.ts";
import type { Activations, DecoderShape } from "./decoder.ts";

export type { DecoderShape } from "./decoder.ts";
export { backendNames } from "./backend.ts";
export type { BackendName } from "./backend.ts";

/** One weight as the host sees it: a view into the flat vector of parameters. */
export interface HostTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** The result of a forward pass; `kept` is what `backward` needs, if it was asked for. */
export interface DecoderOutput {
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
  #weights = new Map<string, Tensor>();

  private constructor(readonly backend: TensorBackend, readonly shape: DecoderShape) {}

  /** @throws MissingPartError if the backend cannot be had on this machine. */
  static async open(backend: BackendName, shape: DecoderShape): Promise<DecoderNetwork> {
    return new DecoderNetwork(await openBackend(backend), shape);
  }

  /** Copies weights to the device, in place of those that are there. */
  upload(tensors: readonly HostTensor[]): void {
    this.dispose();
    const { tf } = this.backend;
    const uploaded = this.backend.use(() =>
      tensors.map((t) => tf.tensor(t.values.slice(), [...t.shape], "float32"))
    );
    tensors.forEach((t, i) => this.#weights.set(t.name, uploaded[i]));
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
      const run = decoderForward(tf, this.shape, this.#weights, embedded, B, T);
      const activations = run.activations as unknown as Record<string, Tensor>;
      return keep ? { values: run.values, activations } : { values: run.values };
    }) as { values: Tensor2D; activations?: Activations };
    const values = (await result.values.data()) as Float32Array;
    result.values.dispose();
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
      decoderBackward(tf, this.shape, this.#weights, activations, gradient, B, T)
    );
    this.release(kept);
    const entries = Object.entries(gradients).map(async ([name, tensor]) => {
      const values = (await tensor.data()) as Float32Array;
      tensor.dispose();
      return [name, values] as const;
    });
    return new Map(await Promise.all(entries));
  }

  release(kept: KeptActivations): void {
    const activations = kept.activations as unknown as Record<string, Tensor>;
    this.backend.tf.dispose(activations);
  }

  /** Takes the weights off the device. */
  dispose(): void {
    for (const tensor of this.#weights.values()) tensor.dispose();
    this.#weights.clear();
  }
}
