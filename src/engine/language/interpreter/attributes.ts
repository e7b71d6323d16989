/** Attributes: members of modules, shapes of arrays, methods before they are called. */
import { shapeOfResponse } from "./response_rows.ts";
import { type Shape, sizeOf } from "../ir/shape.ts";
import { isHost, pythonNumber, shapeOf } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import { columnValue, wholeFrame } from "./columns.ts";
import { datePart } from "./dates.ts";
import { wordColumn, wordsIn } from "./words.ts";
import { preparing, silentOfFrames } from "./frame_parts.ts";
import { frameAttribute, holdsResponse, namesOfData, textsOf } from "./frames.ts";
import { groupedMember } from "./grouped_rows.ts";
import { transpose } from "./linear_algebra.ts";
import { constants, submodules } from "./modules.ts";
import type { Attribute } from "../syntax/tree.ts";
import {
  closeFilling,
  describeValue,
  type ModuleName,
  type NumericValue,
  type SequenceValue,
  type Value,
} from "./values.ts";

/** `object.name`. */
export function readAttribute(checking: Checking, e: Attribute): Value {
  const object = checking.peek(e.object);
  const name = e.name.id;
  if (!["shape", "size", "ndim", "dtype"].includes(name)) closeFilling(object);
  if (name.startsWith("__") && object.kind !== "invalid") return refuseDunder(checking, e);
  switch (object.kind) {
    case "invalid":
    case "ignored":
      return object;
    case "module":
      return moduleMember(checking, e, object.module);
    case "numeric":
      return arrayAttribute(checking, e, object);
    case "response":
      return responseAttribute(checking, e, object);
    case "data":
      return dataAttribute(checking, e, object);
    case "frame":
      if (name === "drop_duplicates" && !holdsResponse(object)) {
        return { kind: "method", object, name };
      }
      if (!object.columns.has(name) && (choosing.has(name) || reshaping.has(name))) {
        return refuseFrameMethod(checking, e);
      }
      return frameAttribute(checking, e, object);
    case "grouped":
      return groupedMember(checking, object, name, e.name) ?? { kind: "method", object, name };
    case "builtin":
      if (object.module === "python" && object.name === "str") {
        return { kind: "builtin", module: "python", name: `str.${name}` };
      }
      return checking.libraryMember(e, object);
    case "object":
      return checking.libraryMember(e, object);
    case "sequence":
      return indexAttribute(checking, e, object);
    case "derived":
      return partsOfFrames.has(name)
        ? checking.derive(e, object)
        : { kind: "method", object, name };
    case "none":
    case "slice":
    case "ellipsis":
    case "function":
    case "transform": {
      const message = `Cannot read .${name} of ${describeValue(object)}: there is no such thing`;
      return checking.error("unsupported/expression", message, e.name);
    }
    default:
      return { kind: "method", object, name };
  }
}

/** Attributes of the names of columns, as pandas has them of an index. */
function indexAttribute(checking: Checking, e: Attribute, object: SequenceValue): Value {
  const name = e.name.id;
  const words = object.form === "list" ? wordsIn(checking, object) : undefined;
  if (words && name === "values") return object;
  if (words && name === "size") return pythonNumber(checking, words.length, "int");
  if (words && name === "str") return { ...wordColumn(checking, words, e), accessor: "str" };
  return { kind: "method", object, name };
}

function refuseDunder(checking: Checking, e: Attribute): Value {
  const message = `Cannot read .${e.name.id}: names between double underscores are Python's own`;
  return checking.error("unsupported/attribute", message, e.name, "leave it out");
}

function moduleMember(checking: Checking, e: Attribute, module: ModuleName): Value {
  const name = e.name.id;
  const inner = submodules[`${module}.${name}`];
  if (inner) return { kind: "module", module: inner };
  if (module === "other") return { kind: "ignored", of: checking.text(e) };
  const table = constants[module];
  if (table && Object.hasOwn(table, name)) {
    return pythonNumber(checking, table[name], "float");
  }
  if (module === "np" && name === "newaxis") return { kind: "none" };
  return { kind: "builtin", module, name };
}

function shapeTuple(checking: Checking, shape: Shape): Value {
  const items = shape.map((extent) => pythonNumber(checking, extent, "int"));
  return { kind: "sequence", form: "tuple", items };
}

function sizeAttribute(checking: Checking, name: string, shape: Shape): Value | undefined {
  if (name === "shape") return shapeTuple(checking, shape);
  if (name === "size") return pythonNumber(checking, sizeOf(shape), "int");
  return name === "ndim" ? pythonNumber(checking, shape.length, "int") : undefined;
}

function arrayAttribute(checking: Checking, e: Attribute, object: NumericValue): Value {
  const name = e.name.id;
  const size = sizeAttribute(checking, name, shapeOf(checking, object));
  if (size) return size;
  if (name === "T") return transpose(checking, object, e);
  if ((name === "str" || name === "dt") && isHost(object)) return { ...object, accessor: name };
  if (object.accessor === "dt") {
    return datePart(checking, e, object, name) ?? { kind: "method", object, name };
  }
  if (name === "index" && object.keyed) {
    const [key] = object.keyed.keys.values();
    return key;
  }
  if (name === "index" && object.origin === "series") {
    return checking.rowNames ?? indexOfRows(checking, e);
  }
  if (name === "dtype") {
    return { kind: "text", value: object.dtype === "bool" ? "bool" : `${object.dtype}64` };
  }
  if (name === "values" && isHost(object)) {
    const { keyed: _, ...plain } = object;
    return { ...plain, origin: "numpy" };
  }
  if (name === "real") return object;
  if (isHost(object)) {
    if (name === "cat") return object;
    const found = checking.arrayAttribute(e, object);
    const isColumn = name === "codes" && e.object.kind === "attribute" &&
      e.object.name.id === "cat";
    if (isColumn && found?.kind === "numeric") return { ...found, origin: "series" };
    if (found) return found;
  }
  return { kind: "method", object, name };
}

