/** Columns of the data: by name, several as a matrix, the response apart. */
import { type Column, knowsResponse } from "../../../base/dataset.ts";
import { hostArray, numeric, stackItems } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import { knownNames } from "./findings.ts";
import { frameOfData } from "./frames.ts";
import { hasKeysOf } from "./keyed_columns.ts";
import { transpose } from "./linear_algebra.ts";
import type { Place } from "../syntax/source.ts";
import type { Subscript } from "../syntax/tree.ts";
import {
  describeValue,
  type FrameValue,
  invalid,
  type NumericValue,
  touchesResponse,
  type Value,
} from "./values.ts";

/** `data["age"]`. */
export function readColumn(checking: Checking, e: Subscript, index: Value): Value {
  const text = checking.text(e.object);
  if (index.kind === "numeric" && index.dtype === "bool") return rowsWhere(checking, e, index);
  if (index.kind !== "text") {
    const message = `Cannot read a column by ${describeValue(index)}: wanted its name`;
    return checking.error("names/unknown-column", message, e.index, `write ${text}["name"]`);
  }
  return columnValue(checking, index.value, e, e.index);
}

/** `data[data.age >= 18]`: all rows if it holds in all; rows that are left out would not be scored. */
export function rowsWhere(
  checking: Checking,
  e: Subscript,
  mask: NumericValue,
  of: Value = { kind: "data" },
): Value {
  const kept = checking.graph.valueOf(mask.node)?.values;
  if (!kept || kept.length !== checking.dataset.rows) {
    const message =
      "Cannot choose rows by this: wanted a condition on columns, true or false for each row";
    return checking.error("names/wrong-kind", message, e.index);
  }
  const left = kept.filter((value) => value === 0).length;
  if (left === 0) return of;
  const message = `Cannot leave rows out: the condition holds in ${kept.length - left} of ` +
    `${kept.length} rows, and every row of the data is scored`;
  const hint = `write the rows that are to be scored to a file, ${checking.text(e)}` +
    '.to_csv("kept.csv", index=False), and score that';
  return checking.error("lh/rows-left-out", message, e, hint);
}

/** The column of a name; `place` is all of it, `namePlace` its name. */
export function columnValue(
  checking: Checking,
  name: string,
  place: Place,
  namePlace: Place,
): Value {
  const own = checking.added.get(name);
  if (own) return own;
  checking.hasReadColumns = true;
  const found = checking.columns.get(name);
  if (checking.response?.parts?.includes(name)) {
    return checking.derivePart(place, { kind: "response" });
  }
  if (!found || found.role === "ignore") return unknownColumn(checking, namePlace, name);
  if (found === checking.response) return { kind: "response" };
  const missing = found.values.findIndex((value) => !Number.isFinite(value));
  if (missing >= 0) {
    const message = `Cannot use the column "${found.name}": row ${missing + 1} is not finite`;
    return checking.error(
      "data/missing-values",
      message,
      place,
      "drop the rows with missing values",
    );
  }
  return numericColumn(checking, found, place);
}

/**
 * `data["log_x"] = …`: a name for numbers, one for each row, or one in all rows; false if it is
 * none. In a frame that the program read itself, other numbers may replace a column, and a function
 * of the response may replace the response.
 */
export function addColumn(checking: Checking, name: string, given: Value, place: Place): boolean {
  if (given.kind === "invalid") {
    checking.added.set(name, given);
    return true;
  }
  const value = mayName(checking, name, given) && asColumn(checking, given, place);
  if (!value) return false;
  checking.added.set(name, value);
  return true;
}

/**
 * A value as a column: numbers for each row, as an array or a list, or one in all rows; values made of the response as
 * they are; undefined for others.
 *
 * @param frame whose column it becomes: rows with the keys of its index are its rows.
 */
