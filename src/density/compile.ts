/** Compiles a checked program and its data into a log density with gradient. */
import type { Dataset } from "../base/dataset.ts";
import type { NodeId } from "../graph/node.ts";
import type { CheckedProgram } from "../graph/program.ts";
import { forEachIndex, type Shape, sizeOf } from "../graph/shape.ts";
import type {
  GeneratedDensity,
  LogDensity,
  MixtureComponents,
  PointwiseDensity,
  QuantityShape,
  RowLatents,
  StartingRegion,
} from "../math/log_density.ts";
import { assemble, type AssembledProgram, priorByElement } from "./assemble.ts";
import { type Backend, compilePlan } from "./backend.ts";
import type { Evaluator } from "./evaluator.ts";
import { drawValue } from "./discrete_draws.ts";
import { ExtendedDensity } from "./extended.ts";
import { GradientReader, gradientRoots } from "./gradient.ts";
import { furtherInputs, mixtureModule } from "./mixture.ts";
import { WeightedDensity } from "./partial.ts";
import { startingRegion } from "./starting_region.ts";

/** How a density is compiled. */
export interface CompileOptions {
  /** `wasm` by default; a program that is too large for a module takes `plain`. */
  readonly backend?: Backend;
  /** The free variable of which every observation sees one element, if `latents` is wanted. */
  readonly latent?: { readonly parameter: number; readonly elementOfRow: Int32Array };
  /**
   * The unit 0, 1, … of every observation, where units are left out at once. It matters to
   * likelihoods that do not factorise alone: there, the observations of a unit share its term
   * equally, so that they add up to log p(y_u | y_-u, position).
   */
  readonly unitOfRow?: Int32Array;
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
 * assert.ok(Math.abs(value + 1.9003770664093453) < 1e-15); // -log(2 pi) - 1/16
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

/** Tasks of the plan of a posterior, after its gradient. */
const pointwiseTask = 1;
const quantitiesTask = 2;
const latentTask = 3;

class CompiledDensity implements PointwiseDensity {
  readonly dimension: number;
  readonly observations: number;
  readonly factorises: boolean;
  readonly quantities: readonly string[];
  readonly quantityShapes: readonly QuantityShape[];
  readonly latents?: RowLatents;
  readonly generated?: GeneratedDensity;
  readonly #assembled: AssembledProgram;
  readonly #backend: Backend;
  readonly #run: Evaluator;
  readonly #gradient: GradientReader;
  /** By task, the sizes of its nodes. */
  readonly #sizes: readonly (readonly number[])[];
  #region: StartingRegion | undefined;
  #weighted: WeightedDensity | undefined;

  constructor(
    program: CheckedProgram,
    dataset: Dataset,
    { backend, latent, unitOfRow }: CompileOptions,
  ) {
    const assembled = assemble(program, dataset);
    const { g, dimension, parameters, likelihood, logPrior, quantities, logWeights } = assembled;
    this.#assembled = assembled;
    this.#backend = backend ?? "wasm";
    this.dimension = dimension;
    this.observations = assembled.observations;
    this.factorises = likelihood.factorises;
    this.quantityShapes = [...program.parameters, ...program.deterministics].map((one, k) => ({
      name: one.name,
      shape: quantities[k].shape,
      dims: one.dims,
    }));
    this.quantities = this.quantityShapes.flatMap(({ name, shape }) => elementNames(name, shape));
    const tasks = [
      gradientRoots(assembled, g.add(logPrior, likelihood.whole)),
      [pointwiseOf(assembled, unitOfRow)],
      [...quantities.map(({ node }) => node), ...logWeights === undefined ? [] : [logWeights]],
    ];
    if (latent) tasks.push([elementPrior(assembled, latent.parameter)]);
    this.#sizes = tasks.map((roots) => roots.map((id) => sizeOf(g.shapeOf(id))));
    const plan = { nodes: g.nodes, inputSize: dimension, tasks, parts: parameters };
    this.#run = compilePlan(plan, this.#backend);
    this.generated = this.#run.generated;
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
    return this.#weighted.without(rows, this.startingRegion);
  }

  mixture(components: MixtureComponents): LogDensity {
    const module = mixtureModule(this.#assembled, this.#backend, components.parts);
    return new ExtendedDensity(module, furtherInputs(components), this.startingRegion);
  }

  constrain(position: Float64Array, offset: number, out: Float64Array, outOffset: number): void {
    if (this.factorises) return this.#copy(quantitiesTask, position, offset, out, outOffset);
    const results = this.#run.run(quantitiesTask, position, offset);
    const places = this.#run.places(quantitiesTask);
    const count = this.#sizes[quantitiesTask].at(-1)!;
    const own = position.subarray(offset, offset + this.dimension);
    const value = drawValue(own, results, places.at(-1)!, count);
    let at = outOffset;
    this.#assembled.quantities.forEach(({ shape, varies }, k) => {
      const size = sizeOf(shape);
      const from = places[k] + (varies ? value * size : 0);
      for (let i = 0; i < size; i++) out[at++] = results[from + i];
    });
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

/** What `logLikelihood` writes. */
function pointwiseOf(
  { g, likelihood, observations }: AssembledProgram,
  unitOfRow: Int32Array | undefined,
): NodeId {
  if (likelihood.factorises || !unitOfRow) return likelihood.ofEach;
  const rows: number[] = [];
  for (const unit of unitOfRow) rows[unit] = (rows[unit] ?? 0) + 1;
  const shares = Float64Array.from(rows, (count) => 1 / count);
  const each = g.mul(likelihood.ofUnits(unitOfRow, rows.length), g.array(shares, [rows.length]));
  return g.gather(each, unitOfRow, [observations]);
}

/** log prior + log Jacobian of every element of a parameter. */
function elementPrior({ g, parameters }: AssembledProgram, index: number): NodeId {
  const { drawn, prior, logJacobian } = parameters[index];
  return g.add(priorByElement(g, drawn, prior), logJacobian);
}

/** `name`, `name[3]`, `name[0, 2]` …, row-major. */
function elementNames(name: string, shape: Shape): string[] {
  if (shape.length === 0) return [name];
  const names: string[] = [];
  forEachIndex(shape, (at) => void names.push(`${name}[${at.join(", ")}]`));
  return names;
}
