/** One model in two graphs, read off the data and off their rows in another order, visited together. */
import type { GraphBuilder } from "../../ir/builder.ts";
import type { ArrayValue } from "../../ir/array_value.ts";
import type { GraphNode, MapNode, NodeId } from "../../ir/node.ts";
import { commutative } from "../../ir/operations.ts";
import type { Likelihood, Parameter } from "../../ir/program.ts";
import { broadcastIndex, sameShape, type Shape, sizeOf, stridesOf } from "../../ir/shape.ts";
import {
  mix,
  squaredFactor,
  symbolOf,
  symbolOfNumber,
  symbolsByValue,
  symbolsOfNumbers,
  type Twin,
} from "./symbols.ts";

/** The model at the end of a check. */
export interface RowModel {
  readonly graph: GraphBuilder;
  readonly parameters: readonly Parameter[];
  readonly likelihood: Likelihood | undefined;
}

/** Of an array in the second graph, which element of the first one each element is. */
export type Action = Int32Array;

/** How each variable's elements are read: by an action, or `blank` for elements that are not distinguished. */
export type Actions = (parameter: Parameter) => Action | "blank" | undefined;

/** Numbers of a predictor, and those of its rows in the other order. */
export interface ColumnPair {
  readonly own: Float64Array;
  readonly reordered: Float64Array;
}

