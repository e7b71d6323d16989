/** From a checked program and its data to one graph over the unconstrained vector. */
import type { Dataset } from "../../../base/dataset.ts";
import { log } from "../../../numerics/math/mod.ts";
import { type CellEffort, logCellMass } from "../cells/cell_mass.ts";
import type { CellEnds } from "../cells/cell_ends.ts";
import { eventRankOf, families } from "../../language/distributions/table.ts";
import {
  forward,
  logJacobian,
  unconstrainedShape,
} from "../../language/distributions/transforms.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { CheckedProgram, Distribution, Transform } from "../../language/ir/program.ts";
import { type Shape, sizeOf } from "../../language/ir/shape.ts";
import { type AssembledLikelihood, factorised, jointNormal, summedOut } from "./likelihoods.ts";
import { alignedTo, dependsOnDiscrete, discreteValues, overValues } from "./over_values.ts";
import { isCapped, logSlopes, observedValues, recordedCells } from "./recorded_cells.ts";
import { remade } from "./remade.ts";
import { sharedByRows } from "./shared_by_rows.ts";
import { SimplifyingBuilder } from "./simplify.ts";

/** A free variable within the graph. */
export interface PlacedParameter {
  /** Its unconstrained numbers. */
  readonly input: NodeId;
  /** Where they begin in the unconstrained vector. */
  readonly offset: number;
  /** How many there are. */
  readonly size: number;
  /** Its value, on the scale of its support. */
  readonly value: NodeId;
  /** Variable with the prior `prior`: the value, or the innovations of a non-centred parameter. */
  readonly drawn: NodeId;
  /** log |∂drawn / ∂input|, by element or in one number. */
  readonly logJacobian: NodeId;
  /** The prior of `drawn`, with arguments in this graph. */
  readonly prior: Distribution;
  /** Its transform, with bounds in this graph. */
  readonly transform: Transform;
}

/** Everything that a posterior is asked for, as nodes of one graph. */
export interface AssembledProgram {
  readonly g: SimplifyingBuilder;
  /** Length of the unconstrained vector. */
  readonly dimension: number;
  /** Parameters that are drawn: all but discrete ones, which are summed out. */
  readonly parameters: readonly PlacedParameter[];
  /** Of the data given the parameters that are drawn. */
  readonly likelihood: AssembledLikelihood;
  /** How many observations there are. */
  readonly observations: number;
  /** log p of the parameters on the unconstrained scale: priors and log Jacobians, one number. */
  readonly logPrior: NodeId;
  /** Values of all variables, then deterministics, in the order of the program. */
  readonly quantities: readonly Quantity[];
  /** By node of the program, the node of the graph that stands for it. */
  readonly placed: readonly NodeId[];
  /** log p(y, z | parameters) for every value of the discrete variables, if there are such. */
  readonly logWeights?: NodeId;
  /**
   * log P(y_i in its cell | y_-i, parameters) − log width `[observations]`, for data recorded to a
   * step. Absent for other data, and where observations are counts or categories.
   */
  readonly cells?: (effort: CellEffort, unitOfRow?: Int32Array) => NodeId;
}

/** Quantity reported for each draw. */
interface Quantity {
  readonly node: NodeId;
  readonly shape: Shape;
  /** Whether the node has an axis of the values of discrete variables in front. */
  readonly varies: boolean;
}

/**
 * Puts a program into one graph: inputs, transforms, priors, log Jacobians, likelihood. Columns
 * become constants, so nodes of data alone are folded.
 */
export function assemble(program: CheckedProgram, dataset: Dataset): AssembledProgram {
  return new Assembly(program, dataset).build();
}

class Assembly {
  readonly g = new SimplifyingBuilder();
  readonly #nodes: (NodeId | undefined)[];
  readonly #parameters: (PlacedParameter | undefined)[];
  readonly #offsets: number[] = [];
  readonly #dimension: number;
  /** By node of the program, whether it has the axis of the values of discrete variables. */
  readonly #varies: readonly boolean[];
  readonly #discrete: ReturnType<typeof discreteValues>;

  constructor(readonly program: CheckedProgram, readonly dataset: Dataset) {
    this.#varies = dependsOnDiscrete(program);
    this.#discrete = discreteValues(program);
    this.#nodes = new Array(program.nodes.length).fill(undefined);
    this.#parameters = program.parameters.map(() => undefined);
    let offset = 0;
    for (const { transform, shape } of program.parameters) {
      this.#offsets.push(offset);
      offset += sizeOf(unconstrainedShape(transform, shape));
    }
    this.#dimension = offset;
  }

