/** Mixtures of a posterior with those that lack an observation each: one module for all of them. */
import type { LogDensity, StartingRegion } from "../math/log_density.ts";
import type { AssembledProgram } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";

/**
 * log p(θ, y) + log(e^a + Σ_u e^(c_u) / L_u) for the likelihood L_u of unit u, whose logarithms a
 * and c_u follow the unconstrained vector as further inputs: compiled once for all mixtures.
 */
export class MixtureModule {
  readonly dimension: number;
  readonly #inputs: Float64Array;
  readonly #reader: GradientReader;

  /** @param unitOfRow the unit 0, 1, … of every observation; each is one of its own if left out. */
  constructor(assembled: AssembledProgram, backend: Backend, unitOfRow?: Int32Array) {
    const { g, dimension, observations, pointwise, logPrior } = assembled;
    const units = unitOfRow ? 1 + unitOfRow.reduce((a, b) => Math.max(a, b)) : observations;
    const likelihoods = unitOfRow ? g.scatter(pointwise, unitOfRow, [units]) : pointwise;
    const whole = g.input(dimension, []);
    const lacking = g.sub(g.input(dimension + 1, [units]), likelihoods);
    const lackingOne = g.log(g.sum(g.exp(lacking)));
    const components = g.log(g.add(g.exp(whole), g.exp(lackingOne)));
    const value = g.add(g.add(logPrior, g.sum(pointwise)), components);
    const inputSize = dimension + 1 + units;
    const tasks = [gradientRoots(assembled, value)];
    const run = compilePlan({ nodes: g.nodes, inputSize, tasks }, backend);
    this.dimension = dimension;
    this.#inputs = new Float64Array(inputSize);
    this.#reader = new GradientReader(assembled, run);
  }

  /** @param weights a, then c_u of every unit; finite. */
  logDensity(
    weights: Float64Array,
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
  ): number {
    const { dimension } = this;
    const inputs = this.#inputs;
    for (let j = 0; j < dimension; j++) inputs[j] = position[offset + j];
    inputs.set(weights, dimension);
    return this.#reader.read(inputs, 0, gradient, offset);
  }
}

/** One mixture. */
export class MixtureDensity implements LogDensity {
  readonly dimension: number;

  constructor(
    readonly module: MixtureModule,
    readonly weights: Float64Array,
    readonly startingRegion: StartingRegion,
  ) {
    this.dimension = module.dimension;
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return this.module.logDensity(this.weights, position, gradient, offset);
  }
}
