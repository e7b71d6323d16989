/** A tiny builder of checked programs, for tests that need a graph without a text. */
import type {
  BinaryOp,
  CheckedProgram,
  Distribution,
  Family,
  GraphNode,
  NodeId,
  Parameter,
  Transform,
  UnaryOp,
} from "../../src/lang/graph.ts";

/** Adds nodes and parameters one by one; `program` closes the graph with a likelihood. */
export class ProgramBuilder {
  readonly nodes: GraphNode[] = [];
  readonly parameters: Parameter[] = [];
  readonly deterministics: { name: string; node: NodeId }[] = [];

  #add(node: GraphNode): NodeId {
    return this.nodes.push(node) - 1;
  }

  constant(value: number): NodeId {
    return this.#add({ kind: "constant", value, shape: "scalar" });
  }

  column(column: string): NodeId {
    return this.#add({ kind: "column", column, shape: "vector" });
  }

  unary(op: UnaryOp, argument: NodeId): NodeId {
    return this.#add({ kind: "unary", op, argument, shape: this.nodes[argument].shape });
  }

  binary(op: BinaryOp, left: NodeId, right: NodeId): NodeId {
    const vector = this.nodes[left].shape === "vector" || this.nodes[right].shape === "vector";
    return this.#add({ kind: "binary", op, left, right, shape: vector ? "vector" : "scalar" });
  }

  /** A law whose arguments are node ids. */
  law(family: Family, ...args: NodeId[]): Distribution {
    return { family, arguments: args };
  }

  /** A law whose arguments are numbers. */
  fixed(family: Family, ...values: number[]): Distribution {
    return this.law(family, ...values.map((value) => this.constant(value)));
  }

  parameter(name: string, prior: Distribution, transform: Transform["kind"]): NodeId {
    const [lower, upper] = prior.arguments.slice(-2);
    const built: Transform = transform === "interval"
      ? { kind: "interval", lower, upper }
      : { kind: transform };
    this.parameters.push({ name, prior, transform: built });
    const parameter = this.parameters.length - 1;
    return this.#add({ kind: "parameter", parameter, shape: "scalar" });
  }

  deterministic(name: string, node: NodeId): void {
    this.deterministics.push({ name, node });
  }

  program(column: string, law: Distribution): CheckedProgram {
    return {
      nodes: this.nodes,
      parameters: this.parameters,
      deterministics: this.deterministics,
      likelihood: { name: "y", column, ...law },
      hash: "test",
      diagnostics: [],
    };
  }
}

/** alpha − beta · lambda^age under normal noise: the growth curve of the dugongs. */
export function growthProgram(): CheckedProgram {
  const b = new ProgramBuilder();
  const alpha = b.parameter("alpha", b.fixed("normal", 0, 10), "identity");
  const beta = b.parameter("beta", b.fixed("normal", 0, 10), "identity");
  const lambda = b.parameter("lam", b.fixed("uniform", 0.5, 1), "interval");
  const sigma = b.parameter("sigma", b.fixed("half_normal", 1), "log");
  const decay = b.binary("mul", beta, b.binary("pow", lambda, b.column("age")));
  const mu = b.binary("sub", alpha, decay);
  b.deterministic("plateau", b.unary("exp", alpha));
  b.deterministic("mu", mu);
  return b.program("length", b.law("normal", mu, sigma));
}
