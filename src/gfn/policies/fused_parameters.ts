/** The parameters of a fused network: one vector in the kernels' memory, with its optimiser. */
import type { Machine } from "../kernels/machine.ts";
import { roundUp } from "../kernels/machine.ts";
import { type HostTensor, scatter, type Slot } from "../parameters/parameter_layout.ts";
import type { StepOptions } from "./policy.ts";
import type { NamedTensor } from "../parameters/safetensors.ts";
import { biasCorrections, clipScale } from "./adam.ts";
import { flowFactors } from "./flow_parameters.ts";
import { findValues } from "./optimizer_file.ts";

/** Parameters, gradient, both moments, and an average where one is kept; all in f32. */
export class FusedParameters {
  readonly #count: number;
  readonly #padded: number;
  readonly #places: ReadonlyMap<string, number>;
  readonly #parameters: number;
  readonly #gradient: number;
  readonly #first: number;
  readonly #second: number;
  #average = 0;
  #factors = 0;
  #steps = 0;

  /** @param actions Number of actions: the log flow's column in the head. */
  constructor(
    readonly machine: Machine,
    readonly slots: readonly Slot[],
    readonly actions: number,
    initial: Float32Array,
  ) {
    this.#count = initial.length;
    this.#padded = roundUp(initial.length, 4);
    const vector = () => machine.zeros(this.#padded);
    [this.#parameters, this.#gradient, this.#first, this.#second] = [
      vector(),
      vector(),
      vector(),
      vector(),
    ];
    this.#places = new Map(slots.map(({ name, offset }) => [name, 4 * offset]));
    machine.f32(this.#parameters, this.#count).set(initial);
  }

  get size(): number {
    return this.#count;
  }

  /** Where a tensor lies in the memory. */
  address(name: string): number {
    return this.#parameters + this.#place(name);
  }

  /** Where its gradient lies. */
  gradientAddress(name: string): number {
    return this.#gradient + this.#place(name);
  }

  #place(name: string): number {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`internal: no parameter ${name}`);
    return place;
  }

  #copy(address: number): Float32Array {
    return this.machine.f32(address, this.#count).slice();
  }

  /** A copy of all parameters, or of their average if one is kept. */
  vector(averaged = false): Float32Array {
    return this.#copy(averaged && this.#average !== 0 ? this.#average : this.#parameters);
  }

  /** Copies of the parameters by name. */
  tensors(): HostTensor[] {
    return scatter(this.slots, this.vector());
  }

  /** One Adam step; the gradient is zero afterwards. */
  step(options: StepOptions): { readonly gradientNorm: number } {
    const { kernels } = this.machine;
    const gradientNorm = Math.sqrt(kernels.sumOfSquares(this.#gradient, this.#padded));
    const scale = clipScale(gradientNorm, options.clipNorm);
    this.#setFactors(options);
    const corrections = biasCorrections(++this.#steps);
    const vectors = [this.#parameters, this.#gradient, this.#first, this.#second, this.#factors];
    kernels.adam(...vectors, this.#padded, scale, ...corrections, options.learningRate);
    if (options.averageDecay !== undefined) this.#updateAverage(options.averageDecay);
    return { gradientNorm };
  }

  #setFactors({ learningRate, flowLearningRate = learningRate }: StepOptions): void {
    if (flowLearningRate === learningRate || learningRate === 0) {
      if (this.#factors !== 0) this.machine.free(this.#factors);
      this.#factors = 0;
      return;
    }
    if (this.#factors === 0) this.#factors = this.machine.zeros(this.#padded);
    const ratio = flowLearningRate / learningRate;
    this.machine.f32(this.#factors, this.#count).set(flowFactors(this.slots, this.actions, ratio));
  }

  #updateAverage(decay: number): void {
    if (this.#average === 0) this.#setAverage(this.vector());
    else {
      const { kernels } = this.machine;
      kernels.moveTowards(this.#average, this.#parameters, this.#padded, 1 - decay);
    }
  }

  #setAverage(values: ArrayLike<number>): void {
    if (this.#average === 0) this.#average = this.machine.zeros(this.#padded);
    this.machine.f32(this.#average, this.#count).set(values);
  }

  optimizerTensors(): NamedTensor[] {
    const shape = [this.#count];
    const average = this.#average === 0
      ? []
      : [{ name: "average", shape, values: this.#copy(this.#average) }];
    return [
      { name: "first_moment", shape, values: this.#copy(this.#first) },
      { name: "second_moment", shape, values: this.#copy(this.#second) },
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
      ...average,
    ];
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    const { machine } = this;
    machine.f32(this.#first, this.#count).set(findValues(tensors, "first_moment", this.#count));
    machine.f32(this.#second, this.#count).set(findValues(tensors, "second_moment", this.#count));
    this.#steps = findValues(tensors, "steps", 1)[0];
    if (tensors.some(({ name }) => name === "average")) {
      this.#setAverage(findValues(tensors, "average", this.#count));
    }
  }
}