/** How many rows there are is no secret; the values are. */
function responseAttribute(checking: Checking, e: Attribute, object: Value): Value {
  const name = e.name.id;
  const size = sizeAttribute(checking, name, shapeOfResponse(checking, object));
  if (size) return size;
  if (name === "values" && object.kind === "response") return { ...object, isArray: true };
  if (name === "cat") return object;
  if (name === "index") return checking.rowNames ?? indexOfRows(checking, e);
  if (name === "codes") return hasOwnCodes(checking, object) ? object : checking.derive(e, object);
  const labels = name === "categories" ? checking.response?.categories : undefined;
  if (!labels) return { kind: "method", object, name };
  const items = labels.map((value): Value => ({ kind: "text", value }));
  return { kind: "sequence", form: "list", items };
}

/** Whether pandas numbers the categories of the response as the data do: by the alphabet, or by size from 0. */
function hasOwnCodes({ response }: Checking, object: Value): boolean {
  if (!response || (object.kind === "response" && object.transform)) return false;
  if (object.kind === "response" && object.isOrdered) return true;
  const labels = response.categories;
  if (labels) return labels.every((label, i) => i === 0 || labels[i - 1] < label);
  const values = [...new Set(response.values)].sort((a, b) => a - b);
  return values.every((value, i) => value === i);
}

/** Attributes of columns that are values, and no methods. */
const partsOfFrames = new Set([
  "values",
  "T",
  "cat",
  "codes",
  "str",
  "dt",
  "real",
  "index",
  "loc",
  "iloc",
]);

/** Methods and attributes of data frames, beside columns. */
const frameMethods = new Set(
  ("query loc iloc at merge join apply assign melt pivot pivot_table sort_values filter " +
    "drop_duplicates sample head tail rename replace fillna map agg aggregate stack unstack " +
    "transform set_index value_counts nunique mean std sum min max values iterrows itertuples T")
    .split(" "),
);

/** Methods that leave rows out, or take some twice. */
const choosing = new Set(["query", "sample", "drop_duplicates", "nlargest", "nsmallest"]);
/** Methods whose rows are no rows of the file. */
const reshaping = new Set(["pivot", "pivot_table", "melt", "stack", "unstack", "explode"]);

/** Reports a method of frames that is not read, by its rule where there is one. */
function refuseFrameMethod(checking: Checking, e: Attribute): Value {
  const name = e.name.id;
  if (choosing.has(name)) {
    const message = `Cannot use .${name} of a data frame: every row of the data is scored`;
    const hint = "write the rows that are to be scored to a file, " +
      `${checking.text(e.object)}.${name}(…).to_csv("kept.csv", index=False), and score that`;
    return checking.error("lh/rows-left-out", message, e.name, hint);
  }
  if (reshaping.has(name)) {
    const message = `Cannot use .${name} of a data frame: its rows are no rows of the data`;
    const hint = "keep a row for each value of the response, with effects by index, a[group]; or " +
      'write the reshaped frame to a file, .to_csv("wide.csv"), and score that';
    return checking.error("unsupported/function", message, e.name, hint);
  }
  const message = `Cannot use .${name} of a data frame: not in the subset`;
  const hint = "do it beforehand, and give the result as a column of the data";
  return checking.error("unsupported/function", message, e.name, hint);
}

function dataAttribute(checking: Checking, e: Attribute, object: Value): Value {
  const name = e.name.id;
  const methods = [
    "dropna",
    "reset_index",
    "keys",
    "get",
    "items",
    "copy",
    "to_numpy",
    "head",
    "describe",
    "drop",
    "groupby",
    "merge",
    "join",
    "sort_values",
    "fillna",
    "pop",
    "select_dtypes",
    "isnull",
    "isna",
    "notnull",
    "notna",
    "loc",
    "iloc",
    ...preparing.keys(),
    ...silentOfFrames,
  ];
  if (name === "columns") return textsOf(namesOfData(checking));
  if ((name === "values" || name === "T") && checking.frame) {
    return frameAttribute(checking, e, wholeFrame(checking, e));
  }
  if (methods.includes(name)) return { kind: "method", object, name };
  if (name === "shape" || name === "index") {
    const rows = pythonNumber(checking, checking.dataset.rows, "int");
    if (name === "index") return checking.rowNames ?? indexOfRows(checking, e);
    const columns = pythonNumber(checking, checking.columns.size, "int");
    return { kind: "sequence", form: "tuple", items: [rows, columns] };
  }
  const isColumn = checking.columns.has(name) || checking.added.has(name);
  if (checking.frame && isColumn) return columnValue(checking, name, e, e.name);
  const text = checking.text(e.object);
  if (frameMethods.has(name)) return refuseFrameMethod(checking, e);
  const message = `Cannot read ${text}.${name}: columns are reached by subscript`;
  return checking.error("unsupported/expression", message, e.name, `write ${text}["${name}"]`);
}

function indexOfRows(checking: Checking, e: Attribute): Value {
  const { rows } = checking.dataset;
  checking.allocate(rows, e);
  const node = checking.graph.array(Float64Array.from({ length: rows }, (_, i) => i), [rows]);
  return { kind: "numeric", node, dtype: "int", origin: "numpy" };
}
