/** Runs generated gradient modules on one memory that all programs of a process share in turn. */
import { sumTerm } from "../term.ts";
import { gradientModule, type LinkedProgram } from "./gradient_module.ts";
import { hostFunctions } from "./host.ts";

// A memory reserves address space by the gigabyte, so there is one per process, not one per
// program. Nothing but constants has to survive between two calls, so a program that finds another
// in its place writes its constants again.

const pageBytes = 65536;
let shared: WebAssembly.Memory | undefined;
let tenant: GradientRunner | undefined;

/** The compiled gradient of one linked program. */
export class GradientRunner {
  #values: Float64Array = new Float64Array(0);
  #adjoints: Float64Array = new Float64Array(0);
  readonly #gradient: () => number;

  constructor(readonly program: LinkedProgram) {
    shared ??= new WebAssembly.Memory({ initial: 1 });
    const host = { memory: shared, ...hostFunctions, term: (k: number) => this.#term(k) };
    const instance = new WebAssembly.Instance(new WebAssembly.Module(gradientModule(program)), {
      host,
    });
    this.#gradient = instance.exports.gradient as () => number;
  }

  /** Adjoints of the last run; those of the unconstrained vector come first. */
  get adjoints(): Float64Array {
    return this.#adjoints;
  }

  /** The log density, `undecided`, or anything that is not finite outside the support. */
  run(position: Float64Array, offset: number, dimension: number): number {
    if (tenant !== this) this.#moveIn();
    const values = this.#values;
    for (let j = 0; j < dimension; j++) values[j] = position[offset + j];
    return this.#gradient();
  }

  #moveIn(): void {
    const { memory, freeSize } = this.program;
    const bytes = 8 * (memory.length + freeSize);
    const missing = Math.ceil((bytes - shared!.buffer.byteLength) / pageBytes);
    if (missing > 0) shared!.grow(missing);
    this.#values = new Float64Array(shared!.buffer, 0, memory.length);
    this.#adjoints = new Float64Array(shared!.buffer, 8 * memory.length, freeSize);
    this.#values.set(memory.subarray(freeSize), freeSize);
    tenant = this;
  }

  /** The k-th of log Jacobians, priors and the likelihood. */
  #term(k: number): number {
    const { jacobians, priors, likelihood } = this.program;
    if (k < jacobians.length) {
      const { kernel, q, width, widthFree } = jacobians[k];
      return kernel(this.#values, this.#adjoints, q, width, widthFree);
    }
    const { rule, term, column } = priors[k - jacobians.length] ?? likelihood;
    const [m, g] = [this.#values, this.#adjoints];
    return column ? rule.column!(m, g, term) : sumTerm(rule, m, g, term);
  }
}
