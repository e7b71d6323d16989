/** Functions of NumPy, PyMC and PyTensor on whole arrays: sums, stacks, shapes. */
import type { ReduceOp } from "../graph/node.ts";
import { broadcastShapes, describeShape, type Shape, sizeOf } from "../graph/shape.ts";
import {
  applyMap,
  fold,
  hostArray,
  isHost,
  numberOf,
  numeric,
  pythonNumber,
  shapeOf,
  stackItems,
  wholeNumber,
  widest,
} from "./arrays.ts";
import type { GivenValue } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { matrixMultiply, permute, transpose } from "./linear_algebra.ts";
import type { Place } from "./source.ts";
import type { Dtype, NumericValue, Value } from "./values.ts";

/** Arguments of one call by name. */
export type Bound = ReadonlyMap<string, GivenValue>;

/** What a function needs to know of its call. */
export interface CallSite {
  readonly checking: Checking;
  readonly place: Place;
  /** The function as it stands in the text. */
  readonly text: string;
}

/** A function of arrays: its signature and its meaning; undefined after a finding. */
export interface ArrayFunction {
  readonly names: readonly string[];
  readonly required: number;
  readonly keywordOnly?: readonly string[];
  readonly ignored?: readonly string[];
  readonly apply: (site: CallSite, bound: Bound) => Value | undefined;
}

/** An argument as an array. */
export function arrayArgument(
  site: CallSite,
  bound: Bound,
  name: string,
): NumericValue | undefined {
  const given = bound.get(name);
  return given && numeric(site.checking, given.value, given.place, site.text);
}

/** An argument as a whole number; `fallback` where it is left out or None. */
export function wholeArgument(
  site: CallSite,
  bound: Bound,
  name: string,
  fallback: number,
): number | undefined {
  const given = bound.get(name);
  if (!given || given.value.kind === "none") return fallback;
  return wholeNumber(site.checking, given.value, given.place, name);
}

/** An argument as a truth. */
export function flagArgument(
  site: CallSite,
  bound: Bound,
  name: string,
  fallback: boolean,
): boolean {
  const found = numberOf(site.checking, bound.get(name)?.value);
  return found === undefined ? fallback : found !== 0;
}

/** Axes of an argument `axis`, counted from 0; undefined with a finding if there are no such axes. */
export function axesArgument(
  site: CallSite,
  bound: Bound,
  shape: Shape,
  name = "axis",
): number[] | undefined {
  const given = bound.get(name);
  if (!given || given.value.kind === "none") return shape.map((_, i) => i);
  const values = given.value.kind === "sequence" ? given.value.items : [given.value];
  const axes: number[] = [];
  for (const value of values) {
    const axis = wholeNumber(site.checking, value, given.place, name);
    if (axis === undefined) return undefined;
    if (axis < -shape.length || axis >= shape.length) {
      const message = `Cannot call ${site.text} over axis ${axis} of ${describeShape(shape)}`;
      const last = shape.length - 1;
      const hint = shape.length === 0 ? "leave axis= out" : `axes are counted from 0 to ${last}`;
      site.checking.error("shapes/axis", message, given.place, hint);
      return undefined;
    }
    axes.push(axis < 0 ? axis + shape.length : axis);
  }
  return [...new Set(axes)];
}

function oneAxis(site: CallSite, bound: Bound, shape: Shape, fallback: number): number | undefined {
  if (!bound.has("axis")) return fallback < 0 ? fallback + shape.length : fallback;
  return axesArgument(site, bound, shape)?.[0];
}

/** A reduction of the graph over `axis`, with `keepdims`. */
export function reduceArray(
  site: CallSite,
  bound: Bound,
  op: ReduceOp,
  dtype: (x: NumericValue) => Dtype,
  keepByDefault = false,
): NumericValue | undefined {
  const x = arrayArgument(site, bound, "a");
  const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
  if (!x || !axes) return undefined;
  return reduceOver(
    site,
    x,
    op,
    axes,
    flagArgument(site, bound, "keepdims", keepByDefault),
    dtype(x),
  );
}

