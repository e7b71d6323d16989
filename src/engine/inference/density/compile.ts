/** Compiles a checked program and its data into a log density with gradient. */
import type { Dataset } from "../../../base/dataset.ts";
import type { NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { forEachIndex, type Shape, sizeOf } from "../../language/ir/shape.ts";
import type {
  GeneratedDensity,
  LogDensity,
  MixtureComponents,
  PointwiseDensity,
  QuantityShape,
  RowLatents,
  StartingRegion,
} from "../../../numerics/math/mod.ts";
import { assemble, type AssembledProgram } from "./assemble.ts";
import type { Backend } from "./backend.ts";
import { boundCoordinates } from "./bound_coordinates.ts";
import { CellTasks } from "./cell_tasks.ts";
import { drawValue } from "./discrete_draws.ts";
import { ExtendedDensity } from "./extended.ts";
import { furtherInputs, mixtureModule } from "./mixture.ts";
import { WeightedDensity } from "./partial.ts";
import { PosteriorTasks, type RowElements } from "./posterior_tasks.ts";
import { sharedByRows } from "./shared_by_rows.ts";
import { startingRegion } from "./starting_region.ts";

/** How a density is compiled. */
export interface CompileOptions {
  /** `wasm` by default; a program that is too large for a module takes `plain`. */
  readonly backend?: Backend;
  /** The free variable of which every observation sees one element, if `latents` is wanted. */
  readonly latent?: RowElements;
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
 * @param program the checked program of a text.
 * @param dataset the data that it was checked against.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { checkProgram } from "../../language/pymc/check.ts";
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

class CompiledDensity implements PointwiseDensity {
  readonly dimension: number;
  readonly observations: number;
  readonly factorises: boolean;
  readonly quantities: readonly string[];
  readonly quantityShapes: readonly QuantityShape[];
  readonly latents?: RowLatents;
  readonly withLikelihood?: PointwiseDensity["withLikelihood"];
  readonly logCells?: PointwiseDensity["logCells"];
  readonly #assembled: AssembledProgram;
  readonly #backend: Backend;
  readonly #tasks: PosteriorTasks;
  #region: StartingRegion | undefined;
  #weighted: WeightedDensity | undefined;

  constructor(
    program: CheckedProgram,
    dataset: Dataset,
    { backend, latent, unitOfRow }: CompileOptions,
  ) {
    const assembled = assemble(program, dataset);
    const { dimension, parameters, likelihood, quantities } = assembled;
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
    const pointwise = pointwiseOf(assembled, unitOfRow);
    const tasks = new PosteriorTasks(assembled, pointwise, this.#backend, latent);
    this.#tasks = tasks;
    const cells = assembled.cells && new CellTasks(assembled, this.#backend, unitOfRow);
    if (cells) {
      this.logCells = (position, offset, out, outOffset) =>
        cells.write(position, offset, out, outOffset);
    }
    if (!latent) {
      this.withLikelihood = (position, gradient, offset, out, outOffset) =>
        tasks.withLikelihood(position, gradient, offset, out, outOffset);
      return;
    }
    const { offset, size } = parameters[latent.parameter];
    this.latents = {
      offset,
      elements: size,
      elementOfRow: latent.elementOfRow,
      logPrior: (position, at, out, outOffset) => tasks.latentPrior(position, at, out, outOffset),
      logJoint: (position, at, out, outOffset) => tasks.latentJoint(position, at, out, outOffset),
    };
  }

  get generated(): GeneratedDensity | undefined {
    return this.#tasks.generated;
  }

  get startingRegion(): StartingRegion {
    return this.#region ??= startingRegion(this.#assembled);
  }

  logDensity(position: Float64Array, gradient: Float64Array, offset: number): number {
    return this.#tasks.gradient(position, offset, gradient, offset);
  }

  valueWithLikelihood(
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): number {
    return this.#tasks.valueWithLikelihood(position, offset, out, outOffset);
  }

  boundTo(observation: number): Int32Array {
    return boundCoordinates(this.#assembled, observation);
  }

  logLikelihood(
    position: Float64Array,
    offset: number,
    out: Float64Array,
    outOffset: number,
  ): void {
    this.#tasks.likelihood(position, offset, out, outOffset);
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
    const { values, places } = this.#tasks.quantities(position, offset);
    const value = this.#assembled.logWeights === undefined
      ? 0
      : this.#valueDrawn(position, offset, values, places[places.length - 1]);
    let at = outOffset;
    this.#assembled.quantities.forEach(({ shape, varies }, k) => {
      const size = sizeOf(shape);
      const from = places[k] + (varies ? value * size : 0);
      for (let i = 0; i < size; i++) out[at++] = values[from + i];
    });
  }

  /** Which of its values a summed-out variable is drawn to have. */
  #valueDrawn(position: Float64Array, offset: number, values: Float64Array, at: number): number {
    const { g, logWeights } = this.#assembled;
    const own = position.subarray(offset, offset + this.dimension);
    return drawValue(own, values, at, sizeOf(g.shapeOf(logWeights!)));
  }
}

/** Nodes that `logLikelihood` writes. */
function pointwiseOf(
  { g, likelihood }: AssembledProgram,
  unitOfRow: Int32Array | undefined,
): NodeId {
  if (likelihood.factorises || !unitOfRow) return likelihood.ofEach;
  return sharedByRows(g, unitOfRow, (units) => likelihood.ofUnits(unitOfRow, units));
}

/** `name`, `name[3]`, `name[0, 2]` …, row-major. */
function elementNames(name: string, shape: Shape): string[] {
  if (shape.length === 0) return [name];
  const names: string[] = [];
  forEachIndex(shape, (at) => void names.push(`${name}[${at.join(", ")}]`));
  return names;
}
