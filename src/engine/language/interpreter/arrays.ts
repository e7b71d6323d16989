/** Numbers and arrays while a program is checked: building them, and refusing what does not fit. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { BinaryOp, MapOp, TernaryOp, UnaryOp } from "../ir/operations.ts";
import { broadcastShapes, describeShape, sameShape, type Shape, sizeOf } from "../ir/shape.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import {
  describeValue,
  type Dtype,
  type FrameValue,
  type NumericValue,
  type Origin,
  touchesResponse,
  type Value,
} from "./values.ts";

const dtypes: readonly Dtype[] = ["bool", "int", "float"];

/** The widest kind of number among values. */
export function widest(...values: readonly NumericValue[]): Dtype {
  return widestOf(values);
}

/** The widest kind of number among values, of which there may be very many. */
export function widestOf(values: readonly NumericValue[]): Dtype {
  return dtypes[values.reduce((most, { dtype }) => Math.max(most, dtypes.indexOf(dtype)), 0)];
}

/** Origin whose rules the result of an operation follows. */
export function joinOrigins(...values: readonly NumericValue[]): Origin {
  const has = (origin: Origin) => values.some((value) => value.origin === origin);
  return has("tensor") ? "tensor" : has("series") ? "series" : has("numpy") ? "numpy" : "python";
}

/** Whether a number is known before sampling and is no tensor. */
export function isHost(value: NumericValue): boolean {
  return value.origin !== "tensor";
}

/** A number of Python. */
export function pythonNumber(checking: Checking, value: number, dtype: Dtype): NumericValue {
  const node = checking.graph.scalar(value);
  checking.graph.written.add(node);
  return { kind: "numeric", node, dtype, origin: "python" };
}

/** True or False. */
export function pythonBool(checking: Checking, value: boolean): NumericValue {
  return pythonNumber(checking, value ? 1 : 0, "bool");
}

/** An array of NumPy from numbers. */
export function hostArray(
  checking: Checking,
  values: Float64Array,
  shape: Shape,
  dtype: Dtype,
  place: Place,
): NumericValue {
  checking.allocate(values.length, place);
  const node = checking.graph.array(values, shape);
  return { kind: "numeric", node, dtype, origin: "numpy" };
}

/** Shape of a value. */
export function shapeOf(checking: Checking, value: NumericValue): Shape {
  return checking.graph.shapeOf(value.node);
}

/** Numbers of a value that is known before sampling. */
export function numbersOf(checking: Checking, value: NumericValue): Float64Array | undefined {
  return checking.graph.valueOf(value.node)?.values;
}

/** The one number of a value that is known before sampling. */
export function numberOf(checking: Checking, value: Value | undefined): number | undefined {
  if (value?.kind !== "numeric") return undefined;
  const numbers = numbersOf(checking, value);
  return numbers?.length === 1 ? numbers[0] : undefined;
}

/** A key of a dictionary: a text or a number. */
export function keyOf(checking: Checking, value: Value): string | number | undefined {
  if (value.kind === "text") return value.value;
  if (value.kind !== "numeric") return undefined;
  return checking.graph.constantOf(value.node);
}

/** Place and state of a call, for the function called. */
export interface CallSite {
  readonly checking: Checking;
  readonly place: Place;
  /** The function as it stands in the text. */
  readonly text: string;
}

/** The value as numbers, or an error that names its kind. Lists of numbers become arrays. */
export function numeric(
  checking: Checking,
  value: Value,
  place: Place,
  user: string,
  depth = 0,
): NumericValue | undefined {
  if (value.kind === "numeric" && value.dated) {
    const message = `Cannot use dates in ${user}: wanted numbers`;
    const hint = "make them numbers first: (x - x.min()).dt.days, x.dt.month";
    return void checking.error("names/wrong-kind", message, place, hint);
  }
  if (value.kind === "numeric" && value.gaps) return void refuseGaps(checking, value, place);
  if (value.kind === "numeric") return value;
  if (value.kind === "invalid") return undefined;
  if (value.kind === "sequence") return stackItems(checking, value.items, place, user, depth);
  if (value.kind === "frame") return matrixOf(checking, value, place);
  if (touchesResponse(value)) checking.refuseResponse(value, place);
  else refuseKind(checking, value, place, user);
  return undefined;
}

/** Reports that a column lacks values which the program has not filled. */
export function refuseGaps(checking: Checking, { gaps }: NumericValue, place: Place): Value {
  const row = gaps!.findIndex((gap) => gap > 0) + 1;
  const message = `Cannot use ${checking.text(place)}: row ${row} has no value`;
  const hint = "fill it before, x.fillna(x.median()), or leave such rows out: --missing drop";
  return checking.error("data/missing-values", message, place, hint);
}

