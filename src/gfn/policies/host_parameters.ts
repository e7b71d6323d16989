/** The parameters of a network that a tensor library computes: one vector on the host. */
import { type HostTensor, scatter, type Slot } from "../parameters/parameter_layout.ts";
import type { StepOptions } from "./policy.ts";
import type { NamedTensor } from "../parameters/safetensors.ts";
import { adamStep, clipScale, norm } from "./adam.ts";
import { flowFactors } from "./flow_parameters.ts";
import { findValues } from "./optimizer_file.ts";

/** Parameters, moments and average in f32; the gradient, summed over batches, in f64. */
export class HostParameters {
  readonly #places: ReadonlyMap<string, Slot>;
  readonly #gradient: Float64Array;
  readonly #moments: { first: Float32Array; second: Float32Array };
  #average: Float32Array | undefined;
  #steps = 0;

  /** @param actions Number of actions: the log flow's column in the head. */
  constructor(
    readonly slots: readonly Slot[],
    readonly actions: number,
    readonly values: Float32Array,
  ) {
    this.#places = new Map(slots.map((slot) => [slot.name, slot]));
    this.#gradient = new Float64Array(values.length);
    const zeros = () => new Float32Array(values.length);
    this.#moments = { first: zeros(), second: zeros() };
  }

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
    for (let i = 0; i < gradient.length; i++) this.#gradient[begin + i] += gradient[i];
  }

  #slot(name: string): Slot {
    const slot = this.#places.get(name);
    if (!slot) throw new Error(`internal: no parameter ${name}`);
    return slot;
  }

  /** A copy of all parameters, or of their average if one is kept. */
  vector(averaged = false): Float32Array {
    return (averaged && this.#average ? this.#average : this.values).slice();
  }

  tensors(): HostTensor[] {
    return scatter(this.slots, this.values);
  }

  /** One Adam step; the gradient is zero afterwards. */
  step(options: StepOptions): { readonly gradientNorm: number } {
    const { learningRate, flowLearningRate = learningRate, averageDecay } = options;
    const gradientNorm = norm(this.#gradient);
    const scale = clipScale(gradientNorm, options.clipNorm);
    const factors = flowLearningRate === learningRate || learningRate === 0
      ? undefined
      : flowFactors(this.slots, this.actions, flowLearningRate / learningRate);
    const [values, gradient] = [this.values, this.#gradient];
    adamStep(values, gradient, this.#moments, ++this.#steps, learningRate, scale, factors);
    gradient.fill(0);
    if (averageDecay !== undefined) this.#updateAverage(averageDecay);
    return { gradientNorm };
  }

  #updateAverage(decay: number): void {
    if (!this.#average) this.#average = this.values.slice();
    else this.values.forEach((x, i) => this.#average![i] += (1 - decay) * (x - this.#average![i]));
  }

  optimizerTensors(): NamedTensor[] {
    const shape = [this.values.length];
    return [
      { name: "first_moment", shape, values: this.#moments.first },
      { name: "second_moment", shape, values: this.#moments.second },
      { name: "steps", shape: [1], values: Int32Array.of(this.#steps) },
      ...(this.#average ? [{ name: "average", shape, values: this.#average }] : []),
    ];
  }

  loadOptimizer(tensors: readonly NamedTensor[]): void {
    const vector = (name: string) => findValues(tensors, name, this.values.length);
    this.#moments.first.set(vector("first_moment"));
    this.#moments.second.set(vector("second_moment"));
    this.#steps = findValues(tensors, "steps", 1)[0];
    const average = tensors.some(({ name }) => name === "average");
    if (average) this.#average = Float32Array.from(vector("average"));
  }
}
