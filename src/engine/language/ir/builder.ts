/** Builds graphs: equal expressions share a node, what is constant is folded at once. */
import { sha256 } from "../../../base/digest.ts";
import { ArrayNumbers } from "./array_numbers.ts";
import { evaluateNode } from "./evaluate.ts";
import type { ArrayValue } from "./array_value.ts";
import type { GraphNode, NodeId, ReduceOp } from "./node.ts";
import {
  type BinaryOp,
  commutative,
  type MapOp,
  type TernaryOp,
  type UnaryOp,
} from "./operations.ts";
import { broadcastIndex, broadcastShapes, sameShape, type Shape, sizeOf } from "./shape.ts";

/** Values of the data's columns by name, row-major. */
export type ColumnValues = (column: string) => Float64Array | undefined;

/**
 * A graph under construction; arguments always come before the nodes that use them. Shapes must
 * fit: the checker looks before it builds.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { GraphBuilder } from "./builder.ts";
 * const g = new GraphBuilder();
 * const x = g.parameter(0, [3]);
 * const total = g.sum(g.mul(x, g.add(g.scalar(1), g.scalar(1))));
 * assert.equal(g.sum(g.mul(g.scalar(2), x)), total);
 * assert.deepEqual(g.shapeOf(total), []);
 * ```
 */
export class GraphBuilder {
  /** All nodes so far. */
  readonly nodes: GraphNode[] = [];
  /** Whether elements have been distinguished by position: given one by one, moved, or joined in order. */
  placed = false;
  /** Columns whose numbers something asked for, though it made no node of them. */
  readonly lookedAt = new Set<string>();
  #isChecking = false;
  readonly #ids = new Map<string, NodeId>();
  /** Whether a node depends on data and constants alone. */
  readonly #host: boolean[] = [];
  readonly #values = new Map<NodeId, Float64Array>();
  readonly #arrays = new ArrayNumbers();
  readonly #scalars = new Map<number, NodeId>();
  readonly #folded = new Map<NodeId, Set<NodeId>>();
  /** Constants that a program's author gave, not a library. */
  readonly written = new Set<NodeId>();
  readonly #arranged = new Set<NodeId>();
  readonly #computed = new Map<NodeId, Set<NodeId>>();
  readonly #read: NodeId[] = [];
  #computing = 0;

  /**
   * @param columns values of columns; without them only constants can be read.
   * @param hidden a column that nothing may read: it counts as known only while sampling.
   */
  constructor(
    private readonly columns: ColumnValues = () => undefined,
    private readonly hidden?: string,
  ) {}

  /** A number. */
  scalar(value: number): NodeId {
    const known = this.#scalars.get(value);
    if (known !== undefined && !Object.is(value, -0)) return known;
    const id = this.array(Float64Array.of(value), []);
    if (!Object.is(value, -0)) this.#scalars.set(value, id);
    return id;
  }

  /** Numbers known now; `values` `[sizeOf(shape)]` belong to the graph from here on. */
  array(values: Float64Array, shape: Shape): NodeId {
    this.placed ||= values.length > 1 && values.some((value) => value !== values[0]);
    return this.#intern({ kind: "constant", args: [], shape, values });
  }

  /** The constant that a node is, if its numbers are known; undefined if they are not. */
  known(x: NodeId): NodeId | undefined {
    const value = this.valueOf(x);
    return value && this.#foldedFrom(this.array(value.values, value.shape), [x]);
  }

  /** Nodes that a node was computed from, whether or not it was folded into a constant. */
  sourcesOf(x: NodeId): Iterable<NodeId> {
    return this.#folded.get(x) ?? this.nodes[x].args;
  }

  /** Nodes that one was computed from by the graph or a function, and whether that arranged entries. */
  originOf(x: NodeId): { readonly sources: readonly NodeId[]; readonly arranged: boolean } {
    const arranged = this.#arranged.has(x) || arranging.has(this.nodes[x].kind);
    const looked = arranged ? [] : this.#computed.get(x) ?? [];
    const sources = new Set([...this.sourcesOf(x), ...looked]);
    sources.delete(x);
    return { sources: [...sources], arranged };
  }

