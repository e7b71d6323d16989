/** Methods of lists, dictionaries, the response and the data set. */
import { shapeOfResponse } from "./response_rows.ts";
import { keyOf, matrixOf, numberOf, pythonNumber } from "./arrays.ts";
import { type Arguments, evaluateArguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { columnValue, wholeFrame } from "./columns.ts";
import { piped, preparing, silentOfFrames } from "./frame_parts.ts";
import { frameMethod, holdsResponse } from "./frames.ts";
import { groupedMethod, groupRows } from "./grouped_rows.ts";
import { keyValue } from "./items.ts";
import { statisticOf } from "./response_statistics.ts";
import { keepsSteps } from "../ir/response_transform.ts";
import type { Call } from "../syntax/tree.ts";
import {
  describeValue,
  type FrameValue,
  ignored,
  invalid,
  type MethodValue,
  none,
  type ResponseValue,
  type SequenceValue,
  type Value,
} from "./values.ts";

/** `object.method(…)`. */
export function callMethod(checking: Checking, call: Call, method: MethodValue): Value {
  const { object, name } = method;
  if (
    object.kind === "builtin" || object.kind === "model" || object.kind === "numeric" ||
    object.kind === "object"
  ) {
    return checking.libraryMethod(call, object, name);
  }
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  switch (object.kind) {
    case "response":
      return responseMethod(checking, args, object, name);
    case "derived":
    case "observed":
      return checking.derive(call, object);
    case "sequence":
      return sequenceMethod(checking, args, object, name);
    case "dictionary":
      return dictionaryMethod(checking, args, object.entries, name);
    case "data":
      return dataMethod(checking, args, name);
    case "frame":
      return methodOfFrame(checking, args, object, name);
    case "grouped":
      return groupedMethod(checking, args, object, name) ??
        refuseMethod(checking, args, "no such function of groups in the subset");
    default:
      return refuseMethod(
        checking,
        args,
        `methods of ${describeValue(object)} are not in the subset`,
      );
  }
}

/** Reports a method that is not in the subset. */
export function refuseMethod(
  checking: Checking,
  { call }: Arguments,
  why: string,
  hint?: string,
): Value {
  const place = call.callee.kind === "attribute" ? call.callee.name : call.callee;
  const message = `Cannot call ${checking.text(call.callee)}: ${why}`;
  return checking.error("unsupported/function", message, place, hint);
}

const keeping = new Set(["to_numpy", "copy", "flatten", "ravel", "squeeze", "reset_index"]);

/** Arguments of these that do not touch the values. */
const harmless = new Set(["copy", "deep", "order", "drop"]);

/** Methods that leave the response what it is; all others compute something from it. */
function responseMethod(checking: Checking, args: Arguments, object: Value, name: string): Value {
  const statistic = object.kind === "response" && statisticBy(checking, args, object, name);
  if (statistic) return statistic;
  const plain = args.positional.length === 0 &&
    [...args.keywords.keys()].every((keyword) => harmless.has(keyword));
  if (plain && name === "to_numpy") return { ...object, isArray: true } as Value;
  if (plain && keeping.has(name) && checking.responseShape.length <= 1) return object;
  if (plain && name === "copy") return object;
  if (name === "astype") {
    const type = args.positional[0]?.value;
    const text = type?.kind === "builtin" ? type.name : type?.kind === "text" ? type.value : "";
    const moves = object.kind === "response" && object.transform && !keepsSteps(object.transform);
    const whole = !moves && (checking.response?.values.every(Number.isInteger) ?? false);
    if (/^float/.test(text) || (/^u?int/.test(text) && whole)) return object;
  }
  const own = name === "pipe" ? piped(checking, object, args) : undefined;
  if (own) return own;
  const levels = plain && name === "nunique" ? levelsOf(checking, object) : undefined;
  if (levels !== undefined) return pythonNumber(checking, levels, "int");
  const totals = name === "sum" && !(object.kind === "response" && object.transform)
    ? rowTotals(checking, args)
    : undefined;
  if (totals) return totals;
  if (name === "reshape" && checking.responseShape.length === 1) {
    const shape = args.positional.map(({ value }) => numberOf(checking, value));
    const [rows] = shapeOfResponse(checking, object);
    if (shape.length === 1 && (shape[0] === -1 || shape[0] === rows)) return object;
  }
  return checking.derive(args.call, object);
}

/** Levels of a response of steps: how many there are is no secret. */
const mostLevels = 40;

function levelsOf({ response }: Checking, object: Value): number | undefined {
  if (object.kind !== "response" || !response?.values.every(Number.isInteger)) return undefined;
  const levels = new Set(response.values).size;
  return levels <= mostLevels && 2 * levels <= response.values.length ? levels : undefined;
}

/** `y.mean()`, `y.std(ddof=1)`: pandas' deviation divides by n − 1 where nothing else is said. */
function statisticBy(
  checking: Checking,
  { call, positional, keywords }: Arguments,
  object: ResponseValue,
  name: string,
): Value | undefined {
  const ddof = keywords.get("ddof");
  if (positional.length > 0 || keywords.size > (ddof ? 1 : 0)) return undefined;
  const own = object.isArray ? 0 : checking.frame ? 1 : undefined;
  const divisor = ddof ? numberOf(checking, ddof.value) : own;
  return statisticOf(checking, object, name, divisor, call);
}

/** `counts.sum(axis=1)` of a response of count vectors: what a multinomial likelihood is given. */
function rowTotals(
  checking: Checking,
  { call, positional, keywords }: Arguments,
): Value | undefined {
  const axis = numberOf(checking, (positional[0] ?? keywords.get("axis"))?.value);
  const total = checking.dataset.columns.find(({ totalOf }) => totalOf === checking.response?.name);
  if (!total || positional.length + keywords.size !== 1 || (axis !== 1 && axis !== -1)) {
    return undefined;
  }
  return columnValue(checking, total.name, call, call);
}

function sequenceMethod(
  checking: Checking,
  args: Arguments,
  object: SequenceValue,
  name: string,
): Value {
  const [first] = args.positional;
  if (name === "append" && object.form === "list" && args.positional.length === 1) {
    object.items.push(first.value);
    checking.step(args.call);
    return none;
  }
  if (name === "extend" && object.form === "list" && first?.value.kind === "sequence") {
    checking.collect(first.value.items.length, args.call);
    for (const item of [...first.value.items]) object.items.push(item);
    return none;
  }
  checking.collect(object.items.length, args.call);
  if (["copy", "tolist", "to_list"].includes(name)) return { ...object, items: [...object.items] };
  if (name === "index" || name === "count") {
    const key = first && keyOf(checking, first.value);
    const found = object.items.findIndex((item) => keyOf(checking, item) === key);
    if (name === "index" && key !== undefined && found >= 0) return keyValue(checking, found);
  }
  return refuseMethod(checking, args, `no such method of a ${object.form} in the subset`);
}

function dictionaryMethod(
  checking: Checking,
  args: Arguments,
  entries: Map<string | number, Value>,
  name: string,
): Value {
  const list = (items: Value[]): Value => ({ kind: "sequence", form: "list", items });
  const pairs = [...entries].map(([key, value]) => [keyValue(checking, key), value]);
  if (name === "keys") return list(pairs.map(([key]) => key));
  if (name === "values") return list(pairs.map(([, value]) => value));
  if (name === "items") {
    return list(pairs.map((items) => ({ kind: "sequence", form: "tuple", items })));
  }
  if (name === "get") {
    const key = args.positional[0] && keyOf(checking, args.positional[0].value);
    const found = key === undefined ? undefined : entries.get(key);
    return found ?? args.positional[1]?.value ?? none;
  }
  if (name === "update" && args.positional[0]?.value.kind === "dictionary") {
    for (const [key, value] of args.positional[0].value.entries) entries.set(key, value);
    return none;
  }
  return refuseMethod(checking, args, "no such method of a dictionary in the subset");
}

function methodOfFrame(
  checking: Checking,
  args: Arguments,
  object: FrameValue,
  name: string,
): Value {
  const { call } = args;
  if (name === "groupby") return groupRows(checking, args, object);
  if (silentOfFrames.has(name)) return ignored;
  if (name === "to_numpy" && holdsResponse(object)) return object;
  const prepare = preparing.get(name);
  if (prepare) {
    return prepare(checking, object, args) ??
      refuseMethod(checking, args, "these arguments are not in the subset");
  }
  const apply = (column: Value) =>
    callMethod(checking, call, { kind: "method", object: column, name });
  const found = frameMethod(object, name, args, apply);
  if (found) return found;
  if (name === "drop") {
    return refuseMethod(checking, args, "wanted columns= with names of the frame");
  }
  const matrix = matrixOf(checking, object, call);
  return matrix ? checking.libraryMethod(call, matrix, name) : invalid;
}

function dataMethod(checking: Checking, args: Arguments, name: string): Value {
  if (["copy", "dropna", "reset_index"].includes(name)) return { kind: "data" }; // no row is lost
  if (name === "keys") {
    const items = [...checking.columns.keys()].map((key) => keyValue(checking, key));
    return { kind: "sequence", form: "list", items };
  }
  if (name === "get" && args.positional.length === 1) {
    const { value, place } = args.positional[0];
    if (value.kind === "text") return columnValue(checking, value.value, args.call, place);
  }
  if (silentOfFrames.has(name)) return ignored;
  if (name === "drop" || name === "groupby" || preparing.has(name)) {
    return methodOfFrame(checking, args, wholeFrame(checking, args.call), name);
  }
  const text = checking.text(args.call.callee);
  return refuseMethod(
    checking,
    args,
    "columns are reached by subscript",
    `write ${text.replace(/\.\w+$/, "")}["name"]`,
  );
}
