/** Frames of columns: some of the data's, others that were made of them, by name. */
import { hostArray, matrixOf, pythonNumber } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { transpose } from "./linear_algebra.ts";
import type { Attribute } from "../syntax/tree.ts";
import { type FrameValue, invalid, touchesResponse, type Value } from "./values.ts";

/** Methods that leave a frame what it is. */
const keeping = new Set(["copy", "reset_index", "dropna", "astype"]);
/** Methods that pandas applies to each column. */
const byColumn = new Set(["mean", "std", "var", "min", "max", "sum", "median", "abs", "round"]);

/** Names of the file's columns, those of a joined response one by one, and of columns that the program added. */
export function namesOfData(checking: Checking): string[] {
  const own = [...checking.columns.values()].filter(({ role, totalOf, gapsOf }) =>
    role !== "ignore" && totalOf === undefined && gapsOf === undefined
  );
  const names = own.flatMap(({ name, parts }) => parts ?? name);
  return [...new Set([...names, ...checking.added.keys()])];
}

/** All columns of the data, and those that the program added. */
export function frameOfData(checking: Checking, columnOf: (name: string) => Value): FrameValue {
  const own = [...checking.columns.values()].filter(({ role, shape, gapsOf }) =>
    role !== "ignore" && !shape && gapsOf === undefined
  );
  const names = new Set([...own.map(({ name }) => name), ...checking.added.keys()]);
  return { kind: "frame", columns: new Map([...names].map((name) => [name, columnOf(name)])) };
}

/** Names as Python's strings. */
export function textsOf(names: Iterable<string>): Value {
  const items = Array.from(names, (value): Value => ({ kind: "text", value }));
  return { kind: "sequence", form: "list", items };
}

/** Whether a frame has the response among its columns: it is no matrix of numbers then. */
export function holdsResponse({ columns }: FrameValue): boolean {
  return [...columns.values()].some(touchesResponse);
}

/** The columns one after another: rows of the transposed matrix. */
function columnsOfFrame({ columns }: FrameValue): Value {
  return { kind: "sequence", form: "tuple", items: [...columns.values()] };
}

/** `frame.name`. */
export function frameAttribute(checking: Checking, e: Attribute, frame: FrameValue): Value {
  const name = e.name.id;
  const column = withIndex(frame, name);
  if (column) return column;
  switch (name) {
    case "columns":
    case "column_names":
      return textsOf(frame.columns.keys());
    case "design_info":
      return frame;
    case "shape": {
      const items = [frame.rows ?? checking.dataset.rows, frame.columns.size];
      const numbers = items.map((extent) => pythonNumber(checking, extent, "int"));
      return { kind: "sequence", form: "tuple", items: numbers };
    }
    case "values":
      return holdsResponse(frame) ? frame : matrixOf(checking, frame, e) ?? invalid;
    case "T": {
      if (holdsResponse(frame)) return columnsOfFrame(frame);
      const matrix = matrixOf(checking, frame, e);
      return matrix ? transpose(checking, matrix, e) : invalid;
    }
    case "index": {
      if (frame.index) return frame.index[1];
      const { rows = checking.dataset.rows } = frame;
      return hostArray(
        checking,
        Float64Array.from({ length: rows }, (_, i) => i),
        [rows],
        "int",
        e,
      );
    }
    default:
      return { kind: "method", object: frame, name };
  }
}

/** A column, whose rows have the keys of the frame's index. */
function withIndex({ columns, index }: FrameValue, name: string): Value | undefined {
  const column = columns.get(name);
  if (column?.kind !== "numeric" || index?.[1].kind !== "numeric") return column;
  return { ...column, keyed: { keys: new Map([[index[0], index[1]]]), name } };
}

/** `frame["a"]`, `frame[["a", "b"]]`; undefined for other parts. */
export function framePart(frame: FrameValue, index: Value): Value | undefined {
  if (index.kind === "text") return withIndex(frame, index.value);
  if (index.kind !== "sequence" || index.form !== "list") return undefined;
  const names = index.items.map((item) => item.kind === "text" ? item.value : "");
  const found = names.map((name) => [name, frame.columns.get(name)] as const);
  if (found.some(([, column]) => !column)) return undefined;
  return { ...frame, columns: new Map(found as [string, Value][]) };
}

/**
 * `frame.drop(columns=…)`, `frame.mean()` and the like; undefined for methods of a matrix of its numbers.
 *
 * @param apply the same method of a column.
 * @param isFirstAxis whether a value names the first axis.
 */
export function frameMethod(
  frame: FrameValue,
  name: string,
  args: Arguments,
  apply: (column: Value) => Value,
  isFirstAxis: (axis: Value) => boolean,
): Value | undefined {
  const { positional, keywords } = args;
  if (name === "drop") return withoutColumns(frame, args);
  if (name === "reset_index" && frame.index) {
    const isDropped = positional.length + keywords.size > 0;
    const { index, ...rest } = frame;
    return { ...rest, columns: new Map([...isDropped ? [] : [index], ...frame.columns]) };
  }
  if (keeping.has(name)) return mapped(frame, (column) => column);
  const axis = (positional[0] ?? keywords.get("axis"))?.value;
  const isPlain = positional.length + keywords.size === 0 ||
    (axis !== undefined && positional.length + keywords.size === 1 && isFirstAxis(axis));
  return byColumn.has(name) && isPlain ? mapped(frame, apply) : undefined;
}

function withoutColumns(frame: FrameValue, { positional, keywords }: Arguments): Value | undefined {
  const given = keywords.get("columns") ??
    (keywords.has("axis") || positional[1] ? positional[0] : undefined);
  const items = given?.value.kind === "sequence" ? given.value.items : given ? [given.value] : [];
  const names = items.map((item) => item.kind === "text" ? item.value : "");
  if (names.length === 0 || names.some((name) => !frame.columns.has(name))) return undefined;
  const kept = [...frame.columns].filter(([name]) => !names.includes(name));
  return { ...frame, columns: new Map(kept) };
}

function mapped(frame: FrameValue, each: (column: Value, name: string) => Value): FrameValue {
  return { ...frame, columns: new Map([...frame.columns].map(([k, v]) => [k, each(v, k)])) };
}

/** An operator on frames goes column by column, as pandas aligns them; undefined where no column fits another. */
export function frameOperator(
  left: Value,
  right: Value,
  apply: (left: Value, right: Value) => Value,
): Value | undefined {
  if (left.kind === "frame" && right.kind === "frame") {
    const fits = [...left.columns.keys()].every((name) => right.columns.has(name));
    return fits ? mapped(left, (a, name) => apply(a, right.columns.get(name)!)) : undefined;
  }
  if (left.kind === "frame") return mapped(left, (a) => apply(a, right));
  return right.kind === "frame" ? mapped(right, (b) => apply(left, b)) : undefined;
}
