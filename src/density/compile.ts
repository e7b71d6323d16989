/** Compiles a checked program and its data into a log density with gradient. */
import type { Dataset } from "../base/dataset.ts";
import type { NodeId } from "../graph/node.ts";
import type { CheckedProgram } from "../graph/program.ts";
import { forEachIndex, type Shape, sizeOf } from "../graph/shape.ts";
import type {
  LogDensity,
  PointwiseDensity,
  QuantityShape,
  RowLatents,
  StartingRegion,
} from "../math/log_density.ts";
import { assemble, type AssembledProgram, priorByElement } from "./assemble.ts";
import { gradientOf } from "./differentiate.ts";
import type { EvaluationPlan, Evaluator } from "./evaluator.ts";
import { plainEvaluator } from "./plain.ts";
import { startingRegion } from "./starting_region.ts";
import { unguarded } from "./unguarded.ts";
import { wasmEvaluator } from "./wasm/evaluator.ts";

/** What computes: a generated module, or the plain kernels, which are its reference. */
export type Backend = "wasm" | "plain";

/** How a density is compiled. */
export interface CompileOptions {
  /** `wasm` by default; a program that is too large for a module takes `plain`. */
  readonly backend?: Backend;
  /** The free variable of which every observation sees one element, if `latents` is wanted. */
  readonly latent?: { readonly parameter: number; readonly elementOfRow: Int32Array };
}

/**
 * The posterior of a checked program on the unconstrained scale, log Jacobians and all normalising
 * constants of priors and likelihood included, as PyMC's `model.logp` has them.
 *
 * The program and its data become one graph, which is simplified, differentiated and run by one of
 * two back ends with the same bits. Outside the support, and wherever a number is not finite, the
 * log density is −∞ with a gradient of zeros.
 *
 * @param program what the checker made of a program's text.
 * @param dataset the data that it was checked against.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { checkProgram } from "../lang/check.ts";
 * import { compileLogDensity } from "./compile.ts";
 * const values = Float64Array.of(0.5);
 * const data = makeDataset("one", [{ name: "y", role: "response", type: "real", values }]);
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mu = pm.Normal("mu", 0, 1)
 *     pm.Normal("y", mu=mu, sigma=1, observed=data["y"])
 * `;
 * const checked = checkProgram(text, data);
 * assert.ok(checked.ok);
 * const density = compileLogDensity(checked.program, data);
 * const gradient = new Float64Array(1);
 * const value = density.logDensity(Float64Array.of(0.25), gradient, 0);
 * assert.ok(Math.abs(value - (-Math.log(2 * Math.PI) - 0.0625)) < 1e-15);
 * assert.equal(gradient[0], 0);
 * ```
 */
export function compileLogDensity(
  program: CheckedProgram,
  dataset: Dataset,
  options: CompileOptions = {},
): PointwiseDensity {
  return new CompiledDensity(program, dataset, options);
}

/** Tasks of the plan of a posterior, in order. */
const gradientTask = 0;
const pointwiseTask = 1;
const quantitiesTask = 2;
const latentTask = 3;

class CompiledDensity implements PointwiseDensity {
  readonly dimension: number;
  readonly observations: number;
  readonly quantities: readonly string[];
  readonly quantityShapes: readonly QuantityShape[];
  readonly latents?: RowLatents;
  readonly #assembled: AssembledProgram;
  readonly #backend: Backend;
  readonly #run: Evaluator;
  readonly #gradient: GradientReader;
  /** By task, the sizes of its nodes. */
  readonly #sizes: readonly (readonly number[])[];
  #region: StartingRegion | undefined;
  #weighted: WeightedDensity | undefined;