  build(): AssembledProgram {
    const { g, program } = this;
    program.nodes.forEach((_, id) => this.#node(id));
    const all = program.parameters.map((_, index) => index);
    const drawn = all.filter((index) => !this.#isDiscrete(index));
    const parameters = drawn.map((index) => this.#parameter(index));
    const fixed = drawn.filter((index) =>
      !this.#distributionVaries(program.parameters[index].prior)
    );
    const shared = {
      g,
      dimension: this.#dimension,
      parameters,
      observations: observationsOf(program),
      ...this.#cells(() => likelihood),
      placed: program.nodes.map((_, id) => this.#node(id)),
      quantities: [
        ...all.map((index) => this.#valueOf(index)),
        ...program.deterministics.map(({ node }) => this.#quantity(node)),
      ],
    };
    let likelihood: AssembledLikelihood;
    if (drawn.length === all.length) {
      likelihood = isJoint(program) ? this.#joint() : factorised(g, this.#pointwise());
      return { ...shared, likelihood, logPrior: this.#logPrior(fixed) };
    }
    const jacobians = drawn.filter((index) => !fixed.includes(index))
      .map((index) => g.sum(this.#parameter(index).logJacobian));
    const varying = all.filter((index) => !fixed.includes(index))
      .map((index) => this.#priorOverValues(index));
    const prior = varying.reduce((sum, one) => g.add(sum, one));
    const terms = this.#termsOverValues();
    likelihood = summedOut(g, prior, terms);
    return {
      ...shared,
      likelihood,
      logPrior: jacobians.reduce((sum, one) => g.add(sum, one), this.#logPrior(fixed)),
      logWeights: g.add(prior, g.sum(terms, [1])),
    };
  }

  #logPrior(indices: readonly number[]): NodeId {
    const { g } = this;
    return indices.reduce((sum, k) => g.add(sum, priorOf(g, this.#parameter(k))), g.scalar(0));
  }

  #isDiscrete(index: number): boolean {
    return this.#discrete.values[index] !== undefined;
  }

  #valueOf(index: number): Quantity {
    const { shape } = this.program.parameters[index];
    const varies = this.#isDiscrete(index);
    const node = varies ? this.#valuesOf(index) : this.#parameter(index).value;
    return { node, shape, varies };
  }

  /** All values of a discrete variable `[values, …shape]`. */
  #valuesOf(index: number): NodeId {
    const { shape } = this.program.parameters[index];
    const { values, combinations } = this.#discrete;
    return this.g.array(values[index]!, [combinations, ...shape]);
  }

  #quantity(id: NodeId): Quantity {
    const { shape } = this.program.nodes[id];
    return { node: this.#node(id), shape, varies: this.#varies[id] };
  }

  #pointwise(): NodeId {
    return this.#asOfResponse(this.#terms());
  }

  /** log densities of what is observed. */
  #terms(): NodeId {
    const { distribution } = this.program.likelihood;
    const batch = batchShape(distribution);
    const density = families[distribution.family].logDensity(
      this.g,
      this.#response(),
      this.#distribution(distribution),
    );
    return this.g.reshape(this.g.broadcast(density, batch), [sizeOf(batch)]);
  }

  /** All rows as one vector. */
  #joint(): AssembledLikelihood {
    const { g } = this;
    const { args: [mu, factor] } = this.#distribution(this.program.likelihood.distribution);
    const whole = g.reshape(this.#terms(), []);
    const observed = this.#response();
    const slopes = logSlopes(this.program, this.dataset);
    return jointNormal(g, {
      whole,
      residuals: g.sub(observed, mu),
      factor,
      observed,
      ...(slopes && { slopes: g.array(slopes, [slopes.length]) }),
    });
  }

  #response(): NodeId {
    const { distribution } = this.program.likelihood;
    return this.g.array(observedValues(this.program, this.dataset), distribution.shape);
  }

  /** Log densities of the values that are observed, as those of the response. */
  #asOfResponse(density: NodeId): NodeId {
    const slopes = logSlopes(this.program, this.dataset);
    return slopes ? this.g.add(density, this.g.array(slopes, [slopes.length])) : density;
  }

  #cells(likelihood: () => AssembledLikelihood): Pick<AssembledProgram, "cells"> {
    const { g, program } = this;
    const recorded = recordedCells(program, this.dataset);
    if (!recorded) return {};
    const { distribution: { shape } } = program.likelihood;
    if (isCapped(program)) return this.#cappedVectors(recorded.width, likelihood);
    const ends = { low: g.array(recorded.low, shape), high: g.array(recorded.high, shape) };
    const logWidth = g.scalar(log(recorded.width));
    return {
      cells: (effort, unitOfRow) => {
        const masses = () => g.sub(this.#masses(ends, effort), logWidth);
        const cells = { masses, ends, effort, logWidth };
        const { factorises, inCells } = likelihood();
        if (!unitOfRow || factorises) return inCells(cells);
        return sharedByRows(g, unitOfRow, (units) => inCells(cells, unitOfRow, units));
      },
    };
  }

  /** Vectors have no cells at hand: their density is at most that of all mass in one. */
  #cappedVectors(
    width: number,
    likelihood: () => AssembledLikelihood,
  ): Pick<AssembledProgram, "cells"> {
    const { g, program } = this;
    const { shape } = program.likelihood.distribution;
    const most = g.scalar(-log(width) * sizeOf(shape) / observationsOf(program));
    return { cells: () => g.map("minimum", likelihood().ofEach, most) };
  }

  /** log P(y_i in its cell | θ, z) `[…, observations]`, for every value of z if there are such. */
  #masses(ends: CellEnds, effort: CellEffort): NodeId {
    const { g } = this;
    const { distribution } = this.program.likelihood;
    const { combinations, values } = this.#discrete;
    const isSummed = values.some((one) => one !== undefined);
    const own = isSummed ? this.#distributionOver(distribution) : this.#distribution(distribution);
    const mass = g.map("minimum", logCellMass(g, ends, own, effort), g.scalar(0));
    const outer = isSummed ? [combinations] : [];
    const batch = batchShape(distribution);
    return g.reshape(g.broadcast(mass, [...outer, ...batch]), [...outer, sizeOf(batch)]);
  }

  /** log p(y_i | θ, z) for every value of z `[values, observations]`. */
  #termsOverValues(): NodeId {
    const { distribution } = this.program.likelihood;
    const { combinations } = this.#discrete;
    const density = families[distribution.family].logDensity(
      this.g,
      this.#response(),
      this.#distributionOver(distribution),
    );
    const batch = batchShape(distribution);
    return this.#asOfResponse(
      this.g.reshape(this.g.broadcast(density, [combinations, ...batch]), [
        combinations,
        sizeOf(batch),
      ]),
    );
  }

  /** log p of a parameter, or of a discrete variable, for every value of z `[values]`. */
  #priorOverValues(index: number): NodeId {
    const { g } = this;
    const { prior, shape } = this.program.parameters[index];
    const { combinations } = this.#discrete;
    const value = this.#isDiscrete(index) ? this.#valuesOf(index) : this.#parameter(index).value;
    const density = families[prior.family].logDensity(g, value, this.#distributionOver(prior));
    const whole = g.broadcast(density, [combinations, ...shape]);
    return g.sum(whole, shape.map((_, axis) => axis + 1));
  }

  #distributionVaries({ args, components }: Distribution): boolean {
    return args.some((id) => this.#varies[id]) ||
      (components?.some((one) => this.#distributionVaries(one)) ?? false);
  }

  /** A distribution with the axis of values in front. */
  #distributionOver(distribution: Distribution): Distribution {
    const ranks = families[distribution.family].parameterRanks;
    const args = distribution.args.map((id, i) => {
      const { shape } = this.program.nodes[id];
      const argument = { node: this.#node(id), shape, varies: this.#varies[id] };
      return alignedTo(this.g, argument, distribution.shape.length + ranks[i]);
    });
    const components = distribution.components?.map((one) => this.#distributionOver(one));
    const shape = [this.#discrete.combinations, ...distribution.shape];
    return { ...distribution, args, shape, ...(components && { components }) };
  }

  #column(name: string): Float64Array {
    const column = this.dataset.columns.find((one) => one.name === name);
    if (!column) throw new Error(`internal: a checked program reads unknown column ${name}`);
    return column.values;
  }

  #distribution(distribution: Distribution): Distribution {
    const args = distribution.args.map((id) => this.#node(id));
    const components = distribution.components?.map((one) => this.#distribution(one));
    return { ...distribution, args, ...(components && { components }) };
  }

  /** The distribution of what a non-centred value is made of. */
  #standard(transform: Transform, prior: Distribution): Distribution {
    const { g } = this;
    if (transform.kind === "linear") {
      return { family: "normal", args: [g.scalar(0), g.scalar(1)], shape: prior.shape };
    }
    if (transform.kind !== "affine" && transform.kind !== "walk") {
      throw new Error("internal: a distribution that is not to be scaled");
    }
    const { location, scale } = transform;
    const args = prior.args.map((id) =>
      id === location ? g.scalar(0) : id === scale ? g.scalar(1) : this.#node(id)
    );
    const components = prior.components?.map((one) => this.#distribution(one));
    return { ...prior, args, ...(components && { components }) };
  }

  #transform(transform: Transform): Transform {
    if (transform.kind === "chain") {
      return { ...transform, parts: transform.parts.map((part) => this.#transform(part)) };
    }
    if (transform.kind === "affine" || transform.kind === "walk") {
      const { location, scale } = transform;
      return { ...transform, location: this.#node(location), scale: this.#node(scale) };
    }
    if (transform.kind === "linear") {
      const { location, factor } = transform;
      return { ...transform, location: this.#node(location), factor: this.#node(factor) };
    }
    if (transform.kind !== "interval") return transform;
    const { lower, upper } = transform;
    return { ...transform, lower: this.#node(lower), upper: this.#node(upper) };
  }

  #parameter(index: number): PlacedParameter {
    return this.#parameters[index] ??= this.#place(index);
  }

  #place(index: number): PlacedParameter {
    const { g } = this;
    const { shape, prior, transform: named } = this.program.parameters[index];
    const transform = this.#transform(named);
    const unconstrained = unconstrainedShape(transform, shape);
    const offset = this.#offsets[index];
    const input = g.input(offset, unconstrained);
    const value = forward(g, transform, input);
    const walk = transform.kind === "walk";
    const moved = walk || transform.kind === "affine" || transform.kind === "linear";
    // The prior may read parameters that are placed later: it is looked up when it is asked for.
    const distribution = () => moved ? this.#standard(named, prior) : this.#distribution(prior);
    return {
      input,
      offset,
      size: sizeOf(unconstrained),
      value,
      // The sums of a walk's steps are a walk; they are as wide as the steps.
      drawn: walk ? g.scan("cumsum", input, shape.length - 1) : moved ? input : value,
      logJacobian: moved ? g.scalar(0) : logJacobian(g, transform, input),
      transform,
      get prior() {
        return distribution();
      },
    };
  }

  #node(id: NodeId): NodeId {
    return this.#nodes[id] ??= this.#translated(this.program.nodes[id]);
  }

  #translated(node: GraphNode): NodeId {
    const { g } = this;
    const args = node.args.map((arg) => this.#node(arg));
    if (node.args.some((arg) => this.#varies[arg])) {
      const given = node.args.map((arg, i) => ({
        node: args[i],
        shape: this.program.nodes[arg].shape,
        varies: this.#varies[arg],
      }));
      return overValues(g, this.#discrete.combinations, node, given);
    }
    switch (node.kind) {
      case "constant":
        return g.array(node.values, node.shape);
      case "column":
        return g.array(this.#column(node.column), node.shape);
      case "parameter":
        return this.#valueOf(node.parameter).node;
      case "input":
        throw new Error("internal: a checked program has no unconstrained inputs");
      default:
        return remade(g, node, args);
    }
  }
}

/** Whether the likelihood is one density of all rows together. */
export function isJoint({ likelihood: { distribution } }: CheckedProgram): boolean {
  return distribution.family === "mv_normal" && distribution.shape.length === 1;
}

/** How many observations a likelihood has: those of one vector are its elements. */
export function observationsOf(program: CheckedProgram): number {
  const { distribution } = program.likelihood;
  return sizeOf(isJoint(program) ? distribution.shape : batchShape(distribution));
}

/** Batch axes of a distribution: those of its shape that are not of one event. */
function batchShape(distribution: Distribution): Shape {
  return distribution.shape.slice(0, distribution.shape.length - eventRankOf(distribution));
}

/** Σ log prior + log Jacobian of one parameter. */
export function priorOf(
  g: SimplifyingBuilder,
  { drawn, prior, logJacobian }: PlacedParameter,
): NodeId {
  return g.add(g.sum(priorByElement(g, drawn, prior)), g.sum(logJacobian));
}

/** log prior of a value, one number for each element of its batch. */
export function priorByElement(g: SimplifyingBuilder, value: NodeId, prior: Distribution): NodeId {
  const density = families[prior.family].logDensity(g, value, prior);
  return g.broadcast(density, batchShape(prior));
}
