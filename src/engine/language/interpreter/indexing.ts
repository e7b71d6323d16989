/** Subscripts: slices, integers, arrays of integers, masks, new axes, by NumPy's rules. */
import { broadcastShapes, describeShape, type Shape, sizeOf, stridesOf } from "../ir/shape.ts";
import {
  clashing,
  describePosition,
  fold,
  hostArray,
  isHost,
  joinOrigins,
  keyOf,
  matrixOf,
  numberOf,
  numeric,
  refuseGaps,
  shapeOf,
} from "./arrays.ts";
import type { Checking, Codes } from "./checking.ts";
import { rowsWhere } from "./columns.ts";
import { knownNames } from "./findings.ts";
import { framePart } from "./frames.ts";
import { groupedMember, groupedMembers } from "./grouped_rows.ts";
import { keysWhere, partByKeys } from "./keyed_columns.ts";
import { partOfResponse } from "./response_rows.ts";
import type { Place } from "../syntax/source.ts";
import type { Expression, Subscript } from "../syntax/tree.ts";
import {
  describeValue,
  invalid,
  isWhole,
  type NumericValue,
  type SequenceValue,
  touchesResponse,
  type Value,
} from "./values.ts";

/** `object[index]` of anything but the data set. */
export function takePart(checking: Checking, e: Subscript, object: Value, index: Value): Value {
  if (object.kind === "response") {
    if (isWhole(index)) return object;
    const part = partOfResponse(checking, e, object, index);
    return part.kind === "numeric" ? indexArray(checking, e, part, index) : part;
  }
  if (touchesResponse(object) || touchesResponse(index)) return checking.derive(e, object, index);
  if (index.kind === "ignored") return index;
  if (object.kind === "frame") {
    const part = framePart(object, index);
    if (part) return part;
    if (index.kind === "numeric" && index.dtype === "bool" && object.rows === undefined) {
      return rowsWhere(checking, e, index, object);
    }
    const matrix = matrixOf(checking, object, e);
    return matrix ? indexArray(checking, e, matrix, index) : invalid;
  }
  if (object.kind === "grouped" && index.kind === "text") {
    const part = groupedMember(checking, object, index.value, e.index);
    if (part) return part;
  }
  if (object.kind === "grouped") {
    const part = groupedMembers(object, index);
    if (part) return part;
  }
  switch (object.kind) {
    case "numeric":
      return partOfArray(checking, e, object, index);
    case "sequence":
      return indexSequence(checking, e, object, index);
    case "dictionary":
      return lookUpKey(checking, e, object.entries, index);
    case "model":
      return checking.libraryPart(e, object, index) ?? invalid;
    default: {
      const message = `Cannot take a part of ${describeValue(object)}: not in the subset`;
      return checking.error("unsupported/expression", message, e);
    }
  }
}

/** A part of an array: by a key where keys name its rows, a word where it is one of words. */
function partOfArray(
  checking: Checking,
  e: Subscript,
  x: NumericValue,
  index: Value,
): Value {
  if (x.gaps) return refuseGaps(checking, x, e);
  const byKey = partByKeys(checking, x, index);
  if (byKey) return byKey;
  if (index.kind === "numeric" && index.labels && x.origin === "series") {
    const message = `Cannot take ${
      checking.text(e)
    }: the rows have no such keys, or not all of them`;
    const hint = "write codes, pd.Categorical(x).codes, or df[key].map(x) of a column with keys";
    return checking.error("names/wrong-kind", message, e.index, hint);
  }
  const { keyed: _, ...array } = x;
  const part = indexArray(checking, e, array, index);
  const isMask = index.kind === "numeric" && index.dtype === "bool" && x.origin === "series";
  if (isMask && part.kind === "numeric" && isHost(part)) {
    return { ...part, origin: "series", ...keysWhere(checking, x, index, e) };
  }
  const word = part.kind === "numeric" && part.labels && shapeOf(checking, part).length === 0
    ? part.labels[numberOf(checking, part) ?? -1]
    : undefined;
  return word === undefined ? part : { kind: "text", value: word };
}

function lookUpKey(
  checking: Checking,
  e: Subscript,
  entries: ReadonlyMap<string | number, Value>,
  index: Value,
): Value {
  const key = keyOf(checking, index);
  const found = key === undefined ? undefined : entries.get(key);
  if (found) return found;
  const known = knownNames(`${key}`, "keys", [...entries.keys()].map(String));
  const message = `Cannot find the key ${checking.text(e.index)} in the dictionary`;
  return checking.error("names/undefined", message, e.index, known);
}