function sameNumbers(a: Float64Array, b: Float64Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** An array of numbers that is known in both graphs, as it was met. */
export interface KnownPair {
  readonly node: NodeId;
  readonly shape: Shape;
  readonly twin: Twin;
  /** Whether both hold the same numbers, in whatever order. */
  readonly alike: boolean;
}

/** How symbols of a pair of nodes are made of those of pairs that come before it. */
interface Plan {
  readonly pairs: readonly (readonly [NodeId, NodeId])[];
  readonly make: (twins: readonly Twin[]) => Twin;
}

interface Planned extends Plan {
  readonly key: string;
}

function keyOf(a: NodeId, b: NodeId): string {
  return `${a} ${b}`;
}

/**
 * Symbols of nodes of two graphs. Nodes of data alone are compared by value; operations on random
 * variables are not carried out but named, so that no small effect is missed.
 */
export class TwinGraphs {
  /** Arrays of known numbers that have been met. */
  readonly known: KnownPair[] = [];
  readonly #known = new Map<string, Twin>();
  #twins = new Map<string, Twin>();
  #actions: Actions = () => undefined;
  /** Each graph by itself. */
  #alone: Readonly<Record<keyof Twin, TwinGraphs>> | undefined;

  /** @param rows how many rows the data have. */
  constructor(
    readonly first: RowModel,
    readonly second: RowModel,
    readonly rows: number,
    private readonly columns: readonly ColumnPair[],
    private readonly only?: keyof Twin,
  ) {}

  /** From here on variables' elements are read like this. */
  read(actions: Actions): void {
    this.#actions = actions;
    this.#twins = new Map();
    this.#alone = undefined;
  }

  /** Symbols of a node of the first graph and of its counterpart in the second. */
  of(a: NodeId, b: NodeId): Twin {
    const open: Planned[] = [this.#planned(a, b)];
    for (let last = open.at(-1); last; last = open.at(-1)) {
      const missing = last.pairs.find(([x, y]) => !this.#twins.has(keyOf(x, y)));
      if (missing) {
        open.push(this.#planned(...missing));
        continue;
      }
      open.pop();
      if (this.#twins.has(last.key)) continue;
      this.#twins.set(
        last.key,
        last.make(last.pairs.map((pair) => this.#twins.get(keyOf(...pair))!)),
      );
    }
    return this.#twins.get(keyOf(a, b))!;
  }

  #planned(a: NodeId, b: NodeId): Planned {
    return { key: keyOf(a, b), ...this.#plan(a, b) };
  }

  #plan(a: NodeId, b: NodeId): Plan {
    const [one, other] = [this.first.graph.nodes[a], this.second.graph.nodes[b]];
    if (one.kind === "reshape") return { pairs: [[one.args[0], b]], make: ([twin]) => twin };
    if (other.kind === "reshape") return { pairs: [[a, other.args[0]]], make: ([twin]) => twin };
    const [hostA, hostB] = [this.first.graph.isHost(a), this.second.graph.isHost(b)];
    if (hostA && hostB) return { pairs: [], make: () => this.#numbers(a, b) };
    const apart: Plan = { pairs: [], make: () => this.#apart(a, b) };
    if (hostA || hostB) return apart;
    const moved = this.#moved(a, b, one, other);
    if (moved) return moved;
    const alike = one.kind === other.kind && sameShape(one.shape, other.shape) &&
      one.args.length === other.args.length;
    return (alike ? this.#operation(one, other) : undefined) ?? apart;
  }

  /** Nodes that are computed differently: each is read by itself, and sums that were moved by rounding differ. */
  #apart(a: NodeId, b: NodeId): Twin {
    const { first, second, rows } = this;
    const make = (model: RowModel, side: keyof Twin) => {
      const alone = new TwinGraphs(model, model, rows, [], side);
      alone.read(this.#actions);
      return alone;
    };
    this.#alone ??= { first: make(first, "first"), second: make(second, "second") };
    return { first: this.#alone.first.of(a, a).first, second: this.#alone.second.of(b, b).second };
  }

  #numbers(a: NodeId, b: NodeId): Twin {
    const key = keyOf(a, b);
    const before = this.#known.get(key);
    if (before) return before;
    const [x, y] = [this.first.graph.valueOf(a), this.second.graph.valueOf(b)];
    if (!x || !y) throw new Error("internal: numbers that are known and have no value");
    const other = this.#column(x, y) ?? y;
    const found = sameShape(x.shape, y.shape) ? this.#symbols(x, other) : undefined;
    const twin = found ?? { first: symbolsByValue(x.values), second: symbolsByValue(y.values) };
    this.known.push({ node: a, shape: x.shape, twin, alike: found !== undefined });
    this.#known.set(key, twin);
    return twin;
  }

  /** Numbers of a text that are those of a column stand for the column. */
  #column({ values }: ArrayValue, other: ArrayValue): ArrayValue | undefined {
    if (values.length !== this.rows || !sameNumbers(values, other.values)) return undefined;
    const column = this.columns.find((one) => sameNumbers(one.own, values));
    return column && { shape: other.shape, values: column.reordered };
  }

  /** Tables of a few columns are compared by column: a large one must not hide a small one. */
  #symbols(x: ArrayValue, y: ArrayValue): Twin | undefined {
    if (x.values.length === 1) return oneNumber(x.values, y.values);
    const [n, m] = x.shape;
    const { rows } = this;
    const byColumn = x.shape.length === 2 && n !== m && (n === rows || m === rows);
    const parts = byColumn ? this.#byFibre(x, y, m === rows) : undefined;
    return parts ?? symbolsOfNumbers(squaredFactor(x), squaredFactor(y));
  }

  #byFibre(x: ArrayValue, y: ArrayValue, alongLast: boolean): Twin | undefined {
    const [n, m] = x.shape;
    const [count, length] = alongLast ? [n, m] : [m, n];
    const out = { first: new Int32Array(n * m), second: new Int32Array(n * m) };
    const at = (f: number, i: number) => alongLast ? f * m + i : i * m + f;
    for (let f = 0; f < count; f++) {
      const part = (values: Float64Array) =>
        Float64Array.from({ length }, (_, i) => values[at(f, i)]);
      const twin = symbolsOfNumbers(part(x.values), part(y.values));
      if (!twin) return undefined;
      for (let i = 0; i < length; i++) {
        out.first[at(f, i)] = twin.first[i];
        out.second[at(f, i)] = twin.second[i];
      }
    }
    return out;
  }

  /** Elements that only change places: the graphs need not move them in the same steps. */
  #moved(a: NodeId, b: NodeId, one: GraphNode, other: GraphNode): Plan | undefined {
    const [ways, otherWays] = [wayOf(this.first.graph, one), wayOf(this.second.graph, other)];
    if (!ways && !otherWays) return undefined;
    return {
      pairs: [[ways ? one.args[0] : a, otherWays ? other.args[0] : b]],
      make: ([source]) => ({
        first: ways ? movedBy(source.first, ways) : source.first,
        second: otherWays ? movedBy(source.second, otherWays) : source.second,
      }),
    };
  }

  #operation(one: GraphNode, other: GraphNode): Plan | undefined {
    const pairs = one.args.map((arg, k) => [arg, other.args[k]] as const);
    switch (one.kind) {
      case "parameter": {
        const twin = other.kind === "parameter"
          ? this.#parameter(one.parameter, other.parameter)
          : undefined;
        return twin && { pairs, make: () => twin };
      }
      case "column": {
        // The response, which only rows with an order may read: each of its rows is distinguished.
        const salt = symbolOf(`column ${one.column}`);
        const own = Int32Array.from({ length: sizeOf(one.shape) }, (_, i) => mix(salt, i));
        return { pairs, make: () => ({ first: own, second: own }) };
      }
      case "map":
        return other.kind === "map" && one.op === other.op ? this.#map(one, other) : undefined;
      case "join":
        return { pairs, make: joined };
      default: {
        if (describe(one) !== describe(other)) return undefined;
        const shapes = one.args.map((arg) => this.first.graph.shapeOf(arg));
        return {
          pairs,
          make: (args) => bothSides((side) => operate(one, args.map((twin) => twin[side]), shapes)),
        };
      }
    }
  }

  #parameter(k: number, l: number): Twin | undefined {
    const parameter = this.first.parameters[k];
    if (parameter.name !== this.second.parameters[l]?.name) return undefined;
    const size = sizeOf(parameter.shape);
    const salt = symbolOf(`parameter ${parameter.name}`);
    const action = this.#actions(parameter);
    const blank = action === "blank";
    const first = Int32Array.from({ length: size }, (_, i) => blank ? salt : mix(salt, i));
    const second = action === undefined || blank ? first : first.map((_, i) => first[action[i]]);
    if (this.only) {
      return this.only === "first" ? { first, second: first } : { first: second, second };
    }
    return { first, second };
  }

  #map(one: MapNode, other: MapNode): Plan {
    const { graph } = this.first;
    const swap = commutative.has(one.op) && !this.#matches(one.args, other.args) &&
      this.#matches(one.args, [...other.args].reverse());
    const others = swap ? [...other.args].reverse() : other.args;
    const shapes = one.args.map((arg) => graph.shapeOf(arg));
    return {
      pairs: one.args.map((arg, k) => [arg, others[k]] as const),
      make: (args) => bothSides((side) => mapped(one, args.map((twin) => twin[side]), shapes)),
    };
  }

  /** Whether arguments could be one another's counterparts. */
  #matches(args: readonly NodeId[], others: readonly NodeId[]): boolean {
    const label = (graph: GraphBuilder, id: NodeId) => {
      const node = graph.nodes[id];
      if (graph.isHost(id)) return `known ${node.shape}`;
      if (node.kind === "parameter") {
        const model = graph === this.first.graph ? this.first : this.second;
        return `parameter ${model.parameters[node.parameter].name}`;
      }
      return wayOf(graph, node) || node.kind === "reshape"
        ? "moved"
        : `${node.kind} ${node.kind === "map" ? node.op : ""} ${node.shape}`;
    };
    return args.every((arg, k) => {
      const [x, y] = [label(this.first.graph, arg), label(this.second.graph, others[k])];
      return x === y ||
        ((x === "moved" || y === "moved") && !x.startsWith("known") && !y.startsWith("known"));
    });
  }
}