/** The numbers of a frame as an array `[rows, columns]`. */
export function matrixOf(
  checking: Checking,
  { columns }: FrameValue,
  place: Place,
): NumericValue | undefined {
  const items = [...columns.values()];
  const known = items.find(touchesResponse);
  if (known) return void checking.refuseResponse(known, place);
  const stacked = stackItems(checking, items, place, "columns");
  if (!stacked) return undefined;
  const [count, rows] = shapeOf(checking, stacked);
  if (rows === undefined) return stacked;
  const index = Int32Array.from(
    { length: count * rows },
    (_, k) => k % count * rows + Math.floor(k / count),
  );
  const node = checking.graph.gather(stacked.node, index, [rows, count]);
  return fold(checking, { ...stacked, node });
}

function refuseKind(checking: Checking, value: Value, place: Place, user: string): void {
  const message = `Cannot use ${describeValue(value)} in ${user}: wanted a number or an array`;
  const code = value.kind === "ignored" ? "unsupported/value" : "names/wrong-kind";
  checking.error(code, message, place, hintFor(checking, value, place));
}

function hintFor(checking: Checking, value: Value, place: Place): string | undefined {
  if (value.kind === "builtin" || value.kind === "function" || value.kind === "method") {
    return `call it: ${checking.text(place)}(...)`;
  }
  if (value.kind === "ignored" && /\brandom\b/.test(value.of ?? "")) {
    return "write a random variable: a program has no random numbers of its own";
  }
  if (value.kind === "ignored") return "compute it beforehand, and give it as a column of the data";
  if (value.kind === "data") return 'name a column: data["name"]';
  return undefined;
}

/** Cost of an array beside its items: lists that share lists make very many. */
const costOfStack = 8;

/** `np.array([...])` of numbers, arrays and lists: all of one shape. */
export function stackItems(
  checking: Checking,
  items: readonly Value[],
  place: Place,
  user: string,
  depth = 0,
): NumericValue | undefined {
  checking.collect(items.length + costOfStack, place);
  checking.checkAxes(depth + 1, place);
  const parts: NumericValue[] = [];
  for (const item of items) {
    const part = numeric(checking, item, place, user, depth + 1);
    if (!part) return undefined;
    parts.push(part);
  }
  if (parts.length === 0) return hostArray(checking, new Float64Array(0), [0], "float", place);
  const first = shapeOf(checking, parts[0]);
  const other = parts.find((part) => !sameShape(shapeOf(checking, part), first));
  if (other) {
    const found = `${describeShape(first)} and ${describeShape(shapeOf(checking, other))}`;
    const message = `Cannot make an array of ${user}: its items have different shapes, ${found}`;
    checking.error("shapes/ragged", message, place);
    return undefined;
  }
  const origin = parts.some((part) => !isHost(part)) ? "tensor" : "numpy";
  const shape = [parts.length, ...first];
  checking.allocate(sizeOf(shape), place);
  const node = checking.graph.join(parts.map((part) => part.node), shape);
  return fold(checking, { kind: "numeric", node, dtype: widestOf(parts), origin });
}

/** Folds a value that is known before sampling into a constant: anything but elementwise maps of columns. */
export function fold(checking: Checking, value: NumericValue): NumericValue {
  const { graph } = checking;
  if (!graph.isHost(value.node) || graph.nodes[value.node].kind === "constant") return value;
  const node = graph.known(value.node);
  return node === undefined ? value : { ...value, node };
}

/** The shape to which values broadcast, or an error that names the first two that do not. */
export function broadcast(
  checking: Checking,
  values: readonly NumericValue[],
  place: Place,
): Shape | undefined {
  const shapes = values.map((value) => shapeOf(checking, value));
  const joined = broadcastShapes(...shapes);
  if (joined) return joined;
  const [a, b] = clashing(shapes);
  const message = `Cannot compute ${checking.text(place)}: ${describeShape(a)} and ` +
    `${describeShape(b)} do not broadcast`;
  checking.error("shapes/broadcast", message, place, broadcastHint(a, b));
  return undefined;
}

/** The first two shapes that do not broadcast. */
export function clashing(shapes: readonly Shape[]): [Shape, Shape] {
  for (const a of shapes) {
    for (const b of shapes) if (!broadcastShapes(a, b)) return [a, b];
  }
  return [shapes[0], shapes[shapes.length - 1]];
}

/** How two shapes that do not fit could be made to. */
function broadcastHint(a: Shape, b: Shape): string {
  if (a.length === 1 && b.length === 1) {
    return "arrays must have the same length; x[:, None] makes a table of all pairs";
  }
  return "shapes are compared from the last axis; each pair must be equal, or one of them 1";
}

