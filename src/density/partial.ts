/** Posteriors without some observations: one module for all of them. */
import type { GeneratedDensity, LogDensity, StartingRegion } from "../math/log_density.ts";
import type { AssembledProgram } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import type { GeneratedGradient } from "./evaluator.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";

/**
 * The posterior with a weight of 0 or 1 for each observation, which follow the unconstrained vector
 * as further inputs: compiled once, whichever observations are left out.
 */
export class WeightedDensity {
  readonly dimension: number;
  readonly #inputs: Float64Array;
  readonly #reader: GradientReader;
  /** The gradient in the memory, and whose weights lie there. */
  readonly #generated: GeneratedGradient | undefined;
  #entered: readonly number[] | undefined;

  constructor(assembled: AssembledProgram, backend: Backend) {
    const { g, dimension, observations, pointwise, logPrior, parameters: parts } = assembled;
    const weights = g.input(dimension, [observations]);
    const kept = g.where(weights, pointwise, g.scalar(0));
    const roots = gradientRoots(assembled, g.add(logPrior, g.sum(kept)));
    const inputSize = dimension + observations;
    const run = compilePlan({ nodes: g.nodes, inputSize, tasks: [roots], parts }, backend);
    this.dimension = dimension;
    this.#inputs = new Float64Array(inputSize).fill(1);
    this.#reader = new GradientReader(assembled, run);
    this.#generated = run.generated;
  }

  /** The density without these rows, for generated code. */
  generatedWithout(omitted: readonly number[]): GeneratedDensity | undefined {
    const generated = this.#generated;
    return generated && { gradient: generated.gradient, enter: () => this.#enter(omitted) };
  }

  /** Writes the weights, unless they are there. */
  #enter(omitted: readonly number[]): void {
    const anew = this.#generated!.enter();
    if (!anew && this.#entered === omitted) return;
    for (const row of omitted) this.#inputs[this.dimension + row] = 0;
    this.#generated!.write(this.#inputs);
    for (const row of omitted) this.#inputs[this.dimension + row] = 1;
    this.#entered = omitted;
  }

  logDensity(
    omitted: readonly number[],
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
  ): number {
    const { dimension } = this;
    const inputs = this.#inputs;
    for (let j = 0; j < dimension; j++) inputs[j] = position[offset + j];
    for (const row of omitted) inputs[dimension + row] = 0;
    const value = this.#reader.read(inputs, 0, gradient, offset);
    for (const row of omitted) inputs[dimension + row] = 1;
    this.#entered = omitted;
    return value;
  }
}

/** A posterior without some observations. */
export class PartialDensity implements LogDensity {
  readonly dimension: number;
  readonly generated?: GeneratedDensity;

  constructor(
    readonly whole: WeightedDensity,
    readonly omitted: readonly number[],
    readonly startingRegion: StartingRegion,
  ) {
    this.dimension = whole.dimension;
    this.generated = whole.generatedWithout(omitted);
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return this.whole.logDensity(this.omitted, position, gradient, offset);
  }
}
