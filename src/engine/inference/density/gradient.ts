/** Value and gradient of a posterior: which nodes they are, and how results are read. */
import type { NodeId } from "../../language/ir/node.ts";
import type { AssembledProgram } from "./assemble.ts";
import { gradientOf } from "./differentiate.ts";
import type { Evaluator } from "./evaluator.ts";
import { fastSums } from "./fast_sums.ts";
import { unguarded } from "./unguarded.ts";

/** The value, then its gradient by parameter. */
export function gradientRoots({ g, parameters }: AssembledProgram, value: NodeId): NodeId[] {
  const inputs = parameters.map(({ input }) => input);
  return fastSums(g, [value, ...gradientOf(g, unguarded(g, value), inputs)]);
}

/** Reads value and gradient from the results of a task that begins with `gradientRoots`. */
export class GradientReader {
  /** Where the value and each coordinate of the gradient lie. */
  readonly #value: number;
  readonly #places: Int32Array;

  constructor(
    { dimension, parameters }: AssembledProgram,
    readonly run: Evaluator,
    readonly task: number = 0,
  ) {
    const places = run.places(task);
    this.#value = places[0];
    this.#places = new Int32Array(dimension);
    parameters.forEach(({ offset, size }, k) => {
      for (let i = 0; i < size; i++) this.#places[offset + i] = places[k + 1] + i;
    });
  }

  /** −∞ and zeros unless all numbers are finite. */
  read(position: Float64Array, offset: number, gradient: Float64Array, at: number): number {
    return this.take(this.run.run(this.task, position, offset), gradient, at);
  }

  /** Takes value and gradient from the results of the task. */
  take(result: Float64Array, gradient: Float64Array, at: number): number {
    const places = this.#places;
    const value = result[this.#value];
    // x − x is 0 if x is finite, else NaN.
    let check = value - value;
    for (let j = 0; j < places.length; j++) {
      const slope = result[places[j]];
      gradient[at + j] = slope;
      check += slope - slope;
    }
    if (check === 0) return value;
    for (let j = 0; j < places.length; j++) gradient[at + j] = 0;
    return -Infinity;
  }
}
