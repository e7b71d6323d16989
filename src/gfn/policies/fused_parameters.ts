/** The parameters of a fused network: one vector in the kernels' memory, beside it its gradient. */
import type { Machine } from "../kernels/machine.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import { type HostTensor, scatter, type Slot } from "../parameters/parameter_layout.ts";

/** Parameters and gradient in f32, padded with zeros to a multiple of four. */
export class FusedParameters {
  readonly #places: ReadonlyMap<string, number>;
  /** Where the parameters lie. */
  readonly parameters: number;
  /** Where the gradient lies, summed up since the optimiser's last step. */
  readonly gradient: number;
  /** Number of parameters. */
  readonly size: number;

  /**
   * @param actions Number of actions: the log flow's column in the head.
   * @param frozen Names of tensors that are not learned, or how they begin.
   */
  constructor(
    readonly machine: Machine,
    readonly slots: readonly Slot[],
    readonly actions: number,
    initial: Float32Array,
    readonly frozen: readonly string[] = [],
  ) {
    this.size = initial.length;
    const padded = roundUp(initial.length, 4);
    [this.parameters, this.gradient] = [machine.zeros(padded), machine.zeros(padded)];
    this.#places = new Map(slots.map(({ name, offset }) => [name, 4 * offset]));
    this.view().set(initial);
  }

  /** The parameters themselves, until the memory grows. */
  view(): Float32Array {
    return this.machine.f32(this.parameters, this.size);
  }

  /** Where a tensor lies in the memory. */
  address(name: string): number {
    return this.parameters + this.#place(name);
  }

  /** Where its gradient lies. */
  gradientAddress(name: string): number {
    return this.gradient + this.#place(name);
  }

  #place(name: string): number {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`internal: no parameter ${name}`);
    return place;
  }

  /** A copy of all parameters. */
  vector(): Float32Array {
    return this.view().slice();
  }

  /** Copies of the parameters by name. */
  tensors(): HostTensor[] {
    return scatter(this.slots, this.vector());
  }
}
