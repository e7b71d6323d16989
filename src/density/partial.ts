/** Posteriors without some observations: one module for all of them. */
import type { LogDensity, StartingRegion } from "../math/log_density.ts";
import type { AssembledProgram } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";

/**
 * The posterior with a weight of 0 or 1 for each observation, which follow the unconstrained vector
 * as further inputs: compiled once, whichever observations are left out.
 */
export class WeightedDensity {
  readonly dimension: number;
  readonly #inputs: Float64Array;
  readonly #reader: GradientReader;

  constructor(assembled: AssembledProgram, backend: Backend) {
    const { g, dimension, observations, pointwise, logPrior } = assembled;
    const weights = g.input(dimension, [observations]);
    const kept = g.where(weights, pointwise, g.scalar(0));
    const roots = gradientRoots(assembled, g.add(logPrior, g.sum(kept)));
    const inputSize = dimension + observations;
    const run = compilePlan({ nodes: g.nodes, inputSize, tasks: [roots] }, backend);
    this.dimension = dimension;
    this.#inputs = new Float64Array(inputSize).fill(1);
    this.#reader = new GradientReader(assembled, run);
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
    return value;
  }
}

/** A posterior without some observations. */
export class PartialDensity implements LogDensity {
  readonly dimension: number;

  constructor(
    readonly whole: WeightedDensity,
    readonly omitted: readonly number[],
    readonly startingRegion: StartingRegion,
  ) {
    this.dimension = whole.dimension;
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return this.whole.logDensity(this.omitted, position, gradient, offset);
  }
}