/** A number is known by its value, wherever it stands. */
function oneNumber(x: Float64Array, y: Float64Array): Twin | undefined {
  return symbolsOfNumbers(x, y) && { first: symbolsByValue(x), second: symbolsByValue(x) };
}

/** Operation of a node apart from its arguments. */
function describe(node: GraphNode): string {
  switch (node.kind) {
    case "reduce":
      return `${node.op} over ${node.axes}`;
    case "scan":
      return `${node.op} along ${node.axis}`;
    case "solve":
      return `solve ${node.transposed}`;
    default:
      return node.kind;
  }
}

/** The flat places that elements are taken from, of a node that does nothing else. */
export function wayOf(graph: GraphBuilder, node: GraphNode): ArrayLike<number> | undefined {
  if (node.kind === "gather") return node.index;
  return node.kind === "take" ? graph.valueOf(node.args[1])?.values : undefined;
}

function movedBy(symbols: Int32Array, ways: ArrayLike<number>): Int32Array {
  return Int32Array.from({ length: ways.length }, (_, i) => ways[i] < 0 ? 0 : symbols[ways[i]]);
}

function joined(parts: readonly Twin[]): Twin {
  return bothSides((side) => {
    const out = new Int32Array(parts.reduce((sum, part) => sum + part[side].length, 0));
    let at = 0;
    for (const part of parts) {
      out.set(part[side], at);
      at += part[side].length;
    }
    return out;
  });
}

function bothSides(symbols: (side: keyof Twin) => Int32Array): Twin {
  return { first: symbols("first"), second: symbols("second") };
}

/** Numbers that leave the other one what it is: graphs leave such operations out. */
const units: Readonly<Record<string, number>> = {
  add: symbolOfNumber(0),
  sub: symbolOfNumber(0),
  mul: symbolOfNumber(1),
  div: symbolOfNumber(1),
  pow: symbolOfNumber(1),
};

/** Which argument an operation gives back as it is; −1 if neither. */
function keptBy(op: string, unit: number, a: number, b: number): number {
  if (b === unit) return 0;
  return a === unit && (op === "add" || op === "mul") ? 1 : -1;
}

