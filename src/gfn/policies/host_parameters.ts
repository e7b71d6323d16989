/** The parameters of a network that a tensor library computes: one vector on the host. */
import { type HostTensor, scatter, type Slot } from "../parameters/parameter_layout.ts";

/** Parameters in f32; the gradient, summed over batches, in f64. */
export class HostParameters {
  readonly #places: ReadonlyMap<string, Slot>;
  /** Summed up since the optimiser's last step. */
  readonly gradient: Float64Array;

  /**
   * @param actions Number of actions: the log flow's column in the head.
   * @param frozen Names of tensors that are not learned, or how they begin.
   */
  constructor(
    readonly slots: readonly Slot[],
    readonly actions: number,
    readonly values: Float32Array,
    readonly frozen: readonly string[] = [],
  ) {
    this.#places = new Map(slots.map((slot) => [slot.name, slot]));
    this.gradient = new Float64Array(values.length);
  }

  /** Number of parameters. */
  get size(): number {
    return this.values.length;
  }

  /** A view of one tensor. */
  view(name: string): Float32Array {
    const { offset, size } = this.#slot(name);
    return this.values.subarray(offset, offset + size);
  }

  /** Adds to the gradient of one tensor, from an offset on. */
  addGradient(name: string, gradient: ArrayLike<number>, from = 0): void {
    const begin = this.#slot(name).offset + from;
    for (let i = 0; i < gradient.length; i++) this.gradient[begin + i] += gradient[i];
  }

  /**
   * Adds the gradient that `add` writes into zeros. Summing batches apart makes their sum
   * independent of the order in which a network adds within one.
   */
  addOwnGradient(add: (gradient: Float64Array) => void): void {
    const own = new Float64Array(this.size);
    add(own);
    for (let i = 0; i < own.length; i++) this.gradient[i] += own[i];
  }

  #slot(name: string): Slot {
    const slot = this.#places.get(name);
    if (!slot) throw new Error(`internal: no parameter ${name}`);
    return slot;
  }

  /** Views of the parameters by name. */
  tensors(): HostTensor[] {
    return scatter(this.slots, this.values);
  }
}
