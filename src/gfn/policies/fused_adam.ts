/** Adam on own kernels, for parameters in the kernels' memory; all in f32. */
import type { Machine } from "../kernels/machine.ts";
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import { scatter } from "../parameters/parameter_layout.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import { biasCorrections, clipScale } from "./adam.ts";
import { flowFactors } from "./flow_parameters.ts";
import type { FusedParameters } from "./fused_parameters.ts";
import type { Optimiser } from "./optimiser.ts";
import { findValues } from "./optimizer_file.ts";
import type { StepOptions } from "./policy.ts";
import { forEachRange, type Range, rangeCount, trainableRanges } from "./trainable.ts";

/**
 * Adam by own kernels. Moments and averages cover the learned stretches alone, one behind the other;
 * where some parameters are frozen, the others are copied together for a step, and back after it.
 */
export class FusedAdam implements Optimiser {
  readonly #ranges: readonly Range[];
  readonly #count: number;
  readonly #padded: number;
  readonly #machine: Machine;
  /** The learned parameters and their gradient; the store's own where nothing is frozen. */
  readonly #parameters: number;
  readonly #gradient: number;
  readonly #first: number;
  readonly #second: number;
  #average = 0;
  #factors = 0;
  #steps = 0;

  constructor(readonly store: FusedParameters) {
    this.#machine = store.machine;
    this.#ranges = trainableRanges(store.slots, store.frozen);
    this.#count = rangeCount(this.#ranges);
    this.#padded = roundUp(this.#count, 4);
    const vector = () => this.#machine.zeros(this.#padded);
    [this.#parameters, this.#gradient] = this.#isWhole
      ? [store.parameters, store.gradient]
      : [vector(), vector()];
    [this.#first, this.#second] = [vector(), vector()];
  }

  get #isWhole(): boolean {
    return this.#count === this.store.size;
  }

  get steps(): number {
    return this.#steps;
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    const { kernels } = this.#machine;
    this.#pack();
    const gradientNorm = Math.sqrt(kernels.sumOfSquares(this.#gradient, this.#padded));
    const scale = clipScale(gradientNorm, options.clipNorm);
    this.#setFactors(options);
    const corrections = biasCorrections(++this.#steps);
    const vectors = [this.#parameters, this.#gradient, this.#first, this.#second, this.#factors];
    kernels.adam(...vectors, this.#padded, scale, ...corrections, options.learningRate);
    if (options.averageDecay !== undefined) this.#updateAverage(options.averageDecay);
    this.#unpack();
    return { gradientNorm };
  }

  /** Brings the learned stretches together; the whole gradient is zero afterwards. */
  #pack(): void {
    if (this.#isWhole) return;
    const { store } = this;
    this.#view(this.#parameters).set(this.#packed(store.vector()));
    const gradient = this.#machine.f32(store.gradient, store.size);
    this.#view(this.#gradient).set(this.#packed(gradient));
    gradient.fill(0);
  }

  #unpack(): void {
    if (!this.#isWhole) this.#spread(this.#parameters, this.store.view());
  }

  #view(address: number): Float32Array {
    return this.#machine.f32(address, this.#count);
  }

  #packed(all: Float32Array): Float32Array {
    if (this.#isWhole) return all;
    const packed = new Float32Array(this.#count);
    forEachRange(this.#ranges, ({ begin, end }, at) => packed.set(all.subarray(begin, end), at));
    return packed;
  }

  /** Puts learned stretches back to their places among all. */
  #spread(address: number, all: Float32Array): void {
    const packed = this.#view(address);
    forEachRange(this.#ranges, ({ begin, end }, at) => {
      all.set(packed.subarray(at, at + end - begin), begin);
    });
  }

  #setFactors({ learningRate, flowLearningRate = learningRate }: StepOptions): void {
    if (flowLearningRate === learningRate || learningRate === 0) {
      if (this.#factors !== 0) this.#machine.free(this.#factors);
      this.#factors = 0;
      return;
    }
    if (this.#factors === 0) this.#factors = this.#machine.zeros(this.#padded);
    const { slots, actions } = this.store;
    const factors = flowFactors(slots, actions, flowLearningRate / learningRate);
    this.#view(this.#factors).set(this.#packed(factors));
  }

  #updateAverage(decay: number): void {
    const { kernels } = this.#machine;
    if (this.#average === 0) this.#setAverage(this.#view(this.#parameters).slice());
    else kernels.moveTowards(this.#average, this.#parameters, this.#padded, 1 - decay);
  }

  #setAverage(values: ArrayLike<number>): void {
    if (this.#average === 0) this.#average = this.#machine.zeros(this.#padded);
    this.#view(this.#average).set(values);
  }

  averaged(): NamedTensor[] | undefined {
    if (this.#average === 0) return undefined;
    const values = this.store.vector();
    this.#spread(this.#average, values);
    return scatter(this.store.slots, values);
  }

  tensors(): NamedTensor[] {
    const shape = [this.#count];
    const copy = (address: number) => this.#view(address).slice();
    const average = this.#average === 0
      ? []
      : [{ name: "average", shape, values: copy(this.#average) }];
    return [
      { name: "first_moment", shape, values: copy(this.#first) },
      { name: "second_moment", shape, values: copy(this.#second) },
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
      ...average,
    ];
  }

  load(tensors: readonly NamedTensor[]): void {
    const vector = (name: string) => findValues(tensors, name, this.#count);
    this.#view(this.#first).set(vector("first_moment"));
    this.#view(this.#second).set(vector("second_moment"));
    this.#steps = findValues(tensors, "steps", 1)[0];
    if (tensors.some(({ name }) => name === "average")) this.#setAverage(vector("average"));
  }
}