/** A reduction over axes. */
export function reduceOver(
  site: CallSite,
  x: NumericValue,
  op: ReduceOp,
  axes: readonly number[],
  keep: boolean,
  dtype: Dtype,
): NumericValue | undefined {
  const { graph } = site.checking;
  const shape = shapeOf(site.checking, x);
  if (axes.some((axis) => shape[axis] === 0) && op !== "sum" && op !== "prod") {
    const message = `Cannot call ${site.text} on an empty array`;
    return void site.checking.error("shapes/empty", message, site.place);
  }
  const reduced = graph.reduce(op, x.node, axes);
  const kept = shape.map((extent, i) => (axes.includes(i) ? 1 : extent));
  const node = keep ? graph.reshape(reduced, kept) : reduced;
  const origin = x.origin === "tensor" ? "tensor" : "numpy";
  return fold(site.checking, { kind: "numeric", node, dtype, origin });
}

const counted = (x: NumericValue): Dtype => x.dtype === "bool" ? "int" : x.dtype;

/** Sum over axes divided by their size. */
export function meanOver(
  site: CallSite,
  x: NumericValue,
  axes: readonly number[],
  keep: boolean,
  lost = 0,
): NumericValue | undefined {
  const shape = shapeOf(site.checking, x);
  const count = sizeOf(axes.map((axis) => shape[axis])) - lost;
  const total = reduceOver(site, x, "sum", axes, keep, "float");
  const divisor = pythonNumber(site.checking, count, "int");
  const mean = total && applyMap(site.checking, "div", [total, divisor], site.place, "float");
  return mean && fold(site.checking, mean);
}

/** Mean squared distance from the mean; the divisor is the size − ddof. */
export function varianceOver(
  site: CallSite,
  x: NumericValue,
  axes: readonly number[],
  keep: boolean,
  ddof: number,
): NumericValue | undefined {
  const { checking, place } = site;
  const mean = meanOver(site, x, axes, true);
  const gap = mean && applyMap(checking, "sub", [x, mean], place, "float");
  const square = gap && applyMap(checking, "mul", [gap, gap], place, "float");
  return square && meanOver(site, square, axes, keep, ddof);
}

function moments(kind: "mean" | "var" | "std"): ArrayFunction {
  return {
    names: ["a", "axis"],
    required: 1,
    keywordOnly: kind === "mean" ? ["keepdims"] : ["keepdims", "ddof"],
    ignored: ["dtype"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
      const ddof = wholeArgument(site, bound, "ddof", 0);
      if (!x || !axes || ddof === undefined) return undefined;
      const keep = flagArgument(site, bound, "keepdims", false);
      if (kind === "mean") return meanOver(site, x, axes, keep);
      const variance = varianceOver(site, x, axes, keep, ddof);
      if (!variance || kind === "var") return variance;
      const root = applyMap(site.checking, "sqrt", [variance], site.place, "float");
      return root && fold(site.checking, root);
    },
  };
}

function reduction(op: ReduceOp, dtype: (x: NumericValue) => Dtype): ArrayFunction {
  return {
    names: ["a", "axis"],
    required: 1,
    keywordOnly: ["keepdims"],
    ignored: ["dtype"],
    apply: (site, bound) => reduceArray(site, bound, op, dtype),
  };
}

function logic(op: ReduceOp): ArrayFunction {
  return reduction(op, () => "bool");
}

function scan(op: "cumsum" | "cumprod"): ArrayFunction {
  return {
    names: ["a", "axis"],
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      if (!x) return undefined;
      const shape = shapeOf(site.checking, x);
      const flat = bound.has("axis")
        ? x.node
        : site.checking.graph.reshape(x.node, [sizeOf(shape)]);
      const axis = bound.has("axis") ? oneAxis(site, bound, shape, 0) : 0;
      if (axis === undefined) return undefined;
      const node = site.checking.graph.scan(op, flat, axis);
      return fold(site.checking, { ...x, node, dtype: counted(x) });
    },
  };
}

/** log Σ exp(x) over axes, shifted by the greatest. */
function logSumExp(keepByDefault: boolean): ArrayFunction {
  return {
    names: ["a", "axis"],
    required: 1,
    keywordOnly: ["keepdims"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
      if (!x || !axes) return undefined;
      return logSumOver(site, x, axes, flagArgument(site, bound, "keepdims", keepByDefault));
    },
  };
}

