/** From a checked program and its data to one graph over the unconstrained vector. */
import type { Dataset } from "../base/dataset.ts";
import { eventRankOf, families } from "../families/table.ts";
import { forward, logJacobian, unconstrainedShape } from "../families/transforms.ts";
import type { GraphNode, NodeId } from "../graph/node.ts";
import type { CheckedProgram, Law, Transform } from "../graph/program.ts";
import { type Shape, sizeOf } from "../graph/shape.ts";
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
  /** What has the prior `prior`: the value, or the input of a non-centred parameter. */
  readonly drawn: NodeId;
  /** log |∂drawn / ∂input|, by element or in one number. */
  readonly logJacobian: NodeId;
  /** The prior of `drawn`, with arguments in this graph. */
  readonly prior: Law;
  /** Its transform, with bounds in this graph. */
  readonly transform: Transform;
}

/** Everything that a posterior is asked for, as nodes of one graph. */
export interface AssembledProgram {
  readonly g: SimplifyingBuilder;
  /** Length of the unconstrained vector. */
  readonly dimension: number;
  readonly parameters: readonly PlacedParameter[];
  /** log p(y_i | parameters), flat. */
  readonly pointwise: NodeId;
  /** How many observations there are. */
  readonly observations: number;
  /** log p of the parameters on the unconstrained scale: priors and log Jacobians, one number. */
  readonly logPrior: NodeId;
  /** Deterministics, in the order of the program. */
  readonly deterministics: readonly NodeId[];
}

/**
 * Puts a program into one graph: inputs, transforms, priors, log Jacobians, likelihood. Columns
 * become constants, so whatever depends on data alone is folded on the way.
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

  constructor(readonly program: CheckedProgram, readonly dataset: Dataset) {
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
    const parameters = program.parameters.map((_, index) => this.#parameter(index));
    const pointwise = this.#pointwise();
    return {
      g,
      dimension: this.#dimension,
      parameters,
      pointwise,
      observations: sizeOf(g.shapeOf(pointwise)),
      logPrior: parameters.reduce((sum, one) => g.add(sum, priorOf(g, one)), g.scalar(0)),
      deterministics: program.deterministics.map(({ node }) => this.#node(node)),
    };
  }

  #pointwise(): NodeId {
    const { g } = this;
    const { column, law } = this.program.likelihood;
    const placed = this.#law(law);
    const response = g.array(this.#column(column), law.shape);
    const density = families[law.family].logDensity(g, response, placed);
    const batch = batchShape(law);
    return g.reshape(g.broadcast(density, batch), [sizeOf(batch)]);
  }

  #column(name: string): Float64Array {
    const column = this.dataset.columns.find((one) => one.name === name);
    if (!column) throw new Error(`internal: a checked program reads unknown column ${name}`);
    return column.values;
  }

  #law(law: Law): Law {
    const args = law.args.map((id) => this.#node(id));
    const components = law.components?.map((one) => this.#law(one));
    return { ...law, args, ...(components && { components }) };
  }

  /** The law of (value − location) / scale. */
  #standard(transform: Transform, prior: Law): Law {
    if (transform.kind !== "affine") throw new Error("internal: a law that is not to be scaled");
    const { location, scale } = transform;
    const args = prior.args.map((id) =>
      id === location ? this.g.scalar(0) : id === scale ? this.g.scalar(1) : this.#node(id)
    );
    return { ...prior, args };
  }

  #transform(transform: Transform): Transform {
    if (transform.kind === "chain") {
      return { ...transform, parts: transform.parts.map((part) => this.#transform(part)) };
    }
    if (transform.kind === "affine") {
      const { location, scale } = transform;
      return { ...transform, location: this.#node(location), scale: this.#node(scale) };
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
    const affine = transform.kind === "affine";
    // The prior may read parameters that are placed later: it is looked up when it is asked for.
    const law = () => affine ? this.#standard(named, prior) : this.#law(prior);
    return {
      input,
      offset,
      size: sizeOf(unconstrained),
      value,
      drawn: affine ? input : value,
      logJacobian: affine ? g.scalar(0) : logJacobian(g, transform, input),
      transform,
      get prior() {
        return law();
      },
    };
  }

  #node(id: NodeId): NodeId {
    return this.#nodes[id] ??= this.#translated(this.program.nodes[id]);
  }

  #translated(node: GraphNode): NodeId {
    const { g } = this;
    const args = node.args.map((arg) => this.#node(arg));
    switch (node.kind) {
      case "constant":
        return g.array(node.values, node.shape);
      case "column":
        return g.array(this.#column(node.column), node.shape);
      case "parameter":
        return this.#parameter(node.parameter).value;
      case "input":
        throw new Error("internal: a checked program has no unconstrained inputs");
      case "map":
        return g.map(node.op, ...args);
      case "reduce":
        return g.reduce(node.op, args[0], node.axes);
      case "scan":
        return g.scan(node.op, args[0], node.axis);
      case "reshape":
        return g.reshape(args[0], node.shape);
      case "gather":
        return g.gather(args[0], node.index, node.shape);
      case "scatter":
        return g.scatter(args[0], node.index, node.shape);
      case "take":
        return g.take(args[0], args[1]);
      case "join":
        return g.join(args, node.shape);
      case "matmul":
        return g.matmul(args[0], args[1]);
      case "cholesky":
        return g.cholesky(args[0]);
      case "solve":
        return g.solve(args[0], args[1], node.transposed);
    }
  }
}

/** Batch axes of a law: those of its shape that are not of one event. */
function batchShape(law: Law): Shape {
  return law.shape.slice(0, law.shape.length - eventRankOf(law));
}

/** Σ log prior + log Jacobian of one parameter. */
function priorOf(g: SimplifyingBuilder, { drawn, prior, logJacobian }: PlacedParameter): NodeId {
  return g.add(g.sum(priorByElement(g, drawn, prior)), g.sum(logJacobian));
}

/** log prior of a value, one number for each element of its batch. */
export function priorByElement(g: SimplifyingBuilder, value: NodeId, prior: Law): NodeId {
  const density = families[prior.family].logDensity(g, value, prior);
  return g.broadcast(density, batchShape(prior));
}