function indexSequence(
  checking: Checking,
  e: Subscript,
  object: SequenceValue,
  index: Value,
): Value {
  const { items } = object;
  if (index.kind === "slice") {
    const taken = sliceIndices(index.parts, items.length);
    checking.collect(taken.length, e);
    return { ...object, items: taken.map((i) => items[i]) };
  }
  const at = numberOf(checking, index);
  if (at !== undefined && Number.isInteger(at) && at >= -items.length && at < items.length) {
    return items[at < 0 ? at + items.length : at];
  }
  const numbers = items.every((item) => item.kind === "numeric");
  if (index.kind === "numeric" && at === undefined && numbers) {
    const message = "Cannot index a list by an array: Python's lists know whole numbers and slices";
    return checking.error(
      "names/wrong-kind",
      message,
      e,
      `write np.array(${checking.text(e.object)})`,
    );
  }
  const wanted = `wanted a whole number from ${-items.length} to ${items.length - 1}`;
  const message = `Cannot take an item of a ${object.form} of ${items.length}: ${wanted}`;
  return checking.error("shapes/index", message, e.index);
}

/** Positions of Python's `start:stop:step` in a sequence of a length. */
function sliceIndices(parts: readonly (number | undefined)[], length: number): number[] {
  const step = parts[2] ?? 1;
  if (step === 0) return [];
  const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
  const clamp = (x: number) => Math.min(high, Math.max(low, x < 0 ? x + length : x));
  const start = parts[0] === undefined ? (step > 0 ? 0 : length - 1) : clamp(parts[0]);
  const stop = parts[1] === undefined ? (step > 0 ? length : -1) : clamp(parts[1]);
  const result: number[] = [];
  for (let i = start; step > 0 ? i < stop : i > stop; i += step) result.push(i);
  return result;
}

/** One part of a subscript: a new axis, or what it takes from one axis (a mask: from several). */
type Part =
  | { readonly kind: "new" }
  | { readonly kind: "basic"; readonly positions: readonly number[] }
  | { readonly kind: "advanced"; readonly index: NumericValue; readonly place: Place };

/** `x[…]` of an array. */
function indexArray(
  checking: Checking,
  e: Subscript,
  x: NumericValue,
  index: Value,
): Value {
  const shape = shapeOf(checking, x);
  const given = index.kind === "sequence" && index.form === "tuple" ? index.items : [index];
  const places = e.index.kind === "tuple" && given.length === e.index.items.length
    ? e.index.items
    : given.map(() => e.index);
  const flat = given.length === 1 && given[0].kind !== "none";
  if (x.origin === "series" && checking.frame && !flat) warnSeries(checking, e);
  const components = expandMasks(checking, given, places);
  const parts = components && partsOf(checking, e, components, shape);
  if (!parts) return invalid;
  return gatherParts(checking, e, x, shape, parts) ?? invalid;
}

/** A column of a frame has one axis only. */
function warnSeries(checking: Checking, e: Subscript): void {
  const message = "pandas has no index of several axes for a column";
  const hint = `write ${checking.text(e.object)}.values[...]`;
  checking.findings.warning("names/not-in-pymc", message, e, hint);
}

interface Component {
  readonly value: Value;
  readonly place: Expression;
}

/** Masks become arrays of positions, one for each of their axes. */
function expandMasks(
  checking: Checking,
  given: readonly Value[],
  places: readonly Expression[],
): Component[] | undefined {
  const components: Component[] = [];
  for (const [i, value] of given.entries()) {
    const place = places[i];
    if (touchesResponse(value) || value.kind === "invalid") {
      if (value.kind !== "invalid") checking.refuseResponse(value, place);
      return undefined;
    }
    if (value.kind !== "numeric" && value.kind !== "sequence") {
      components.push({ value, place });
      continue;
    }
    const number = numeric(checking, value, place, "an index");
    if (!number) return undefined;
    const array = shapeOf(checking, number).length > 0;
    if (number.dtype === "bool" && array) {
      const positions = nonZero(checking, number, place);
      if (!positions) return undefined;
      for (const one of positions) components.push({ value: one, place });
    } else components.push({ value: number, place });
  }
  return components;
}