function logSumOver(
  site: CallSite,
  x: NumericValue,
  axes: readonly number[],
  keep: boolean,
): NumericValue | undefined {
  const { graph } = site.checking;
  const top = reduceOver(site, x, "max", axes, true, "float");
  if (!top) return undefined;
  const total = graph.reduce("sum", graph.exp(graph.sub(x.node, top.node)), axes);
  const kept = graph.add(graph.log(graph.reshape(total, shapeOf(site.checking, top))), top.node);
  const shape = shapeOf(site.checking, x).filter((_, i) => !axes.includes(i));
  const node = keep ? kept : graph.reshape(kept, shape);
  return fold(site.checking, { ...x, node, dtype: "float" });
}

function softmax(log: boolean): ArrayFunction {
  return {
    names: ["a", "axis"],
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const axes = x && axesArgument(site, bound, shapeOf(site.checking, x));
      const total = x && axes && logSumOver(site, x, axes, true);
      const shifted = total && applyMap(site.checking, "sub", [x, total], site.place, "float");
      if (!shifted || log) return shifted;
      return applyMap(site.checking, "exp", [shifted], site.place, "float");
    },
  };
}

/** Items of an argument that must be a list, a tuple, or an array taken apart. */
function itemsArgument(site: CallSite, bound: Bound, name: string): NumericValue[] | undefined {
  const given = bound.get(name);
  if (!given) return undefined;
  const { checking } = site;
  if (given.value.kind !== "sequence") {
    const message = `Cannot call ${site.text}: wanted a list of arrays`;
    const hint = `write ${site.text}([a, b])`;
    checking.error("names/wrong-kind", message, given.place, hint);
    return undefined;
  }
  const items: NumericValue[] = [];
  for (const item of given.value.items) {
    const number = numeric(checking, item, given.place, site.text);
    if (!number) return undefined;
    items.push(number);
  }
  if (items.length > 0) return items;
  return void checking.error(
    "shapes/empty",
    `Cannot call ${site.text} on an empty list`,
    given.place,
  );
}

/** Arrays of one shape along a new axis. */
export function stackArrays(
  site: CallSite,
  items: readonly NumericValue[],
  axis: number,
): NumericValue | undefined {
  const stacked = stackItems(site.checking, items, site.place, site.text);
  if (!stacked) return undefined;
  const rank = shapeOf(site.checking, stacked).length;
  const at = axis < 0 ? axis + rank : axis;
  if (at === 0) return stacked;
  if (at < 0 || at >= rank) return refuseAxis(site, axis, shapeOf(site.checking, items[0]));
  const order = Array.from({ length: rank }, (_, i) => (i < at ? i + 1 : i === at ? 0 : i));
  return permute(site.checking, stacked, order, site.place);
}

function refuseAxis(site: CallSite, axis: number, shape: Shape): undefined {
  const message = `Cannot call ${site.text} along axis ${axis} of ${describeShape(shape)}`;
  site.checking.error("shapes/axis", message, site.place);
}

/** Arrays one after another along an axis; all other axes must agree. */
export function concatenateArrays(
  site: CallSite,
  items: readonly NumericValue[],
  axis: number,
): NumericValue | undefined {
  const { checking } = site;
  const shapes = items.map((item) => shapeOf(checking, item));
  const [first] = shapes;
  const at = axis < 0 ? axis + first.length : axis;
  if (at < 0 || at >= first.length) return refuseAxis(site, axis, first);
  const other = shapes.find((shape) =>
    shape.length !== first.length || shape.some((extent, i) => i !== at && extent !== first[i])
  );
  if (other) {
    const message =
      `Cannot call ${site.text}: ${describeShape(first)} and ${describeShape(other)} ` +
      `do not fit along axis ${at}`;
    return void checking.error("shapes/concatenate", message, site.place);
  }
  const moved = items.map((item, i) => toFront(site, item, at, shapes[i]));
  const total = shapes.reduce((sum, shape) => sum + shape[at], 0);
  const rest = first.filter((_, i) => i !== at);
  checking.allocate(total * sizeOf(rest), site.place);
  const node = checking.graph.join(moved.map((item) => item.node), [total, ...rest]);
  const joined: NumericValue = {
    kind: "numeric",
    node,
    dtype: widest(...items),
    origin: tensorOrNumpy(items),
  };
  if (at === 0) return fold(checking, joined);
  const order = first.map((_, i) => (i < at ? i + 1 : i === at ? 0 : i));
  return permute(checking, joined, order, site.place);
}

function tensorOrNumpy(items: readonly NumericValue[]): "tensor" | "numpy" {
  return items.some((item) => !isHost(item)) ? "tensor" : "numpy";
}