/** Symbols of an elementwise operation; where order does not matter they do not depend on it. */
function mapped(node: MapNode, args: readonly Int32Array[], shapes: readonly Shape[]): Int32Array {
  const code = symbolOf(node.op);
  const size = sizeOf(node.shape);
  const read = args.map((symbols, k) => {
    if (symbols.length === 1) return () => symbols[0];
    if (sameShape(shapes[k], node.shape)) return (i: number) => symbols[i];
    const index = broadcastIndex(shapes[k], node.shape);
    return (i: number) => symbols[index[i]];
  });
  const out = new Int32Array(size);
  const unordered = commutative.has(node.op);
  const unit = units[node.op];
  for (let i = 0; i < size; i++) {
    const kept = unit === undefined ? -1 : keptBy(node.op, unit, read[0](i), read[1](i));
    if (kept >= 0) out[i] = read[kept](i);
    else {out[i] = unordered
        ? mix(code, (mix(1, read[0](i)) + mix(1, read[1](i))) | 0)
        : read.reduce((sum, one) => mix(sum, one(i)), code);}
  }
  return out;
}

/** Symbols of the operations that join elements. Sums know what they add, not in which order. */
function operate(
  node: GraphNode,
  args: readonly Int32Array[],
  shapes: readonly Shape[],
): Int32Array {
  const code = symbolOf(describe(node));
  const size = sizeOf(node.shape);
  switch (node.kind) {
    case "reduce":
      return reduced(code, args[0], shapes[0], node.axes, size);
    case "scan":
      return scanned(code, args[0], shapes[0], node.axis);
    case "scatter":
      return scattered(code, args[0], node.index, size);
    case "matmul":
      return multiplied(code, args[0], args[1], shapes[0], shapes[1]);
    case "solve":
      return multiplied(
        code,
        node.transposed ? transposed(args[0], shapes[0][0]) : args[0],
        args[1],
        shapes[0],
        shapes[1],
      );
    case "cholesky":
      return args[0].map((one) => mix(code, one));
    default: {
      // An element chosen by a random index: of this array, in this order.
      const all = args[0].reduce((sum, one, i) => (sum + mix(one, i)) | 0, code);
      return args[1].map((one) => mix(all, one));
    }
  }
}

function reduced(
  code: number,
  x: Int32Array,
  shape: Shape,
  axes: readonly number[],
  size: number,
): Int32Array {
  const out = new Int32Array(size);
  const strides = stridesOf(shape);
  const kept = shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  for (let i = 0; i < x.length; i++) {
    let to = 0;
    for (const axis of kept) to = to * shape[axis] + Math.floor(i / strides[axis]) % shape[axis];
    out[to] = (out[to] + mix(code, x[i])) | 0;
  }
  return out.map((one) => mix(code, one));
}

function scanned(code: number, x: Int32Array, shape: Shape, axis: number): Int32Array {
  const stride = stridesOf(shape)[axis];
  const out = new Int32Array(x.length);
  for (let i = 0; i < x.length; i++) {
    const first = Math.floor(i / stride) % shape[axis] === 0;
    out[i] = ((first ? code : out[i - stride]) + mix(code, x[i])) | 0;
  }
  return out;
}

function scattered(
  code: number,
  x: Int32Array,
  index: Int32Array,
  size: number,
): Int32Array {
  const out = new Int32Array(size);
  for (let i = 0; i < x.length; i++) {
    if (index[i] >= 0) out[index[i]] = (out[index[i]] + mix(code, x[i])) | 0;
  }
  return out;
}

/** Of [n, k] × [k, m]: a row and a column, whose elements are distinguished by all that they meet. */
function multiplied(
  code: number,
  a: Int32Array,
  b: Int32Array,
  [n, inner]: Shape,
  [, m]: Shape,
): Int32Array {
  const meets = new Int32Array(inner).fill(code);
  for (let i = 0; i < a.length; i++) meets[i % inner] = (meets[i % inner] + mix(2, a[i])) | 0;
  for (let j = 0; j < b.length; j++) {
    const k = Math.floor(j / m);
    meets[k] = (meets[k] + mix(3, b[j])) | 0;
  }
  const [rows, columns] = [new Int32Array(n), new Int32Array(m)];
  for (let i = 0; i < a.length; i++) {
    const row = Math.floor(i / inner);
    rows[row] = (rows[row] + mix(a[i], meets[i % inner])) | 0;
  }
  for (let j = 0; j < b.length; j++) {
    columns[j % m] = (columns[j % m] + mix(b[j], meets[Math.floor(j / m)])) | 0;
  }
  return Int32Array.from({ length: n * m }, (_, i) => mix(rows[Math.floor(i / m)], columns[i % m]));
}

function transposed(x: Int32Array, n: number): Int32Array {
  return x.map((_, i) => x[(i % n) * n + Math.floor(i / n)]);
}