  /** Records the nodes that a function read for the array that it made. */
  computing<T>(compute: () => T, made: (result: T) => NodeId | undefined): T {
    const from = this.#read.length;
    const nodes = this.nodes.length;
    this.#computing++;
    const result = compute();
    const id = made(result);
    if (id !== undefined && id >= nodes && this.nodes[id].kind === "constant") {
      const sources = this.#read.slice(from).filter((one) => one < id);
      if (sources.length === 0 && this.originOf(id).sources.length === 0) this.written.add(id);
      this.#computed.set(id, new Set(sources));
    }
    if (--this.#computing === 0 || id !== undefined) this.#read.length = from;
    return result;
  }

  /** A column of the data. */
  column(column: string, shape: Shape): NodeId {
    return this.#intern({ kind: "column", args: [], shape, column });
  }

  /** The value of a free random variable. */
  parameter(parameter: number, shape: Shape): NodeId {
    return this.#intern({ kind: "parameter", args: [], shape, parameter });
  }

  /** A part of the unconstrained vector. */
  input(offset: number, shape: Shape): NodeId {
    return this.#intern({ kind: "input", args: [], shape, offset });
  }

  /** An elementwise operation under broadcasting. @throws internal, if shapes do not fit. */
  map(op: UnaryOp, x: NodeId): NodeId;
  map(op: BinaryOp, x: NodeId, y: NodeId): NodeId;
  map(op: TernaryOp, x: NodeId, y: NodeId, z: NodeId): NodeId;
  map(op: MapOp, ...given: NodeId[]): NodeId {
    if (op === "gt") return this.map("lt", given[1], given[0]);
    if (op === "ge") return this.map("le", given[1], given[0]);
    const shape = this.#broadcast(given);
    const args = this.#withoutLeadingOnes(given, shape);
    const simpler = this.#simplified(op, args, shape);
    if (simpler !== undefined) return simpler;
    if (commutative.has(op) && args[0] > args[1]) args.reverse();
    return this.#intern({ kind: "map", op, args, shape });
  }

  add(x: NodeId, y: NodeId): NodeId {
    return this.map("add", x, y);
  }
  sub(x: NodeId, y: NodeId): NodeId {
    return this.map("sub", x, y);
  }
  mul(x: NodeId, y: NodeId): NodeId {
    return this.map("mul", x, y);
  }
  div(x: NodeId, y: NodeId): NodeId {
    return this.map("div", x, y);
  }
  neg(x: NodeId): NodeId {
    return this.map("neg", x);
  }
  exp(x: NodeId): NodeId {
    return this.map("exp", x);
  }
  log(x: NodeId): NodeId {
    return this.map("log", x);
  }
  square(x: NodeId): NodeId {
    return this.map("mul", x, x);
  }
  /** `then` where the condition is not 0. */
  where(condition: NodeId, then: NodeId, otherwise: NodeId): NodeId {
    return this.map("where", condition, then, otherwise);
  }

  /** Reduces axes (all of them by default); scalars stay what they are. */
  reduce(op: ReduceOp, x: NodeId, axes?: readonly number[]): NodeId {
    const from = this.shapeOf(x);
    const chosen = axes ?? from.map((_, i) => i);
    if (chosen.length === 0) return x;
    const sorted = [...chosen].sort((a, b) => a - b);
    const shape = from.filter((_, i) => !sorted.includes(i));
    return this.#intern({ kind: "reduce", op, args: [x], axes: sorted, shape });
  }

  /** Sum over axes, all of them by default. */
  sum(x: NodeId, axes?: readonly number[]): NodeId {
    return this.reduce("sum", x, axes);
  }

  /** Cumulative sum or product along one axis. */
  scan(op: "cumsum" | "cumprod", x: NodeId, axis: number): NodeId {
    this.placed = true;
    return this.#intern({ kind: "scan", op, args: [x], axis, shape: this.shapeOf(x) });
  }

  /** Elements of `x` under another shape of the same size. */
  reshape(x: NodeId, shape: Shape): NodeId {
    if (sameShape(this.shapeOf(x), shape)) return x;
    const node = this.nodes[x];
    if (node.kind === "join") return this.join(node.args, shape);
    const from = node.kind === "reshape" ? node.args[0] : x;
    if (sameShape(this.shapeOf(from), shape)) return from;
    return this.#intern({ kind: "reshape", args: [from], shape });
  }

  /** `out[i] = x[index[i]]` on flat indices; −1 gives 0. */
  gather(x: NodeId, index: Int32Array, shape: Shape): NodeId {
    this.placed = true;
    if (index.length === sizeOf(this.shapeOf(x)) && index.every((at, i) => at === i)) {
      return this.reshape(x, shape);
    }
    const from = this.#flat(x);
    const node = this.nodes[from];
    if (node.kind !== "gather") return this.#intern({ kind: "gather", args: [from], index, shape });
    const composed = index.map((at) => at < 0 ? -1 : node.index[at]);
    return this.gather(node.args[0], composed, shape);
  }

  /** The node whose elements a reshape shows under another shape. */
  #flat(x: NodeId): NodeId {
    const node = this.nodes[x];
    return node.kind === "reshape" ? node.args[0] : x;
  }