function toFront(site: CallSite, item: NumericValue, axis: number, shape: Shape): NumericValue {
  if (axis === 0) return item;
  const order = [axis, ...shape.keys().filter((i) => i !== axis)];
  return permute(site.checking, item, order, site.place);
}

const stack: ArrayFunction = {
  names: ["arrays", "axis"],
  required: 1,
  apply: (site, bound) => {
    const given = bound.get("arrays");
    if (given?.value.kind === "numeric") return given.value;
    const items = itemsArgument(site, bound, "arrays");
    const axis = items && wholeArgument(site, bound, "axis", 0);
    return items && axis !== undefined ? stackArrays(site, items, axis) : undefined;
  },
};

const concatenate: ArrayFunction = {
  names: ["arrays", "axis"],
  required: 1,
  apply: (site, bound) => {
    const items = itemsArgument(site, bound, "arrays");
    const axis = items && wholeArgument(site, bound, "axis", 0);
    return items && axis !== undefined ? concatenateArrays(site, items, axis) : undefined;
  },
};

function asRank(site: CallSite, x: NumericValue, make: (shape: Shape) => Shape): NumericValue {
  const { graph } = site.checking;
  return { ...x, node: graph.reshape(x.node, make(shapeOf(site.checking, x))) };
}

/** `vstack`, `hstack`, `column_stack`: joins of lists whose vectors are first made tables. */
function tableStack(kind: "vstack" | "hstack" | "column_stack"): ArrayFunction {
  return {
    names: ["tup"],
    required: 1,
    apply: (site, bound) => {
      const items = itemsArgument(site, bound, "tup");
      if (!items) return undefined;
      const flat = items.every((item) => shapeOf(site.checking, item).length <= 1);
      const made = items.map((item) =>
        asRank(site, item, (shape) => {
          if (shape.length >= 2) return shape;
          if (kind === "hstack") return shape.length === 0 ? [1] : shape;
          return kind === "vstack" ? [1, shape[0] ?? 1] : [shape[0] ?? 1, 1];
        })
      );
      const axis = kind === "vstack" || (kind === "hstack" && flat) ? 0 : 1;
      return concatenateArrays(site, made, axis);
    },
  };
}

/** A shape argument: a number or a tuple; −1 stands for what is left, where it is `open`. */
export function shapeArgument(
  site: CallSite,
  given: GivenValue,
  open = false,
): number[] | undefined {
  const { checking } = site;
  const items = given.value.kind === "sequence" ? given.value.items : undefined;
  const shape: number[] = [];
  for (const item of items ?? [given.value]) {
    const extent = wholeNumber(checking, item, given.place, "shape");
    if (extent === undefined) return undefined;
    shape.push(extent);
  }
  const negative = shape.find((extent) => extent < (open ? -1 : 0));
  if (negative === undefined) return shape;
  const message = `Cannot use the shape (${shape.join(", ")}): ${negative} is negative`;
  return void checking.error("shapes/shape", message, given.place);
}

function filled(value: number | "fill_value"): ArrayFunction {
  const names = value === "fill_value" ? ["shape", "fill_value"] : ["shape"];
  return {
    names,
    required: names.length,
    ignored: ["dtype", "order"],
    apply: (site, bound) => {
      const given = bound.get("shape");
      const shape = given && shapeArgument(site, given);
      return shape && fill(site, bound, value, shape);
    },
  };
}

function filledLike(value: number | "fill_value"): ArrayFunction {
  const names = value === "fill_value" ? ["a", "fill_value"] : ["a"];
  return {
    names,
    required: names.length,
    ignored: ["dtype"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      return x && fill(site, bound, value, shapeOf(site.checking, x));
    },
  };
}

function fill(
  site: CallSite,
  bound: Bound,
  value: number | "fill_value",
  shape: Shape,
): NumericValue | undefined {
  const { checking, place } = site;
  checking.allocate(sizeOf(shape), place);
  if (value !== "fill_value") {
    return hostArray(checking, new Float64Array(sizeOf(shape)).fill(value), shape, "float", place);
  }
  const x = arrayArgument(site, bound, "fill_value");
  return x && broadcastTo(site, x, shape);
}

