/** The likelihood of rows by their linear predictors, with slopes and curvatures. */
import type { AssembledProgram } from "../density/assemble.ts";
import { compilePlan } from "../density/backend.ts";
import { gradientOf } from "../density/differentiate.ts";
import type { Evaluator } from "../density/evaluator.ts";
import { unguarded } from "../density/unguarded.ts";
import type { NodeId } from "../../language/ir/node.ts";

/** Tasks behind the one that is given. */
const valuesTask = 1;
const slopesTask = 2;

/**
 * log p(y_i | η_i, θ) of every row, as functions of all predictors at once: the program has them as its
 * last parameter, and θ in the whole vector.
 */
export class RowLikelihood {
  /** The unconstrained vector; the predictors are its last numbers. */
  readonly whole: Float64Array;
  /** log p(y_i | η_i, θ) `[rows]`, as of the last evaluation. */
  readonly logs: Float64Array;
  /** ∂ log p(y_i | η_i, θ) / ∂ η_i `[rows]`. */
  readonly slopes: Float64Array;
  /** And the second derivative `[rows]`. */
  readonly curvatures: Float64Array;
  /** Evaluator; its task 0 is the `task` of the constructor. */
  readonly run: Evaluator;
  /** Evaluations so far. */
  evaluations = 0;
  readonly #elementOfRow: Int32Array;
  readonly #offset: number;
  #left: number | undefined;

  /**
   * @param task what else is computed from the whole vector.
   * @param elementOfRow which element of the last parameter each row sees.
   */
  constructor(
    assembled: AssembledProgram,
    task: readonly NodeId[],
    elementOfRow: Int32Array,
  ) {
    const { g, likelihood: { ofEach, whole }, parameters } = assembled;
    const { input, offset } = parameters[parameters.length - 1];
    const [first] = gradientOf(g, unguarded(g, whole), [input]);
    const [second] = gradientOf(g, g.sum(first), [input]);
    const tasks = [task, [ofEach], [ofEach, first, second]];
    this.run = compilePlan({ nodes: g.nodes, inputSize: assembled.dimension, tasks }, "wasm");
    this.whole = new Float64Array(assembled.dimension);
    const rows = elementOfRow.length;
    this.logs = new Float64Array(rows);
    this.slopes = new Float64Array(rows);
    this.curvatures = new Float64Array(rows);
    this.#elementOfRow = elementOfRow;
    this.#offset = offset;
  }

  /** Result of a computation with the likelihood of this row counted as one. */
  without<T>(row: number, compute: () => T): T {
    this.#left = row;
    try {
      return compute();
    } finally {
      this.#left = undefined;
    }
  }

  /** Evaluates at these predictors of the rows; returns the sum, −∞ where it is no number. */
  values(predictors: Float64Array): number {
    this.#place(predictors);
    const found = this.run.run(valuesTask, this.whole, 0);
    return this.#take(found, this.run.places(valuesTask)[0]);
  }

  /** Log likelihood, with slopes and curvatures. */
  derivatives(predictors: Float64Array): number {
    this.#place(predictors);
    const found = this.run.run(slopesTask, this.whole, 0);
    const [logs, slopes, curvatures] = this.run.places(slopesTask);
    const element = this.#elementOfRow;
    for (let i = 0; i < element.length; i++) {
      this.slopes[i] = found[slopes + element[i]];
      this.curvatures[i] = found[curvatures + element[i]];
    }
    if (this.#left !== undefined) this.slopes[this.#left] = this.curvatures[this.#left] = 0;
    return this.#take(found, logs);
  }

  #place(predictors: Float64Array): void {
    this.evaluations += 1;
    const element = this.#elementOfRow;
    for (let i = 0; i < element.length; i++) this.whole[this.#offset + element[i]] = predictors[i];
  }

  #take(found: Float64Array, from: number): number {
    let sum = 0;
    for (let i = 0; i < this.logs.length; i++) {
      const one = found[from + i];
      this.logs[i] = i === this.#left ? 0 : one === one ? one : -Infinity;
      sum += this.logs[i];
    }
    return sum;
  }
}
