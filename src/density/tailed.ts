/** Posteriors with further numbers behind the unconstrained vector: one module for all of them. */
import type { NodeId } from "../graph/node.ts";
import type { GeneratedDensity, LogDensity, StartingRegion } from "../math/log_density.ts";
import type { AssembledProgram } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import type { GeneratedGradient } from "./evaluator.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";

/** A log density that also reads numbers which stay the same over many positions: its tail. */
export class TailedModule {
  readonly dimension: number;
  /** A position, and a tail behind it. */
  readonly #inputs: Float64Array;
  readonly #reader: GradientReader;
  /** The gradient in the memory of generated code, and whose tail lies there. */
  readonly #generated: GeneratedGradient | undefined;
  #entered: Float64Array | undefined;

  /** @param value the log density; its inputs from `dimension` on are the tail. */
  constructor(assembled: AssembledProgram, value: NodeId, tailSize: number, backend: Backend) {
    const { g: { nodes }, dimension, parameters: parts } = assembled;
    const inputSize = dimension + tailSize;
    const tasks = [gradientRoots(assembled, value)];
    const run = compilePlan({ nodes, inputSize, tasks, parts }, backend);
    this.dimension = dimension;
    this.#inputs = new Float64Array(inputSize);
    this.#reader = new GradientReader(assembled, run);
    this.#generated = run.generated;
  }

  /** The density with a tail, which may not change any more. */
  with(tail: Float64Array, startingRegion: StartingRegion): LogDensity {
    return {
      dimension: this.dimension,
      startingRegion,
      logDensity: (position, gradient, offset) =>
        this.#logDensity(tail, position, gradient, offset),
      generated: this.#generatedWith(tail),
    };
  }

  #generatedWith(tail: Float64Array): GeneratedDensity | undefined {
    const generated = this.#generated;
    return generated && { gradient: generated.gradient, enter: () => this.#enter(tail) };
  }

  /** Writes the tail, unless it is there. */
  #enter(tail: Float64Array): void {
    const anew = this.#generated!.enter();
    if (!anew && this.#entered === tail) return;
    this.#inputs.set(tail, this.dimension);
    this.#generated!.write(this.#inputs);
    this.#entered = tail;
  }

  #logDensity(
    tail: Float64Array,
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
  ): number {
    for (let j = 0; j < this.dimension; j++) this.#inputs[j] = position[offset + j];
    this.#inputs.set(tail, this.dimension);
    this.#entered = tail;
    return this.#reader.read(this.#inputs, 0, gradient, offset);
  }
}