/** The array repeated along new or unit axes. */
export function broadcastTo(
  site: CallSite,
  x: NumericValue,
  shape: Shape,
): NumericValue | undefined {
  const { checking, place } = site;
  const from = shapeOf(checking, x);
  if (`${broadcastShapes(from, shape)}` !== `${shape}`) {
    const message = `Cannot broadcast ${describeShape(from)} to ${describeShape(shape)}`;
    return void checking.error("shapes/broadcast", message, place);
  }
  checking.allocate(sizeOf(shape), place);
  const origin = x.origin === "tensor" ? "tensor" : "numpy";
  return fold(checking, { ...x, origin, node: checking.graph.broadcast(x.node, shape) });
}

/** The same elements under another shape; one −1 stands for what is left. */
export function reshapeArray(
  site: CallSite,
  x: NumericValue,
  wanted: readonly number[],
): NumericValue | undefined {
  const { checking } = site;
  const from = shapeOf(checking, x);
  const size = sizeOf(from);
  const rest = sizeOf(wanted.filter((extent) => extent !== -1));
  const unknown = wanted.filter((extent) => extent === -1).length;
  const shape = wanted.map((extent) => (extent === -1 ? size / rest : extent));
  if (unknown > 1 || sizeOf(shape) !== size || !shape.every(Number.isInteger)) {
    const message = `Cannot reshape an array of ${describeShape(from)} to (${wanted.join(", ")})`;
    return void checking.error("shapes/reshape", message, site.place, `there are ${size} elements`);
  }
  return { ...x, node: checking.graph.reshape(x.node, shape) };
}

const reshape: ArrayFunction = {
  names: ["a", "shape"],
  required: 2,
  ignored: ["ndim"],
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const given = bound.get("shape");
    const shape = x && given && shapeArgument(site, given, true);
    return shape && reshapeArray(site, x, shape);
  },
};

const flatten: ArrayFunction = {
  names: ["a"],
  required: 1,
  ignored: ["ndim"],
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    return x && asRank(site, x, (shape) => [sizeOf(shape)]);
  },
};

const expandDims: ArrayFunction = {
  names: ["a", "axis"],
  required: 2,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const axis = wholeArgument(site, bound, "axis", 0);
    if (!x || axis === undefined) return undefined;
    const from = shapeOf(site.checking, x);
    const at = axis < 0 ? axis + from.length + 1 : axis;
    if (at < 0 || at > from.length) return refuseAxis(site, axis, from);
    return asRank(site, x, (shape) => [...shape.slice(0, at), 1, ...shape.slice(at)]);
  },
};

const squeeze: ArrayFunction = {
  names: ["a"],
  required: 1,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    return x && asRank(site, x, (shape) => shape.filter((extent) => extent !== 1));
  },
};

const transposeFunction: ArrayFunction = {
  names: ["a"],
  required: 1,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    return x && transpose(site.checking, x, site.place);
  },
};

function product(dot: boolean): ArrayFunction {
  return {
    names: ["a", "b"],
    required: 2,
    apply: (site, bound) => {
      const a = arrayArgument(site, bound, "a");
      const b = a && arrayArgument(site, bound, "b");
      return b && matrixMultiply(site.checking, a, b, site.place, dot);
    },
  };
}

const outer: ArrayFunction = {
  names: ["a", "b"],
  required: 2,
  apply: (site, bound) => {
    const a = arrayArgument(site, bound, "a");
    const b = a && arrayArgument(site, bound, "b");
    if (!b) return undefined;
    const column = asRank(site, a, (shape) => [sizeOf(shape), 1]);
    const row = asRank(site, b, (shape) => [sizeOf(shape)]);
    const made = applyMap(site.checking, "mul", [column, row], site.place, widest(a, b));
    return made && fold(site.checking, made);
  },
};

const broadcastToFunction: ArrayFunction = {
  names: ["a", "shape"],
  required: 2,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const given = bound.get("shape");
    const shape = x && given && shapeArgument(site, given);
    return shape && broadcastTo(site, x, shape);
  },
};