  constructor(program: CheckedProgram, dataset: Dataset, { backend, latent }: CompileOptions) {
    const assembled = assemble(program, dataset);
    const { g, dimension, parameters, pointwise, logPrior, deterministics } = assembled;
    this.#assembled = assembled;
    this.#backend = backend ?? "wasm";
    this.dimension = dimension;
    this.observations = assembled.observations;
    const outputs = [...parameters.map(({ value }) => value), ...deterministics];
    this.quantityShapes = [...program.parameters, ...program.deterministics].map((one, k) => ({
      name: one.name,
      shape: g.shapeOf(outputs[k]),
      dims: one.dims,
    }));
    this.quantities = this.quantityShapes.flatMap(({ name, shape }) => elementNames(name, shape));
    const tasks = [
      gradientRoots(assembled, g.add(logPrior, g.sum(pointwise))),
      [pointwise],
      outputs,
    ];
    if (latent) tasks.push([elementPrior(assembled, latent.parameter)]);
    this.#sizes = tasks.map((roots) => roots.map((id) => sizeOf(g.shapeOf(id))));
    this.#run = compilePlan({ nodes: g.nodes, inputSize: dimension, tasks }, this.#backend);
    this.#gradient = new GradientReader(assembled, this.#run);
    if (latent) {
      this.latents = {
        offset: parameters[latent.parameter].offset,
        elementOfRow: latent.elementOfRow,
        logPrior: (position, offset, out, outOffset) =>
          this.#copy(latentTask, position, offset, out, outOffset),
      };
    }
  }

  get startingRegion(): StartingRegion {
    return this.#region ??= startingRegion(this.#assembled);
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return this.#gradient.read(position, offset, gradient, offset);
  }

  logLikelihood(
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): void {
    this.#copy(pointwiseTask, position, offset, out, outOffset);
  }

  without(rows: readonly number[]): LogDensity {
    this.#weighted ??= new WeightedDensity(this.#assembled, this.#backend);
    return new PartialDensity(this.#weighted, rows, this.startingRegion);
  }

  constrain(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    this.#copy(quantitiesTask, position, offset, out, outOffset);
  }

  /** Writes the nodes of a task one after another. */
  #copy(
    task: number,
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): void {
    const values = this.#run.run(task, position, offset);
    const places = this.#run.places(task);
    const sizes = this.#sizes[task];
    let at = outOffset;
    for (let k = 0; k < places.length; k++) {
      for (let i = 0; i < sizes[k]; i++) out[at++] = values[places[k] + i];
    }
  }
}

/** The value, then its gradient by parameter. */
function gradientRoots({ g, parameters }: AssembledProgram, value: NodeId): NodeId[] {
  const inputs = parameters.map(({ input }) => input);
  return [value, ...gradientOf(g, unguarded(g, value), inputs)];
}

/** log prior + log Jacobian of every element of a parameter. */
function elementPrior({ g, parameters }: AssembledProgram, index: number): NodeId {
  const { value, prior, logJacobian } = parameters[index];
  return g.add(priorByElement(g, value, prior), logJacobian);
}

function compilePlan(plan: EvaluationPlan, backend: Backend): Evaluator {
  return (backend === "wasm" ? wasmEvaluator(plan) : undefined) ?? plainEvaluator(plan);
}

/** Reads value and gradient from the results of the first task of a plan. */
class GradientReader {
  /** Where the value and each coordinate of the gradient lie. */
  readonly #value: number;
  readonly #places: Int32Array;

  constructor({ dimension, parameters }: AssembledProgram, readonly run: Evaluator) {
    const places = run.places(gradientTask);
    this.#value = places[0];
    this.#places = new Int32Array(dimension);
    parameters.forEach(({ offset, size }, k) => {
      for (let i = 0; i < size; i++) this.#places[offset + i] = places[k + 1] + i;
    });
  }

  /** −∞ and zeros unless all numbers are finite. */
  read(position: Float64Array, offset: number, gradient: Float64Array, at: number): number {
    const result = this.run.run(gradientTask, position, offset);
    const places = this.#places;
    const value = result[this.#value];
    let check = value;
    for (let j = 0; j < places.length; j++) {
      const slope = result[places[j]];
      gradient[at + j] = slope;
      check += slope;
    }
    if (check - check === 0) return value;
    for (let j = 0; j < places.length; j++) gradient[at + j] = 0;
    return -Infinity;
  }
}

/**
 * The posterior with a weight of 0 or 1 for each observation, which follow the unconstrained vector
 * as further inputs: compiled once, whichever observations are left out.
 */
class WeightedDensity {
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
class PartialDensity implements LogDensity {
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

/** `name`, `name[3]`, `name[0, 2]` …, row-major. */
function elementNames(name: string, shape: Shape): string[] {
  if (shape.length === 0) return [name];
  const names: string[] = [];
  forEachIndex(shape, (at) => void names.push(`${name}[${at.join(", ")}]`));
  return names;
}
