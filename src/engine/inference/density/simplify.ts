/** A graph builder that rewrites what it is given into what is cheaper and does not overflow. */
import { knownPositive } from "../../language/distributions/range.ts";
import { type ColumnValues, GraphBuilder } from "../../language/ir/builder.ts";
import type { GraphNode, NodeId, ReduceOp } from "../../language/ir/node.ts";
import type { MapOp } from "../../language/ir/operations.ts";
import { broadcastShapes, sameShape, type Shape, sizeOf } from "../../language/ir/shape.ts";
import { rewriteLog, rewritePower } from "./rewrite_logs.ts";
import { rewriteProduct } from "./rewrite_products.ts";
import { rewriteSum } from "./rewrite_sums.ts";

/**
 * Builds a graph in normal form. Every rewrite keeps the value but for rounding:
 *
 * - scalar factors stand before an array once, `s · v` (`rewrite_products.ts`);
 * - sums are taken term by term: factors and scalar terms leave them, data-only terms are folded
 *   (`rewrite_sums.ts`);
 * - logarithms and powers take their stable or cheap forms (`rewrite_logs.ts`);
 * - a product of data with coefficients that is summed over the last axis is a matrix product;
 * - an index known from data turns a take into a gather.
 */
export class SimplifyingBuilder extends GraphBuilder {
  readonly #uniform = new Map<NodeId, NodeId | undefined>();
  /**
   * Whether sums are taken term by term. Not so in gradients: there, terms cancel near a mode, and
   * each sum of them on its own would keep a rounding error of their size.
   */
  splitsSums = true;

  constructor(columns?: ColumnValues) {
    super(columns);
  }

  /** Whether all elements are positive for certain. */
  isPositive(x: NodeId): boolean {
    return knownPositive(this, x);
  }

  /** Whether a node has one element. */
  isScalar(x: NodeId): boolean {
    return sizeOf(this.shapeOf(x)) === 1;
  }

  /** The node, if it is this elementwise operation. */
  asMap(x: NodeId, op: MapOp): GraphNode | undefined {
    const node = this.nodes[x];
    return node.kind === "map" && node.op === op ? node : undefined;
  }

  override map(op: MapOp, ...args: NodeId[]): NodeId {
    return this.#gathered(op, args) ?? this.#rewritten(op, args) ?? this.plainMap(op, args);
  }

  /** The number that all elements of an array are equal to. */
  uniform(x: NodeId): NodeId | undefined {
    if (!this.#uniform.has(x)) this.#uniform.set(x, this.#lookUniform(x));
    return this.#uniform.get(x);
  }

  #lookUniform(x: NodeId): NodeId | undefined {
    if (this.isScalar(x)) return undefined;
    const node = this.nodes[x];
    if (node.kind === "reshape") return this.uniform(node.args[0]);
    if (node.kind === "gather" && this.isScalar(node.args[0])) {
      return node.index.every((at) => at === 0) ? this.reshape(node.args[0], []) : undefined;
    }
    const value = this.constantOf(x);
    return value === undefined ? undefined : this.scalar(value);
  }