/** `repeat(x, n)`: each element n times, or as often as an array says. */
const repeat: ArrayFunction = {
  names: ["a", "repeats", "axis"],
  required: 2,
  apply: (site, bound) => {
    const { checking } = site;
    const x = arrayArgument(site, bound, "a");
    const counts = x && arrayArgument(site, bound, "repeats");
    const times = counts && checking.graph.valueOf(counts.node);
    if (!x || !counts) return undefined;
    const shape = shapeOf(checking, x);
    const axis = bound.has("axis") && bound.get("axis")?.value.kind !== "none"
      ? oneAxis(site, bound, shape, 0)
      : undefined;
    const flat = axis === undefined ? asRank(site, x, (from) => [sizeOf(from)]) : x;
    const along = axis ?? 0;
    const extent = shapeOf(checking, flat)[along];
    const fits = times && (times.values.length === 1 || times.values.length === extent);
    if (!times || !fits || !times.values.every((n) => Number.isInteger(n) && n >= 0)) {
      const message =
        `Cannot call ${site.text}: wanted one whole number, or one for each of ${extent}`;
      return void checking.error("shapes/repeat", message, site.place);
    }
    const count = (i: number) => times.values[times.values.length === 1 ? 0 : i];
    checking.allocate(
      Array.from({ length: extent }, (_, i) => count(i)).reduce((a, b) => a + b, 0),
      site.place,
    );
    const positions = Array.from({ length: extent }, (_, i) => new Array<number>(count(i)).fill(i));
    return takeAlong(site, flat, along, positions.flat());
  },
};

/** Elements at positions along one axis. */
export function takeAlong(
  site: CallSite,
  x: NumericValue,
  axis: number,
  positions: readonly number[],
): NumericValue {
  const { checking } = site;
  const from = shapeOf(checking, x);
  const to = from.map((extent, i) => (i === axis ? positions.length : extent));
  const inner = sizeOf(from.slice(axis + 1));
  const size = sizeOf(to);
  checking.allocate(size, site.place);
  const index = new Int32Array(size);
  for (let flat = 0; flat < size; flat++) {
    const k = Math.floor(flat / inner) % positions.length;
    const block = Math.floor(flat / (inner * positions.length));
    index[flat] = (block * from[axis] + positions[k]) * inner + flat % inner;
  }
  const origin = x.origin === "tensor" ? "tensor" : "numpy";
  return fold(checking, { ...x, origin, node: checking.graph.gather(x.node, index, to) });
}

/** `tile(x, n)`, `tile(x, (n, m))`. */
const tile: ArrayFunction = {
  names: ["a", "reps"],
  required: 2,
  apply: (site, bound) => {
    const x = arrayArgument(site, bound, "a");
    const given = bound.get("reps");
    const reps = x && given && shapeArgument(site, given);
    if (!x || !reps) return undefined;
    let tiled = asRank(site, x, (shape) => [
      ...new Array<number>(Math.max(0, reps.length - shape.length)).fill(1),
      ...shape,
    ]);
    const rank = shapeOf(site.checking, tiled).length;
    for (const [i, times] of reps.entries()) {
      const axis = rank - reps.length + i;
      const extent = shapeOf(site.checking, tiled)[axis];
      site.checking.allocate(extent * times, site.place);
      const positions = Array.from({ length: extent * times }, (_, k) => k % extent);
      tiled = takeAlong(site, tiled, axis, positions);
    }
    return tiled;
  },
};

/** `diff(x)`: neighbours' differences along the last axis. */
const diff: ArrayFunction = {
  names: ["a", "n", "axis"],
  required: 1,
  apply: (site, bound) => {
    const { checking, place } = site;
    let x = arrayArgument(site, bound, "a");
    const order = wholeArgument(site, bound, "n", 1);
    if (!x || order === undefined) return undefined;
    const axis = oneAxis(site, bound, shapeOf(checking, x), -1);
    if (axis === undefined) return undefined;
    for (let i = 0; i < order && x; i++) {
      const extent = shapeOf(checking, x)[axis] ?? 0;
      const below = Array.from({ length: Math.max(0, extent - 1) }, (_, k) => k);
      const [low, high] = [below, below.map((k) => k + 1)].map((at) =>
        takeAlong(site, x!, axis, at)
      );
      x = applyMap(checking, "sub", [high, low], place, widest(x));
    }
    return x && fold(checking, x);
  },
};

/** `diag(x)`: a matrix from a vector, the diagonal of a matrix. */
const diag: ArrayFunction = {
  names: ["a"],
  required: 1,
  apply: (site, bound) => {
    const { checking } = site;
    const x = arrayArgument(site, bound, "a");
    if (!x) return undefined;
    const shape = shapeOf(checking, x);
    const n = shape.length === 2 ? Math.min(...shape) : shape[0] ?? 1;
    const vector = shape.length < 2;
    checking.allocate(vector ? n * n : n, site.place);
    const index = vector
      ? Int32Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? i / (n + 1) : -1))
      : Int32Array.from({ length: n }, (_, i) => i * shape[1] + i);
    const node = checking.graph.gather(x.node, index, vector ? [n, n] : [n]);
    return fold(checking, { ...x, node });
  },
};

