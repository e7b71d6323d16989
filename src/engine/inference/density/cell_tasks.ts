/** Tasks over the cells of recorded data at a position, compiled when first wanted. */
import type { AssembledProgram } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import type { Evaluator } from "./evaluator.ts";
import type { CellEffort } from "../cells/cell_mass.ts";

/** Evaluates the quick formula, and the whole one where that has no digits. */
export class CellTasks {
  readonly #assembled: AssembledProgram;
  readonly #backend: Backend;
  readonly #unitOfRow: Int32Array | undefined;
  #quick: Evaluator | undefined;
  #whole: Evaluator | undefined;
  #positions = 0;
  /** Positions in a row at which the quick formula was in vain. */
  #inVain = 0;

  constructor(assembled: AssembledProgram, backend: Backend, unitOfRow?: Int32Array) {
    this.#assembled = assembled;
    this.#backend = backend;
    this.#unitOfRow = unitOfRow;
  }

  /** Writes log P(y_i in its cell) − log width of every observation into `out[outOffset …)`. */
  write(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    this.#positions += 1;
    if (this.#positions === mostPlain) [this.#quick, this.#whole] = [undefined, undefined];
    if (this.#inVain < triesInVain) {
      this.#quick ??= this.#compile("quick");
      if (this.#copy(this.#quick, position, offset, out, outOffset)) {
        this.#inVain = 0;
        return;
      }
      this.#inVain += 1;
    }
    this.#whole ??= this.#compile("whole");
    this.#copy(this.#whole, position, offset, out, outOffset);
  }

  /** Whether all are numbers. */
  #copy(
    run: Evaluator,
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): boolean {
    const values = run.run(0, position, offset);
    const from = run.places(0)[0];
    let holds = true;
    for (let i = 0; i < this.#assembled.observations; i++) {
      const value = values[from + i];
      out[outOffset + i] = value;
      if (value !== value) holds = false;
    }
    return holds;
  }

  #compile(effort: CellEffort): Evaluator {
    const node = this.#assembled.cells!(effort, this.#unitOfRow);
    const { g: { nodes }, dimension: inputSize } = this.#assembled;
    const backend = this.#positions < mostPlain ? "plain" : this.#backend;
    return compilePlan({ nodes, inputSize, tasks: [[node]] }, backend);
  }
}

/** Up to so many positions the plain kernels, whose bits are the same, cost less than a module. */
const mostPlain = 256;
/** After so many positions the quick formula is not tried any more. */
const triesInVain = 4;