  /** `out[index[i]] += x[i]` on flat indices, from zeros. */
  scatter(x: NodeId, index: Int32Array, shape: Shape): NodeId {
    this.placed = true;
    return this.#intern({ kind: "scatter", args: [x], index, shape });
  }

  /** `out[i] = x[index[i]]` on flat indices, for a node `index` of whole numbers within range. */
  take(x: NodeId, index: NodeId): NodeId {
    const from = this.#flat(x);
    const node = this.nodes[from];
    if (node.kind === "gather" && node.index.every((at) => at >= 0)) {
      const places = this.array(Float64Array.from(node.index), [node.index.length]);
      return this.take(node.args[0], this.take(places, index));
    }
    return this.#intern({ kind: "take", args: [from, index], shape: this.shapeOf(index) });
  }

  /** `x` broadcast to a shape; x itself if it has that shape already. */
  broadcast(x: NodeId, shape: Shape): NodeId {
    const from = this.shapeOf(x);
    return sameShape(from, shape) ? x : this.gather(x, broadcastIndex(from, shape), shape);
  }

  /** Flat elements of all arguments one after another; `shape` `[total]` by default. */
  join(args: readonly NodeId[], shape?: Shape): NodeId {
    this.placed = true;
    const total = args.reduce((sum, x) => sum + sizeOf(this.shapeOf(x)), 0);
    const flat = args.map((x) => this.#flat(x));
    return this.#intern({ kind: "join", args: flat, shape: shape ?? [total] });
  }

  /** `[n, k] × [k, m]`. */
  matmul(a: NodeId, b: NodeId): NodeId {
    this.placed = true;
    const shape = [this.shapeOf(a)[0], this.shapeOf(b)[1]];
    return this.#intern({ kind: "matmul", args: [a, b], shape });
  }

  /** Lower Cholesky factor of `[n, n]`. */
  cholesky(x: NodeId): NodeId {
    this.placed = true;
    return this.#intern({ kind: "cholesky", args: [x], shape: this.shapeOf(x) });
  }

  /** Solves `L X = B`, or `Lᵀ X = B`; B is `[n, m]`. */
  solve(lower: NodeId, b: NodeId, transposed = false): NodeId {
    this.placed = true;
    const shape = this.shapeOf(b);
    return this.#intern({ kind: "solve", args: [lower, b], transposed, shape });
  }

  /** Shape of a node. */
  shapeOf(x: NodeId): Shape {
    return this.nodes[x].shape;
  }

  /** The number, if the node is a constant of one element or of equal elements. */
  constantOf(x: NodeId): number | undefined {
    const node = this.nodes[x];
    if (node.kind !== "constant") return undefined;
    const first = node.values[0];
    for (let i = 1; i < node.values.length; i++) {
      if (!Object.is(node.values[i], first)) return undefined;
    }
    return first;
  }

  /** Whether a node depends on data and constants alone. */
  isHost(x: NodeId): boolean {
    return this.#host[x];
  }

  /** Reads numbers to refuse unsuitable ones alone: such reads are not noted in `lookedAt`. */
  whileChecking<T>(check: () => T): T {
    const before = this.#isChecking;
    this.#isChecking = true;
    try {
      return check();
    } finally {
      this.#isChecking = before;
    }
  }

  /** The numbers of a node that depends on data and constants alone; undefined for others. */
  valueOf(x: NodeId): ArrayValue | undefined {
    if (!this.#host[x]) return undefined;
    const node = this.nodes[x];
    if (node.kind === "column" && !this.#isChecking) this.lookedAt.add(node.column);
    if (this.#computing > 0 && !this.#isChecking) this.#read.push(x);
    const values = this.#evaluate(x);
    return values && { shape: this.shapeOf(x), values };
  }

  #evaluate(x: NodeId): Float64Array | undefined {
    const known = this.#values.get(x);
    if (known) return known;
    const node = this.nodes[x];
    if (node.kind === "constant") return node.values;
    const values = node.kind === "column" ? this.columns(node.column) : this.#compute(node);
    if (values) this.#values.set(x, values);
    return values;
  }

  #compute(node: GraphNode): Float64Array | undefined {
    const args: ArrayValue[] = [];
    for (const id of node.args) {
      const value = this.valueOf(id);
      if (!value) return undefined;
      args.push(value);
    }
    return evaluateNode(node, args);
  }

  /** Axes of length one that broadcasting puts in front by itself need not be written out. */
  #withoutLeadingOnes(args: NodeId[], shape: Shape): NodeId[] {
    if (!args.some((x) => this.shapeOf(x)[0] === 1)) return args;
    const bare = args.map((x) => this.#bare(x));
    if (bare.every((x, i) => x === args[i])) return args;
    const joint = broadcastShapes(...bare.map((x) => this.shapeOf(x)));
    return joint && sameShape(joint, shape) ? bare : args;
  }

  #bare(x: NodeId): NodeId {
    const node = this.nodes[x];
    if (node.shape.length === 0 || node.shape[0] !== 1) return x;
    const first = node.shape.findIndex((extent) => extent !== 1);
    const shape = first < 0 ? [] : node.shape.slice(first);
    if (node.kind === "constant") return this.array(node.values, shape);
    const inner = node.kind === "reshape" ? node.args[0] : x;
    return sameShape(this.shapeOf(inner), shape) ? inner : x;
  }

  #broadcast(args: readonly NodeId[]): Shape {
    const first = this.shapeOf(args[0]);
    const last = this.shapeOf(args[args.length - 1]);
    // One shape, or a number and an array, as in nearly all operations.
    if (args.length <= 2 && (first === last || last.length === 0)) return first;
    if (args.length === 2 && first.length === 0) return last;
    const shape = broadcastShapes(...args.map((id) => this.shapeOf(id)));
    if (!shape) throw new Error("internal: shapes that do not broadcast");
    return shape;
  }