const eye: ArrayFunction = {
  names: ["n"],
  required: 1,
  ignored: ["dtype"],
  apply: (site, bound) => {
    const n = wholeArgument(site, bound, "n", 0);
    if (n === undefined || n < 0) return undefined;
    site.checking.allocate(n * n, site.place);
    const values = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    return hostArray(site.checking, values, [n, n], "float", site.place);
  },
};

/** `tril(x)`, `triu(x)`: zeros above or below the diagonal. */
function triangle(lower: boolean): ArrayFunction {
  return {
    names: ["a", "k"],
    required: 1,
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      const k = wholeArgument(site, bound, "k", 0);
      if (!x || k === undefined) return undefined;
      const shape = shapeOf(site.checking, x);
      if (shape.length !== 2) return refuseAxis(site, 1, shape);
      const index = Int32Array.from({ length: sizeOf(shape) }, (_, flat) => {
        const above = flat % shape[1] - Math.floor(flat / shape[1]);
        return (lower ? above <= k : above >= k) ? flat : -1;
      });
      return fold(site.checking, { ...x, node: site.checking.graph.gather(x.node, index, shape) });
    },
  };
}

/** `arange(stop)`, `arange(start, stop, step)`. */
const arange: ArrayFunction = {
  names: ["start", "stop", "step"],
  required: 1,
  ignored: ["dtype"],
  apply: (site, bound) => {
    const { checking, place } = site;
    const given = ["start", "stop", "step"].map((name) => bound.get(name));
    const numbers = given.map((one) => numberOf(checking, one?.value));
    if (given.some((one, i) => one && one.value.kind !== "none" && numbers[i] === undefined)) {
      const message = `Cannot call ${site.text}: wanted numbers known before sampling`;
      return void checking.error("names/wrong-kind", message, place);
    }
    const single = numbers[1] === undefined;
    const [start, stop, step] = single
      ? [0, numbers[0] ?? 0, numbers[2] ?? 1]
      : [numbers[0] ?? 0, numbers[1] ?? 0, numbers[2] ?? 1];
    const length = step === 0 ? NaN : Math.max(0, Math.ceil((stop - start) / step));
    if (!Number.isFinite(length)) {
      return void checking.error(
        "support/number",
        `Cannot call ${site.text}: the step is 0`,
        place,
      );
    }
    checking.allocate(length, place);
    const values = Float64Array.from({ length }, (_, i) => start + i * step);
    const whole = [start, step].every(Number.isInteger) &&
      given.every((one) => one?.value.kind !== "numeric" || one.value.dtype !== "float");
    return hostArray(checking, values, [length], whole ? "int" : "float", place);
  },
};

const linspace: ArrayFunction = {
  names: ["start", "stop", "num"],
  required: 2,
  ignored: ["endpoint", "dtype"],
  apply: (site, bound) => {
    const { checking, place } = site;
    const start = numberOf(checking, bound.get("start")?.value);
    const stop = numberOf(checking, bound.get("stop")?.value);
    const count = wholeArgument(site, bound, "num", 50);
    if (start === undefined || stop === undefined || count === undefined || count < 0) {
      const message = `Cannot call ${site.text}: wanted numbers known before sampling`;
      return void checking.error("names/wrong-kind", message, place);
    }
    checking.allocate(count, place);
    const step = (stop - start) / Math.max(1, count - 1);
    const at = (i: number) => i === count - 1 && i > 0 ? stop : start + i * step;
    return hostArray(
      checking,
      Float64Array.from({ length: count }, (_, i) => at(i)),
      [count],
      "float",
      place,
    );
  },
};

/** `np.array(x)`, `pt.as_tensor(x)`. */
function asArray(tensor: boolean): ArrayFunction {
  return {
    names: ["a", "dtype"],
    required: 1,
    ignored: ["name", "ndim", "copy", "order"],
    apply: (site, bound) => {
      const x = arrayArgument(site, bound, "a");
      if (!x) return undefined;
      if (tensor) return { ...x, origin: "tensor" };
      const dtype = bound.get("dtype")?.value;
      const made: NumericValue = { ...x, origin: x.origin === "tensor" ? "tensor" : "numpy" };
      return dtype ? castArray(site, made, dtype) : made;
    },
  };
}