export function asColumn(
  checking: Checking,
  given: Value,
  place: Place,
  frame?: FrameValue,
): Value | undefined {
  const { graph, dataset: { rows } } = checking;
  const isList = given.kind === "sequence" && given.items.length === rows &&
    given.items.every(({ kind }) => kind === "numeric");
  const value = isList ? numeric(checking, given, place, "a column") ?? invalid : given;
  if (value.kind !== "numeric") {
    return ["invalid", "derived", "response"].includes(value.kind) ? value : undefined;
  }
  if (frame?.index && value.keyed && hasKeysOf(checking, frame.index[1], value)) {
    const { keyed: _, ...plain } = value;
    return plain;
  }
  if (value.keyed) {
    const [keys] = value.keyed.keys.values();
    const known = value.keyed.keys.size === 1 && !keys.labels && graph.valueOf(keys.node)?.values;
    if (!known || known.some((key, row) => key !== row)) {
      const message =
        "Cannot make this a column: its rows have keys, which are not those of the data";
      const hint = "write df[key].map(x), or x.values where its rows are those of the data";
      return checking.error("names/wrong-kind", message, place, hint);
    }
  }
  const shape = graph.shapeOf(value.node);
  if (shape[0] === rows) return { ...value, origin: "series" };
  const one = shape.length === 0 ? graph.constantOf(value.node) : undefined;
  if (one === undefined) return undefined;
  const filled = hostArray(checking, new Float64Array(rows).fill(one), [rows], value.dtype, place);
  return { ...filled, origin: "series" };
}

/** Whether a name is free, or that of a column in whose place others may stand. */
function mayName(checking: Checking, name: string, value: Value): boolean {
  const column = checking.columns.get(name);
  if (!column || (value.kind === "numeric" && value.dated)) return column !== checking.response;
  if (!checking.frame || knowsResponse(column)) return false;
  return column === checking.response ? value.kind === "response" : value.kind === "numeric" ||
    value.kind === "sequence";
}

/** The data as a frame, to be made others of. */
export function wholeFrame(checking: Checking, place: Place): FrameValue {
  return frameOfData(checking, (name) => columnValue(checking, name, place, place));
}

function numericColumn(checking: Checking, column: Column, place: Place): Value {
  const shape = column.shape ?? [checking.dataset.rows];
  checking.allocate(column.values.length, place);
  const whole = column.values.every(Number.isInteger);
  const dtype = whole ? "int" : "float";
  if (shape.length === 0) {
    const node = checking.graph.scalar(column.values[0]);
    return { kind: "numeric", node, dtype, origin: "python" };
  }
  const node = checking.graph.column(column.name, shape);
  const labels = checking.readsFile ? column.categories : undefined;
  const origin = column.shape ? "numpy" : "series";
  const gaps = checking.dataset.columns.find(({ gapsOf }) => gapsOf === column.name)?.values;
  const own = checking.readsFile && gaps ? { gaps } : {};
  return { kind: "numeric", node, dtype, origin, ...(labels && { labels }), ...own };
}

function unknownColumn(checking: Checking, place: Place, name: string): Value {
  const all = checking.dataset.columns;
  const why = all.some((c) => c.name === name)
    ? 'its role is "ignore"'
    : "the data have no such column";
  const known = all.filter((c) => c.role !== "ignore").map((c) => c.name);
  const message = `Cannot read the column "${name}": ${why}`;
  const hint = knownNames(name, "columns", known);
  return checking.error("names/unknown-column", message, place, hint);
}

/** `data[["age", "depth"]]`: a matrix with one column for each name. */
export function readColumns(checking: Checking, e: Subscript, names: readonly Value[]): Value {
  const asked = names.map((name) => name.kind === "text" ? name.value : undefined);
  if (checking.response?.parts && `${checking.response.parts}` === `${asked}`) {
    return { kind: "response" };
  }
  const columns: Value[] = [];
  for (const name of names) {
    const column = readColumn(checking, e, name);
    if (column.kind === "invalid") return column;
    columns.push(column);
  }
  if (checking.frame) {
    return { kind: "frame", columns: new Map(columns.map((one, k) => [asked[k]!, one])) };
  }
  if (columns.some(touchesResponse)) return checking.derive(e, ...columns);
  const rows = stackItems(checking, columns, e, "columns");
  return rows ? transpose(checking, rows, e) : invalid;
}
