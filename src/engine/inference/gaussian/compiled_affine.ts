/** An affine program together with what compiles the part of it that depends on θ alone. */
import type { AssembledProgram } from "../density/assemble.ts";
import { compilePlan } from "../density/backend.ts";
import type { Evaluator } from "../density/evaluator.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { AffineProgram } from "./affine.ts";

/** Numbers of a node up to which plain kernels do: a module takes milliseconds to generate. */
const fewNumbers = 1000;

/** Input of a compiled affine program. */
export interface AffineParts {
  readonly program: CheckedProgram;
  readonly columns: ReadonlyMap<string, Float64Array>;
  readonly assembled: AssembledProgram;
  readonly latents: readonly number[];
}

/** Runs an affine program at positions of the whole posterior. */
export class CompiledAffine {
  readonly affine: AffineProgram;
  readonly #run: Evaluator;
  readonly #given: readonly Float64Array[];

  /**
   * @param targets nodes of the program that `affine.form` will be asked for.
   * @param roots nodes of the assembled graph whose values `moveTo` gives.
   * @param held a field that is left out.
   */
  constructor(
    { program, columns, assembled: { g, placed, dimension }, latents }: AffineParts,
    targets: readonly NodeId[],
    roots: readonly NodeId[] = [],
    held?: NodeId,
  ) {
    this.affine = new AffineProgram(program, columns, latents, targets, held);
    const { frontier } = this.affine;
    const tasks = [[...frontier.map((id) => placed[id]), ...roots]];
    const isLarge = tasks[0].some((id) => sizeOf(g.nodes[id].shape) > fewNumbers);
    const plan = { nodes: g.nodes, inputSize: dimension, tasks };
    this.#run = compilePlan(plan, isLarge ? "wasm" : "plain");
    this.#given = frontier.map((id) => {
      const values = new Float64Array(sizeOf(program.nodes[id].shape));
      this.affine.set(id, values);
      return values;
    });
  }

  /**
   * Computes everything at a position of the whole posterior.
   *
   * @returns a function that copies the values of the k-th root into `out`, until the next run.
   */
  moveTo(position: Float64Array): (root: number, out: Float64Array) => void {
    const values = this.#run.run(0, position, 0);
    const places = this.#run.places(0);
    this.#given.forEach((own, k) => own.set(values.subarray(places[k], places[k] + own.length)));
    const first = this.#given.length;
    return (root, out) => {
      const from = places[first + root];
      out.set(values.subarray(from, from + out.length));
    };
  }
}