/** `.astype(int)`: truncates towards zero; `float` and `bool` likewise. */
export function castArray(site: CallSite, x: NumericValue, type: Value): NumericValue | undefined {
  const name = type.kind === "text" ? type.value : type.kind === "builtin" ? type.name : "";
  const kind = /^u?int/.test(name) ? "int" : /^(float|double)/.test(name) ? "float" : name;
  if (kind === "float" || kind === "floatX") return { ...x, dtype: "float" };
  if (kind === "bool" || kind === "bool_") {
    const zero = pythonNumber(site.checking, 0, "int");
    return applyMap(site.checking, "ne", [x, zero], site.place, "bool");
  }
  if (kind === "str" || kind === "category" || kind === "object") return x;
  if (kind !== "int") {
    const message = "Cannot convert an array to this type: wanted int, float or bool";
    return void site.checking.error("names/wrong-kind", message, site.place);
  }
  const known = site.checking.graph.valueOf(x.node);
  if (known?.values.every(Number.isInteger)) return { ...x, dtype: "int" };
  const { checking, place } = site;
  const size = applyMap(checking, "abs", [x], place, "float");
  const down = size && applyMap(checking, "floor", [size], place, "float");
  const sign = down && applyMap(checking, "sign", [x], place, "float");
  return sign && applyMap(checking, "mul", [down, sign], place, "int");
}

/** Functions that NumPy and PyTensor share. */
const shared: Readonly<Record<string, ArrayFunction>> = {
  sum: reduction("sum", counted),
  prod: reduction("prod", counted),
  max: reduction("max", (x) => x.dtype),
  min: reduction("min", (x) => x.dtype),
  amax: reduction("max", (x) => x.dtype),
  amin: reduction("min", (x) => x.dtype),
  any: logic("max"),
  all: logic("min"),
  mean: moments("mean"),
  var: moments("var"),
  std: moments("std"),
  cumsum: scan("cumsum"),
  cumprod: scan("cumprod"),
  dot: product(true),
  matmul: product(false),
  outer,
  stack,
  concatenate,
  hstack: tableStack("hstack"),
  vstack: tableStack("vstack"),
  column_stack: tableStack("column_stack"),
  zeros: filled(0),
  ones: filled(1),
  empty: filled(0),
  full: filled("fill_value"),
  zeros_like: filledLike(0),
  ones_like: filledLike(1),
  full_like: filledLike("fill_value"),
  reshape,
  flatten,
  ravel: flatten,
  expand_dims: expandDims,
  squeeze,
  transpose: transposeFunction,
  broadcast_to: broadcastToFunction,
  repeat,
  tile,
  diff,
  diag,
  eye,
  identity: eye,
  tril: triangle(true),
  triu: triangle(false),
  arange,
  linspace,
};

const tensorOnly: Readonly<Record<string, ArrayFunction>> = {
  as_tensor: asArray(true),
  as_tensor_variable: asArray(true),
  constant: asArray(true),
  softmax: softmax(false),
  log_softmax: softmax(true),
};

/** Functions of arrays of each module by name; NumPy's own stand in `numpy_functions.ts`. */
export const arrayFunctions: Readonly<Record<string, Readonly<Record<string, ArrayFunction>>>> = {
  np: { ...shared, array: asArray(false), asarray: asArray(false), atleast_1d: asArray(false) },
  pt: { ...shared, ...tensorOnly, logsumexp: logSumExp(false) },
  "pm.math": { ...shared, ...tensorOnly, logsumexp: logSumExp(true) },
  "pt.special": { softmax: softmax(false), log_softmax: softmax(true) },
  special: { logsumexp: logSumExp(false), softmax: softmax(false), log_softmax: softmax(true) },
};

/** Names of these tables that `pm.math` of PyMC 5.28 does not have. */
export const notInPymcMath: ReadonlySet<string> = new Set([
  "any",
  "all",
  "var",
  "std",
  "hstack",
  "vstack",
  "column_stack",
  "empty",
  "reshape",
  "ravel",
  "expand_dims",
  "squeeze",
  "transpose",
  "repeat",
  "tile",
  "diag",
  "eye",
  "identity",
  "tril",
  "triu",
  "arange",
  "linspace",
  "amax",
  "amin",
  "outer",
  "as_tensor_variable",
]);