  /** Rewrites that do not change a bit of a finite value: x·1, x/1, x − 0, −(−x), where(c, …). */
  #simplified(op: MapOp, args: readonly NodeId[], shape: Shape): NodeId | undefined {
    if (!simplifiable.has(op)) return undefined;
    const keep = (x: NodeId) => sameShape(this.shapeOf(x), shape) ? x : undefined;
    const a = this.constantOf(args[0]);
    const b = args.length > 1 ? this.constantOf(args[1]) : undefined;
    switch (op) {
      case "neg": {
        const inner = this.nodes[args[0]];
        return inner.kind === "map" && inner.op === "neg" ? inner.args[0] : undefined;
      }
      case "add":
        return b === 0 ? keep(args[0]) : a === 0 ? keep(args[1]) : undefined;
      case "sub":
        return b === 0 ? keep(args[0]) : undefined;
      case "mul":
        return b === 1 ? keep(args[0]) : a === 1 ? keep(args[1]) : undefined;
      case "div":
        return b === 1 ? keep(args[0]) : undefined;
      case "where":
        return a === undefined ? undefined : keep(a !== 0 ? args[1] : args[2]);
      case "pow":
        return this.#simplePower(args[0], b, shape);
      default:
        return undefined;
    }
  }

  #simplePower(x: NodeId, exponent: number | undefined, shape: Shape): NodeId | undefined {
    if (!sameShape(this.shapeOf(x), shape)) return undefined;
    if (exponent === 1) return x;
    if (exponent === 2) return this.mul(x, x);
    if (exponent === 0.5) return this.map("sqrt", x);
    return exponent === -1 ? this.div(this.scalar(1), x) : undefined;
  }

  #intern(node: GraphNode): NodeId {
    const folded = this.#fold(node);
    const id = this.#numbered(folded);
    if (folded === node) return id;
    if (arranging.has(node.kind)) this.#arranged.add(id);
    return this.#foldedFrom(id, node.args);
  }

  #foldedFrom(id: NodeId, sources: readonly NodeId[]): NodeId {
    if (sources.includes(id)) return id;
    const known = this.#folded.get(id) ?? new Set();
    for (const source of sources) known.add(source);
    this.#folded.set(id, known);
    return id;
  }

  #numbered(folded: GraphNode): NodeId {
    const key = this.#keyOf(folded);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.nodes.push(folded) - 1;
    this.#ids.set(key, id);
    const leaf = folded.kind === "parameter" || folded.kind === "input" ||
      folded.kind === "column" && folded.column === this.hidden;
    this.#host.push(!leaf && folded.args.every((arg) => this.#host[arg]));
    return id;
  }

  /** Text that is equal for equal nodes; long arrays stand in it by number. */
  #keyOf(node: GraphNode): string {
    // The shape of an elementwise result is that of its arguments.
    if (node.kind === "map") {
      const { op, args } = node;
      if (args.length === 1) return `${op}|${args[0]}`;
      return args.length === 2 ? `${op}|${args[0]},${args[1]}` : `${op}|${args}`;
    }
    const long = node.kind === "constant" ? node.values : "index" in node ? node.index : undefined;
    if (!long || long.length <= 16) return nodeKey(node);
    return `${node.kind} #${this.#arrays.numberOf(long)}|${node.args}|${node.shape}`;
  }

  /** A node whose arguments are all constants is a constant. */
  #fold(node: GraphNode): GraphNode {
    if (node.args.length === 0) return node;
    for (const id of node.args) if (this.nodes[id].kind !== "constant") return node;
    const values: ArrayValue[] = [];
    for (const id of node.args) {
      const arg = this.nodes[id];
      if (arg.kind === "constant") values.push({ shape: arg.shape, values: arg.values });
    }
    const folded = evaluateNode(node, values);
    return { kind: "constant", args: [], shape: node.shape, values: folded };
  }
}