  /** Arrays of equal elements are computed as numbers, and become arrays afterwards. */
  #gathered(op: MapOp, args: readonly NodeId[]): NodeId | undefined {
    if (!args.some((arg) => this.uniform(arg) !== undefined)) return undefined;
    const shape = this.#shapeOfAll(...args);
    const made = this.map(op, ...args.map((arg) => this.uniform(arg) ?? arg));
    return this.broadcast(made, shape);
  }

  /** The operation as it is, with nothing but folding. */
  plainMap(op: MapOp, args: readonly NodeId[]): NodeId {
    const call = super.map as (op: MapOp, ...args: NodeId[]) => NodeId;
    return call.call(this, op, ...args);
  }

  #rewritten(op: MapOp, args: readonly NodeId[]): NodeId | undefined {
    if (args.every((arg) => this.nodes[arg].kind === "constant")) return undefined;
    const [a, b, c] = args;
    switch (op) {
      case "neg":
      case "mul":
      case "div":
      case "add":
      case "sub":
        return rewriteProduct(this, op, a, b);
      case "log":
      case "log1p":
        return rewriteLog(this, op, a);
      case "exp":
        return this.#exponential(a);
      case "sqrt":
        return this.#root(a);
      case "abs":
        return this.#size(a);
      case "pow":
        return rewritePower(this, a, b);
      case "where":
        return this.#choice(a, b, c);
      default:
        return undefined;
    }
  }

  /** e^(log x) = x for positive x. */
  #exponential(x: NodeId): NodeId | undefined {
    const inner = this.asMap(x, "log")?.args[0];
    return inner !== undefined && this.isPositive(inner) ? inner : undefined;
  }

  /** √(x · x) = |x|. */
  #root(x: NodeId): NodeId | undefined {
    const product = this.asMap(x, "mul");
    if (!product || product.args[0] !== product.args[1]) return undefined;
    return this.map("abs", product.args[0]);
  }

  /** |−x| = |x|, and |x| = x for positive x. */
  #size(x: NodeId): NodeId | undefined {
    if (this.isPositive(x)) return x;
    const [factor, rest] = this.factored(x);
    return rest !== x && this.constantOf(factor) === -1 ? this.map("abs", rest) : undefined;
  }

  /**
   * A choice known from data between one operation on two arguments is that operation on a chosen
   * argument; a choice between multiples of one array is a multiple of it.
   */
  #choice(condition: NodeId, yes: NodeId, no: NodeId): NodeId | undefined {
    if (yes === no) return this.broadcast(yes, this.#shapeOfAll(condition, yes, no));
    if (this.nodes[condition].kind !== "constant") return undefined;
    if (this.isScalar(yes) && this.isScalar(no)) return undefined;
    const [a, b] = [this.nodes[yes], this.nodes[no]];
    if (a.kind === "map" && b.kind === "map" && a.op === b.op && a.args.length === 1) {
      return this.map(a.op, this.map("where", condition, a.args[0], b.args[0]));
    }
    const [s, x] = this.factored(yes);
    const [t, y] = this.factored(no);
    const known = this.constantOf(s) !== undefined && this.constantOf(t) !== undefined;
    if (!known || x !== y || this.nodes[x].kind === "constant") return undefined;
    return this.map("mul", this.plainMap("where", [condition, s, t]), x);
  }

  /** A node as a scalar factor (of a scalar: a constant factor) times the rest. */
  factored(x: NodeId): readonly [NodeId, NodeId] {
    const node = this.nodes[x];
    if (node.kind !== "map") return [this.scalar(1), x];
    if (node.op === "neg") return [this.scalar(-1), node.args[0]];
    if (node.op === "mul") {
      const [a, b] = node.args;
      if (this.#isFactor(a, b, x)) return [a, b];
      if (this.#isFactor(b, a, x)) return [b, a];
    }
    return [this.scalar(1), x];
  }

  #isFactor(s: NodeId, rest: NodeId, product: NodeId): boolean {
    if (!this.isScalar(s) || !sameShape(this.shapeOf(rest), this.shapeOf(product))) return false;
    return this.nodes[s].kind === "constant" || !this.isScalar(product);
  }

  #shapeOfAll(...nodes: readonly NodeId[]): Shape {
    const shape = broadcastShapes(...nodes.map((x) => this.shapeOf(x)));
    if (!shape) throw new Error("internal: shapes that do not broadcast");
    return shape;
  }

  override reduce(op: ReduceOp, x: NodeId, axes?: readonly number[]): NodeId {
    const shape = this.shapeOf(x);
    const all = axes ?? shape.map((_, i) => i);
    if (all.length > 0 && all.every((axis) => shape[axis] === 1)) {
      return this.reshape(x, shape.filter((_, i) => !all.includes(i)));
    }
    if (op === "sum" && this.nodes[x].kind !== "constant") {
      const simpler = rewriteSum(this, x, [...all].sort((p, q) => p - q));
      if (simpler !== undefined) return simpler;
    }
    const number = op === "max" || op === "min" ? this.uniform(x) : undefined;
    if (number !== undefined) {
      return this.broadcast(number, shape.filter((_, i) => !all.includes(i)));
    }
    if (op === "prod" && all.length > 1) return this.#productByAxes(x, all);
    return super.reduce(op, x, all);
  }

  /** A sum that nothing more is to be taken out of. */
  plainSum(x: NodeId, axes: readonly number[]): NodeId {
    return super.reduce("sum", x, axes);
  }

  #productByAxes(x: NodeId, axes: readonly number[]): NodeId {
    return [...axes].sort((a, b) => b - a).reduce(
      (left, axis) => this.reduce("prod", left, [axis]),
      x,
    );
  }

  override take(x: NodeId, index: NodeId): NodeId {
    const known = this.nodes[index];
    if (known.kind !== "constant") return super.take(x, index);
    return this.gather(x, Int32Array.from(known.values), known.shape);
  }

  /** Gathers of gathers are one; of a scalar that is everywhere the same, nothing is moved. */
  override gather(x: NodeId, index: Int32Array, shape: Shape): NodeId {
    const node = this.nodes[x];
    if (node.kind === "reshape") return this.gather(node.args[0], index, shape);
    if (node.kind !== "gather") return super.gather(x, index, shape);
    const through = index.map((at) => at < 0 ? -1 : node.index[at]);
    return super.gather(node.args[0], through, shape);
  }

  /** A permutation is put back by a gather. */
  override scatter(x: NodeId, index: Int32Array, shape: Shape): NodeId {
    const inverse = inverseOf(index, sizeOf(shape));
    return inverse ? this.gather(x, inverse, shape) : super.scatter(x, index, shape);
  }

  override reshape(x: NodeId, shape: Shape): NodeId {
    const node = this.nodes[x];
    if (node.kind === "gather" && !sameShape(node.shape, shape)) {
      return this.gather(node.args[0], node.index, shape);
    }
    return super.reshape(x, shape);
  }
}

/** The inverse of a permutation; undefined if it is none. */
function inverseOf(index: Int32Array, size: number): Int32Array | undefined {
  if (index.length !== size) return undefined;
  const inverse = new Int32Array(size).fill(-1);
  for (let i = 0; i < size; i++) {
    const at = index[i];
    if (at < 0 || inverse[at] >= 0) return undefined;
    inverse[at] = i;
  }
  return inverse;
}