/** Positions of the true elements of a mask, one array for each axis. */
export function nonZero(
  checking: Checking,
  mask: NumericValue,
  place: Place,
): NumericValue[] | undefined {
  const known = checking.graph.valueOf(mask.node);
  if (!known) {
    const message = "Cannot select by a random condition: shapes must be known before sampling";
    checking.error(
      "names/random-condition",
      message,
      place,
      "write pm.math.switch(condition, a, b)",
    );
    return undefined;
  }
  const flat = [...known.values.keys()].filter((i) => known.values[i] !== 0);
  const strides = stridesOf(known.shape);
  return known.shape.map((extent, axis) => {
    const at = flat.map((i) => Math.floor(i / strides[axis]) % extent);
    return hostArray(checking, Float64Array.from(at), [at.length], "int", place);
  });
}

function partsOf(
  checking: Checking,
  e: Subscript,
  components: readonly Component[],
  shape: Shape,
): Part[] | undefined {
  const used = components.filter(({ value }) => value.kind !== "none" && value.kind !== "ellipsis");
  if (used.length > shape.length) {
    const message = `Cannot compute ${checking.text(e)}: ${used.length} indices for ` +
      describeShape(shape);
    checking.error("shapes/index", message, e);
    return undefined;
  }
  const rest = shape.length - used.length;
  const dots = components.some(({ value }) => value.kind === "ellipsis");
  const parts: Part[] = [];
  let axis = 0;
  const takeAll = (count: number) => {
    for (; count > 0; count--) parts.push({ kind: "basic", positions: range(shape[axis++]) });
  };
  for (const { value, place } of components) {
    if (value.kind === "none") parts.push({ kind: "new" });
    else if (value.kind === "ellipsis") takeAll(rest);
    else {
      const part = partOf(checking, value, place, shape[axis++], shape);
      if (!part) return undefined;
      parts.push(part);
    }
  }
  if (!dots) takeAll(rest);
  return parts;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

function partOf(
  checking: Checking,
  value: Value,
  place: Place,
  extent: number,
  shape: Shape,
): Part | undefined {
  if (value.kind === "slice") {
    return { kind: "basic", positions: sliceIndices(value.parts, extent) };
  }
  if (value.kind !== "numeric") {
    const message = `Cannot index by ${describeValue(value)}: wanted whole numbers or a slice`;
    checking.error("names/wrong-kind", message, place);
    return undefined;
  }
  return checkIndex(checking, value, place, extent, shape)
    ? { kind: "advanced", index: value, place }
    : undefined;
}

/** Indices are whole numbers, known before sampling, within the axis. */
function checkIndex(
  checking: Checking,
  index: NumericValue,
  place: Place,
  extent: number,
  shape: Shape,
): boolean {
  const known = checking.graph.valueOf(index.node);
  const text = checking.text(place);
  const codes = known ? undefined : checking.codesOf(index.node, extent);
  if (codes) return checkCodes(checking, codes, place, extent, shape);
  if (!known) {
    const message = `Cannot index by ${text}: it is known only while sampling`;
    checking.error("names/random-condition", message, place, "index by data");
    return false;
  }
  const broken = known.values.findIndex((value) => !Number.isInteger(value));
  if (broken >= 0) {
    const where = describePosition(checking, known.shape, broken);
    const message = `Cannot index by ${text}: wanted whole numbers, found ${
      known.values[broken]
    }${where}`;
    checking.error("shapes/index", message, place, `write ${text}.astype(int)`);
    return false;
  }
  const outside = known.values.findIndex((value) => value < -extent || value >= extent);
  if (outside < 0) return true;
  const where = describePosition(checking, known.shape, outside);
  const message =
    `Cannot index ${describeShape(shape)} by ${text}: ${known.values[outside]}${where} ` +
    `is outside of 0 to ${extent - 1}`;
  const fromOne = known.shape.length > 0 &&
    known.values.every((value) => value >= 1 && value <= extent);
  const hint = fromOne ? `codes begin at 0: write ${text} - 1` : undefined;
  checking.error("shapes/index", message, place, hint);
  return false;
}

function checkCodes(
  checking: Checking,
  { lower, count }: Codes,
  place: Place,
  extent: number,
  shape: Shape,
): boolean {
  if (lower >= 0 && lower + count <= extent) return true;
  const text = checking.text(place);
  const message = `Cannot index ${describeShape(shape)} by ${text}: its values are ${lower} to ` +
    `${lower + count - 1}, wanted 0 to ${extent - 1}`;
  checking.error("shapes/index", message, place);
  return false;
}

/** Everything becomes one array of flat positions, and one gather or take. */
function gatherParts(
  checking: Checking,
  e: Subscript,
  x: NumericValue,
  shape: Shape,
  parts: readonly Part[],
): NumericValue | undefined {
  const { graph } = checking;
  const advanced = parts.flatMap((part) => (part.kind === "advanced" ? [part.index] : []));
  const shapes = advanced.map((index) => graph.shapeOf(index.node));
  const joined = broadcastShapes(...shapes);
  if (!joined) {
    const [a, b] = clashing(shapes);
    const message = `Cannot compute ${checking.text(e)}: indices of ${describeShape(a)} and ` +
      `${describeShape(b)} do not broadcast`;
    checking.error("shapes/broadcast", message, e.index);
    return undefined;
  }
  const result = resultAxes(parts, joined);
  checking.checkAxes(result.shape.length, e);
  const size = sizeOf(result.shape);
  checking.allocate(size, e);
  const flat = flatIndex(checking, parts, shape, result);
  const origin = advanced.some((index) => !isHost(index)) && isHost(x)
    ? joinOrigins(x, ...advanced)
    : x.origin;
  const known = graph.nodes[flat];
  const node = known.kind === "constant"
    ? graph.gather(x.node, Int32Array.from(known.values), result.shape)
    : graph.take(x.node, flat);
  const made: NumericValue = { ...x, node, origin: origin === "series" ? "numpy" : origin };
  return isReshape(parts) ? made : fold(checking, made);
}

/** New axes and whole slices leave a column what it is. */
function isReshape(parts: readonly Part[]): boolean {
  return parts.every((part) =>
    part.kind === "new" || (part.kind === "basic" && part.positions.every((at, i) => at === i))
  );
}

interface ResultAxes {
  readonly shape: Shape;
  /** First axis of the result that a part makes; −1 for advanced ones. */
  readonly axisOf: readonly number[];
  /** First axis of the joined advanced indices. */
  readonly advancedAt: number;
}

/** Advanced axes stand where the first of them stood if they are neighbours, else in front. */
function resultAxes(parts: readonly Part[], joined: Shape): ResultAxes {
  const at = [...parts.keys()].filter((i) => parts[i].kind === "advanced");
  const neighbours = at.every((i, k) => k === 0 || i === at[k - 1] + 1);
  const shape: number[] = [];
  const axisOf = parts.map(() => -1);
  let advancedAt = 0;
  if (at.length > 0 && !neighbours) shape.push(...joined);
  for (const [i, part] of parts.entries()) {
    if (part.kind === "advanced") {
      if (i !== at[0] || !neighbours) continue;
      advancedAt = shape.length;
      shape.push(...joined);
    } else {
      axisOf[i] = shape.length;
      shape.push(part.kind === "new" ? 1 : part.positions.length);
    }
  }
  return { shape, axisOf, advancedAt };
}

/** Sum over axes of position × stride, as a node; a constant unless a column is involved. */
function flatIndex(
  checking: Checking,
  parts: readonly Part[],
  shape: Shape,
  { shape: to, axisOf, advancedAt }: ResultAxes,
): number {
  const { graph } = checking;
  const strides = stridesOf(shape);
  const joinedRank = Math.max(
    0,
    ...parts.map((part) => part.kind === "advanced" ? graph.shapeOf(part.index.node).length : 0),
  );
  let axis = 0;
  let flat = graph.scalar(0);
  for (const [i, part] of parts.entries()) {
    if (part.kind === "new") continue;
    const [extent, stride] = [shape[axis], strides[axis]];
    axis++;
    let term: number;
    if (part.kind === "basic") {
      const placed = to.map((_, k) => (k === axisOf[i] ? part.positions.length : 1));
      term = graph.array(Float64Array.from(part.positions, (at) => at * stride), placed);
    } else {
      const index = notNegative(checking, part.index, extent);
      const from = graph.shapeOf(index);
      const before = new Array<number>(joinedRank - from.length).fill(1);
      const after = new Array<number>(to.length - advancedAt - joinedRank).fill(1);
      const placed = graph.reshape(index, [...before, ...from, ...after]);
      term = graph.mul(placed, graph.scalar(stride));
    }
    flat = graph.add(flat, term);
  }
  if (`${graph.shapeOf(flat)}` === `${to}`) return flat;
  return graph.add(flat, graph.array(new Float64Array(sizeOf(to)), to));
}

/** Negative positions count from the end. */
function notNegative({ graph }: Checking, { node }: NumericValue, extent: number): number {
  const values = graph.valueOf(node)?.values;
  if (!values?.some((value) => value < 0)) return node;
  const negative = graph.map("lt", node, graph.scalar(0));
  return graph.where(negative, graph.add(node, graph.scalar(extent)), node);
}