/** Operations that arrange entries. */
const arranging: ReadonlySet<string> = new Set(["join", "gather", "scatter", "take"]);

/** Operations of which some applications are simpler. */
const simplifiable: ReadonlySet<MapOp> = new Set<MapOp>(
  ["neg", "add", "sub", "mul", "div", "where", "pow"],
);

/** A number as a text that distinguishes −0 from 0 and can hold infinities. */
function numberKey(value: number): string {
  return Object.is(value, -0) ? "-0" : `${value}`;
}

/** Operation of a node apart from its arguments, as text; equal texts mean the same operation. */
export function nodeLabel(node: GraphNode): string {
  switch (node.kind) {
    case "constant":
      return `constant ${arrayKey(node.values)}`;
    case "column":
      return `column ${JSON.stringify(node.column)}`;
    case "parameter":
      return `parameter ${node.parameter}`;
    case "input":
      return `input ${node.offset}`;
    case "map":
      return node.op;
    case "reduce":
      return `${node.op} over ${node.axes}`;
    case "scan":
      return `${node.op} along ${node.axis}`;
    case "gather":
    case "scatter":
      return `${node.kind} ${indexKey(node.index)}`;
    case "solve":
      return node.transposed ? "solve transposed" : "solve";
    default:
      return node.kind;
  }
}

function nodeKey(node: GraphNode): string {
  return `${nodeLabel(node)}|${node.args}|${node.shape}`;
}

/** Short arrays in full, long ones by digest. */
function arrayKey(values: Float64Array): string {
  if (values.length <= 16) return Array.from(values, numberKey).join(" ");
  return sha256(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
}

function indexKey(index: Int32Array): string {
  if (index.length <= 32) return index.join(" ");
  return sha256(new Uint8Array(index.buffer, index.byteOffset, index.byteLength));
}
