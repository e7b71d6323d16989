/** Builds the expression graph: equal expressions share a node, scalar constants are folded. */
import { exp, expm1, log, log1p, pow, sigmoid, tanh } from "../math/elementary.ts";
import type { BinaryOp, GraphNode, NodeId, UnaryOp } from "./graph.ts";

/** Operators whose operands may be swapped without changing a bit of the result. */
export const commutative: ReadonlySet<BinaryOp> = new Set(["add", "mul"]);

/** The operators on numbers, as the engine computes them. */
export const unaryFunctions: Readonly<Record<UnaryOp, (x: number) => number>> = {
  neg: (x) => -x,
  exp,
  log,
  log1p,
  expm1,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sigmoid,
  tanh,
};

/** The binary operators on numbers, as the engine computes them. */
export const binaryFunctions: Readonly<Record<BinaryOp, (x: number, y: number) => number>> = {
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  pow,
};

/** A number as a text that tells −0 from 0 and can hold infinities. */
export function numberKey(value: number): string {
  return Object.is(value, -0) ? "-0" : `${value}`;
}

/** A graph under construction; arguments always come before the nodes that use them. */
export class GraphBuilder {
  readonly nodes: GraphNode[] = [];
  private readonly ids = new Map<string, NodeId>();

  constant(value: number): NodeId {
    return this.intern(`c${numberKey(value)}`, { kind: "constant", value, shape: "scalar" });
  }

  column(column: string): NodeId {
    return this.intern(`d${column}`, { kind: "column", column, shape: "vector" });
  }

  parameter(parameter: number): NodeId {
    return this.intern(`p${parameter}`, { kind: "parameter", parameter, shape: "scalar" });
  }

  unary(op: UnaryOp, argument: NodeId): NodeId {
    const value = this.constantOf(argument);
    if (value !== undefined) return this.constant(unaryFunctions[op](value));
    const { shape } = this.nodes[argument];
    return this.intern(`${op} ${argument}`, { kind: "unary", op, argument, shape });
  }

  binary(op: BinaryOp, a: NodeId, b: NodeId): NodeId {
    const [x, y] = [this.constantOf(a), this.constantOf(b)];
    if (x !== undefined && y !== undefined) return this.constant(binaryFunctions[op](x, y));
    const swap = commutative.has(op) && a > b;
    const [left, right] = swap ? [b, a] : [a, b];
    const vector = this.nodes[a].shape === "vector" || this.nodes[b].shape === "vector";
    const shape = vector ? "vector" : "scalar";
    return this.intern(`${op} ${left} ${right}`, { kind: "binary", op, left, right, shape });
  }

  /** The value of a constant node. */
  constantOf(node: NodeId): number | undefined {
    const found = this.nodes[node];
    return found.kind === "constant" ? found.value : undefined;
  }

  isVector(node: NodeId): boolean {
    return this.nodes[node].shape === "vector";
  }

  private intern(key: string, node: GraphNode): NodeId {
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    this.ids.set(key, this.nodes.length);
    return this.nodes.push(node) - 1;
  }
}
