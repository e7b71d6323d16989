/** Weights on a device by name, and gradients that come back from it as numbers. */
import type { Tensor, Tensor2D } from "@tensorflow/tfjs-core";
import type { HostTensor } from "../parameters/parameter_layout.ts";
import type { TensorBackend } from "./backend.ts";

/** The weights of one network. */
export class DeviceWeights {
  readonly #tensors = new Map<string, Tensor>();

  constructor(readonly backend: TensorBackend) {}

  /** Tensors by name. */
  get all(): ReadonlyMap<string, Tensor> {
    return this.#tensors;
  }

  /** @throws internal, if there is no such weight. */
  matrix(name: string): Tensor2D {
    const tensor = this.#tensors.get(name);
    if (!tensor) throw new Error(`internal: no weight ${name}`);
    return tensor as Tensor2D;
  }

  /** Copies weights to the device, in place of those that are there. */
  upload(tensors: readonly HostTensor[]): void {
    this.dispose();
    const { tf } = this.backend;
    const uploaded = this.backend.use(() =>
      tensors.map((t) => tf.tensor(t.values.slice(), [...t.shape], "float32"))
    );
    tensors.forEach((t, i) => this.#tensors.set(t.name, uploaded[i]));
  }

  /** Takes the weights off the device. */
  dispose(): void {
    for (const tensor of this.#tensors.values()) tensor.dispose();
    this.#tensors.clear();
  }
}

/** The numbers of tensors by name; the tensors are disposed of. */
export async function download(
  tensors: Readonly<Record<string, Tensor>>,
): Promise<Map<string, Float32Array>> {
  const entries = Object.entries(tensors).map(async ([name, tensor]) => {
    return [name, await numbersOf(tensor)] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The numbers of a tensor, which is disposed of. */
export async function numbersOf(tensor: Tensor): Promise<Float32Array> {
  const values = (await tensor.data()) as Float32Array;
  tensor.dispose();
  return values;
}
