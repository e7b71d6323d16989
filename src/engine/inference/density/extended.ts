/** Densities that differ in a few numbers alone: one module, in which those numbers are inputs. */
import type { NodeId } from "../../language/ir/node.ts";
import type { GeneratedDensity, LogDensity, StartingRegion } from "../../../numerics/math/mod.ts";
import type { AssembledProgram } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import type { GeneratedGradient } from "./evaluator.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";

/** A log density that reads, behind the unconstrained vector, further inputs. */
export class ExtendedModule {
  readonly dimension: number;
  readonly #inputs: Float64Array;
  readonly #reader: GradientReader;
  readonly #generated: GeneratedGradient | undefined;
  /** Density whose further inputs stand in `#inputs`, and in the memory of generated code. */
  #current: ExtendedDensity | undefined;
  #entered: ExtendedDensity | undefined;

  /**
   * @param value the log density, a node of the program's graph.
   * @param further how many inputs there are behind the unconstrained vector.
   */
  constructor(assembled: AssembledProgram, backend: Backend, value: NodeId, further: number) {
    const { g, dimension, parameters: parts } = assembled;
    const tasks = [gradientRoots(assembled, value)];
    const inputSize = dimension + further;
    const run = compilePlan({ nodes: g.nodes, inputSize, tasks, parts }, backend);
    this.dimension = dimension;
    this.#inputs = new Float64Array(inputSize);
    this.#reader = new GradientReader(assembled, run);
    this.#generated = run.generated;
  }

  /** Its density in generated code, where there is such. */
  generatedFor(one: ExtendedDensity): GeneratedDensity | undefined {
    const generated = this.#generated;
    return generated && { gradient: generated.gradient, enter: () => this.#enter(generated, one) };
  }

  /** Value and gradient at a position, with the further inputs of `one`. */
  logDensity(
    one: ExtendedDensity,
    position: Float64Array,
    gradient: Float64Array,
    offset: number,
  ): number {
    this.#take(one);
    for (let j = 0; j < this.dimension; j++) this.#inputs[j] = position[offset + j];
    this.#entered = one;
    return this.#reader.read(this.#inputs, 0, gradient, offset);
  }

  #enter(generated: GeneratedGradient, one: ExtendedDensity): void {
    const anew = generated.enter();
    if (!anew && this.#entered === one) return;
    this.#take(one);
    generated.write(this.#inputs);
    this.#entered = one;
  }

  #take(one: ExtendedDensity): void {
    if (this.#current === one) return;
    this.#inputs.set(one.further, this.dimension);
    this.#current = one;
  }
}

/** The density of a module with these further inputs. */
export class ExtendedDensity implements LogDensity {
  readonly dimension: number;
  readonly generated?: GeneratedDensity;

  /** @param further never to be changed. */
  constructor(
    readonly module: ExtendedModule,
    readonly further: Float64Array,
    readonly startingRegion: StartingRegion,
  ) {
    this.dimension = module.dimension;
    this.generated = module.generatedFor(this);
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return this.module.logDensity(this, position, gradient, offset);
  }
}
