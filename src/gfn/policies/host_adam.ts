/** Adam for parameters on the host: moments and average in f32, arithmetic in f64. */
import { scatter } from "../parameters/parameter_layout.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import { adamStep, clipScale, norm } from "./adam.ts";
import { flowFactors } from "./flow_parameters.ts";
import type { HostParameters } from "./host_parameters.ts";
import type { Optimiser } from "./optimiser.ts";
import { findValues } from "./optimizer_file.ts";
import type { StepOptions } from "./policy.ts";
import { forEachRange, type Range, rangeCount, trainableRanges } from "./trainable.ts";

/** Adam on the host. Moments and averages cover the learned stretches alone, one behind the other. */
export class HostAdam implements Optimiser {
  readonly #ranges: readonly Range[];
  readonly #count: number;
  readonly #moments: { readonly first: Float32Array; readonly second: Float32Array };
  #average: Float32Array | undefined;
  #steps = 0;

  constructor(readonly store: HostParameters) {
    this.#ranges = trainableRanges(store.slots, store.frozen);
    this.#count = rangeCount(this.#ranges);
    const zeros = () => new Float32Array(this.#count);
    this.#moments = { first: zeros(), second: zeros() };
  }

  get steps(): number {
    return this.#steps;
  }

  step(options: StepOptions): { readonly gradientNorm: number } {
    const { store: { values, gradient }, store } = this;
    const { learningRate, flowLearningRate = learningRate, averageDecay } = options;
    this.#forgetFrozen(gradient);
    const gradientNorm = norm(gradient);
    const scale = clipScale(gradientNorm, options.clipNorm);
    const factors = flowLearningRate === learningRate || learningRate === 0
      ? undefined
      : flowFactors(store.slots, store.actions, flowLearningRate / learningRate);
    this.#steps++;
    forEachRange(this.#ranges, ({ begin, end }, at) => {
      const part = <T extends Float32Array | Float64Array>(all: T) => all.subarray(begin, end) as T;
      const moments = this.#momentsAt(at, end - begin);
      const [x, g, rates] = [part(values), part(gradient), factors && part(factors)];
      adamStep(x, g, moments, this.#steps, learningRate, scale, rates);
    });
    gradient.fill(0);
    if (averageDecay !== undefined) this.#updateAverage(averageDecay);
    return { gradientNorm };
  }

  #momentsAt(at: number, size: number) {
    const { first, second } = this.#moments;
    return { first: first.subarray(at, at + size), second: second.subarray(at, at + size) };
  }

  /** Sets the gradient of frozen parameters to 0, so that they have no share in the norm. */
  #forgetFrozen(gradient: Float64Array): void {
    if (this.#count === gradient.length) return;
    let from = 0;
    for (const { begin, end } of this.#ranges) {
      gradient.fill(0, from, begin);
      from = end;
    }
    gradient.fill(0, from);
  }

  #updateAverage(decay: number): void {
    const { values } = this.store;
    const begins = this.#average === undefined;
    const average = this.#average ??= new Float32Array(this.#count);
    forEachRange(this.#ranges, ({ begin, end }, at) => {
      if (begins) return average.set(values.subarray(begin, end), at);
      for (let i = begin, k = at; i < end; i++, k++) {
        average[k] += (1 - decay) * (values[i] - average[k]);
      }
    });
  }

  averaged(): NamedTensor[] | undefined {
    if (!this.#average) return undefined;
    const [average, values] = [this.#average, this.store.values.slice()];
    forEachRange(this.#ranges, ({ begin, end }, at) => {
      values.set(average.subarray(at, at + end - begin), begin);
    });
    return scatter(this.store.slots, values);
  }

  tensors(): NamedTensor[] {
    const shape = [this.#count];
    return [
      { name: "first_moment", shape, values: this.#moments.first },
      { name: "second_moment", shape, values: this.#moments.second },
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
      ...(this.#average ? [{ name: "average", shape, values: this.#average }] : []),
    ];
  }

  load(tensors: readonly NamedTensor[]): void {
    const vector = (name: string) => findValues(tensors, name, this.#count);
    this.#moments.first.set(vector("first_moment"));
    this.#moments.second.set(vector("second_moment"));
    this.#steps = findValues(tensors, "steps", 1)[0];
    const average = tensors.some(({ name }) => name === "average");
    if (average) this.#average = Float32Array.from(vector("average"));
  }
}