/** Applies an elementwise operation under broadcasting, refusing what no real number comes of. */
export function applyMap(
  checking: Checking,
  op: MapOp,
  args: readonly NumericValue[],
  place: Place,
  dtype: Dtype,
): NumericValue | undefined {
  const shape = broadcast(checking, args, place);
  if (!shape) return undefined;
  checking.allocate(sizeOf(shape), place);
  const node = mapNode(checking.graph, op, args.map((arg) => arg.node));
  const result: NumericValue = {
    kind: "numeric",
    node,
    dtype,
    origin: joinOrigins(...args),
    ...keysOfParts(checking, args, node),
  };
  return finite(checking, result, args, place) ? result : undefined;
}

/** The keys that rows of a result have, as the parts of it had them. */
export function keysOfParts(checking: Checking, parts: readonly NumericValue[], node: NodeId) {
  const part = parts.find(({ keyed }) => keyed);
  const isSame = part && `${shapeOf(checking, part)}` === `${checking.graph.shapeOf(node)}`;
  return isSame && checking.graph.isHost(node) ? { keyed: part.keyed! } : {};
}

/** An elementwise operation on nodes whose shapes fit. */
export function mapNode(graph: GraphBuilder, op: MapOp, [a, b, c]: readonly NodeId[]): NodeId {
  if (c !== undefined) return graph.map(op as TernaryOp, a, b, c);
  return b !== undefined ? graph.map(op as BinaryOp, a, b) : graph.map(op as UnaryOp, a);
}

/** `-np.inf` is fine as a bound; infinities and NaN have no place in arithmetic. */
export function finite(
  checking: Checking,
  result: NumericValue,
  args: readonly NumericValue[],
  place: Place,
): boolean {
  const { graph } = checking;
  if (!graph.isHost(result.node)) return noInfiniteArgument(checking, args, place);
  const [only] = args;
  const bound = args.length === 1 && Math.abs(graph.constantOf(only.node) ?? 0) === Infinity;
  if (bound || isComparison(checking, result)) return true;
  const known = graph.valueOf(result.node);
  const bad = known?.values.findIndex((value) => !Number.isFinite(value)) ?? -1;
  if (!known || bad < 0) return noInfiniteArgument(checking, args, place);
  const infinite = args.some((arg) => Math.abs(graph.constantOf(arg.node) ?? 0) === Infinity);
  const why = infinite
    ? "infinity stands for a missing bound, not for a number"
    : (Number.isNaN(known.values[bad]) ? "it is not a real number" : "it is infinite") +
      describePosition(checking, known.shape, bad);
  const divisor = args.length === 2 ? graph.valueOf(args[1].node)?.values : undefined;
  const isArray = args.length === 2 && shapeOf(checking, args[0]).length > 0;
  const hint = isArray && divisor?.every((value) => value === 0)
    ? "a divisor is 0: a constant column has no spread"
    : undefined;
  checking.error("support/number", `Cannot compute ${checking.text(place)}: ${why}`, place, hint);
  return false;
}

function isComparison(checking: Checking, { node }: NumericValue): boolean {
  const found = checking.graph.nodes[node];
  return found.kind === "map" && (found.op === "where" || found.op === "is_nan");
}

function noInfiniteArgument(
  checking: Checking,
  args: readonly NumericValue[],
  place: Place,
): boolean {
  const { graph } = checking;
  if (!args.some((arg) => Math.abs(graph.constantOf(arg.node) ?? 0) === Infinity)) return true;
  const why = "infinity stands for a missing bound, not for a number";
  checking.error("support/number", `Cannot compute ${checking.text(place)}: ${why}`, place);
  return false;
}

/** ` in row 3`, ` at [2, 0]`, or nothing for a number. */
export function describePosition(checking: Checking, shape: Shape, flat: number): string {
  if (shape.length === 0) return "";
  if (shape.length === 1) {
    const rows = shape[0] === checking.dataset.rows;
    return rows ? ` in row ${flat + 1}` : ` at [${flat}]`;
  }
  const at: number[] = [];
  let rest = flat;
  for (const extent of [...shape].reverse()) {
    at.unshift(rest % extent);
    rest = Math.floor(rest / extent);
  }
  return ` at [${at.join(", ")}]`;
}

/** A value in the words of a message, with its shape. */
function describeFound(checking: Checking, value: Value): string {
  if (value.kind !== "numeric") return describeValue(value);
  if (!checking.graph.isHost(value.node)) return "a random variable";
  return `an array of ${describeShape(shapeOf(checking, value))}`;
}

/** A whole number known before sampling, or an error. */
export function wholeNumber(
  checking: Checking,
  value: Value | undefined,
  place: Place,
  what: string,
): number | undefined {
  if (value?.kind === "invalid") return undefined;
  if (value && touchesResponse(value)) {
    checking.refuseResponse(value, place);
    return undefined;
  }
  const found = numberOf(checking, value);
  if (found !== undefined && Number.isInteger(found)) return found;
  const described = found ?? (value ? describeFound(checking, value) : "nothing");
  const message = `Cannot use this ${what}: wanted a whole number known before sampling, ` +
    `found ${described}`;
  checking.error("names/wrong-kind", message, place);
  return undefined;
}
