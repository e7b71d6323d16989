/** Methods of lists, dictionaries, the response and the data set. */
import { shapeOfResponse } from "./response_rows.ts";
import { keyOf, matrixOf, numberOf, pythonNumber, shapeOf } from "./arrays.ts";
import { type Arguments, evaluateArguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { columnValue, wholeFrame } from "./columns.ts";
import { namedBy, piped, preparing, silentOfFrames } from "./frame_parts.ts";
import { filledFrame, lackingFrame } from "./gaps.ts";
import { applyTo } from "./inline.ts";
import { frameMethod, holdsResponse, textsOf } from "./frames.ts";
import { groupedMethod, groupRows } from "./grouped_rows.ts";
import { besideEachOther, differentRows, frameIn, merged, sortedFrame } from "./joined_frames.ts";
import { keyValue } from "./items.ts";
import { keysIn } from "./keyed_columns.ts";
import { operatorMethod } from "./operators.ts";
import { textMethod, wordsIn } from "./words.ts";
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
  touchesResponse,
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
  if (args.keywords.has("inplace")) return inPlace(checking, args, object, name);
  return methodOf(checking, args, object, name);
}

/** `df.drop(columns=…, inplace=True)` as `df = df.drop(columns=…)`. */
function inPlace(checking: Checking, args: Arguments, object: Value, name: string): Value {
  const { call } = args;
  const keywords = new Map([...args.keywords].filter(([keyword]) => keyword !== "inplace"));
  const made = methodOf(checking, { ...args, keywords }, object, name);
  const flag = args.keywords.get("inplace")?.value;
  const isMeant = flag?.kind === "numeric" && checking.graph.constantOf(flag.node) === 1;
  if (!isMeant || call.callee.kind !== "attribute") return made;
  if (call.callee.object.kind === "name") checking.scope.set(call.callee.object.id, made);
  else if (made !== object && made.kind !== "data") {
    return refuseMethod(checking, args, "inplace=True wants a name", "assign what it gives");
  }
  return none;
}

function methodOf(checking: Checking, args: Arguments, object: Value, name: string): Value {
  const { call } = args;
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
    case "text":
      return textMethod(checking, object.value, name, args) ??
        refuseMethod(checking, args, "no such method of a string in the subset");
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
  if (["shift", "diff", "pct_change", "rolling"].includes(name)) {
    return checking.derivePart(args.call, object);
  }
  const coded = object.kind === "response" ? codedBy(checking, args, object, name) : undefined;
  if (coded) return coded;
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

/** `y.map({"low": 0, "high": 1})` of a response of words: its codes, where each level has the code of the data. */
function codedBy(
  checking: Checking,
  { call, positional }: Arguments,
  object: ResponseValue,
  name: string,
): Value | undefined {
  const table = positional[0]?.value;
  const { name: own, categories } = checking.response!;
  const isPlain = (name === "map" || name === "replace") && table?.kind === "dictionary" &&
    positional.length === 1 && !object.transform;
  if (!isPlain || !categories) return undefined;
  const codes = categories.map((label) => numberOf(checking, table.entries.get(label)));
  if (codes.every((code, k) => code === k)) return { ...object, isOrdered: true };
  const order = categories.map((label, k) => [codes[k], label] as const).sort((a, b) =>
    a[0]! - b[0]!
  );
  if (order.some(([code], k) => code !== k)) return undefined;
  const message = `Cannot number the levels of the response so: in the data they are ${
    categories.join(", ")
  }`;
  const hint = `say their order with the data: --category "${own}=${
    order.map(([, one]) => one).join(",")
  }"`;
  return checking.error("lh/observed-not-canonical", message, call, hint);
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

/** `counts.sum(axis=1)` of a response of count vectors, which multinomial likelihoods take as `n`. */
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
  if (name === "map" || name === "drop" || name === "difference") {
    const made = changedNames(checking, args, object, name);
    if (made) return made;
  }
  if (name === "index" || name === "count") {
    const key = first && keyOf(checking, first.value);
    const found = object.items.findIndex((item) => keyOf(checking, item) === key);
    if (name === "index" && key !== undefined && found >= 0) return keyValue(checking, found);
  }
  return refuseMethod(checking, args, `no such method of a ${object.form} in the subset`);
}

/** `df.columns.map(str.strip)`, `df.columns.drop("y")`; undefined of lists that are no names. */
function changedNames(
  checking: Checking,
  args: Arguments,
  object: SequenceValue,
  name: string,
): Value | undefined {
  const words = wordsIn(checking, object);
  const given = args.positional[0]?.value;
  if (!words || !given || args.positional.length !== 1) return undefined;
  if (name === "map") {
    const made = words.map((word) => namedBy(checking, args, given, word));
    return made.every((one) => one !== undefined) ? textsOf(made as string[]) : undefined;
  }
  const gone = given.kind === "text" ? [given.value] : wordsIn(checking, given) ?? [];
  return gone.length > 0 && gone.every((one) => words.includes(one))
    ? textsOf(words.filter((one) => !gone.includes(one)))
    : undefined;
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
  if (["flatten", "ravel", "squeeze"].includes(name) && object.columns.size === 1) {
    const [column] = object.columns.values();
    if (column.kind === "response") return column;
  }
  const joined = joinedBy(checking, args, object, name);
  if (joined) return joined;
  const operated = operatorMethod(checking, object, name, args);
  if (operated) return operated;
  if (name === "select_dtypes") {
    return columnsOfType(checking, args, object) ??
      refuseMethod(checking, args, 'wanted include="number" or include="object"');
  }
  if (name === "pop") return poppedColumn(checking, args, object);
  const prepare = preparing.get(name);
  if (prepare) {
    return prepare(checking, object, args) ??
      refuseMethod(checking, args, "these arguments are not in the subset");
  }
  if (["isna", "isnull", "notna", "notnull"].includes(name)) {
    return lackingFrame(checking, object, name.startsWith("is"), call);
  }
  if (name === "drop_duplicates") {
    return differentRows(checking, object, args) ??
      refuseMethod(checking, args, "wanted columns whose values are known");
  }
  if (name === "fillna") {
    const given = (args.positional[0] ?? args.keywords.get("value"))?.value;
    return filledFrame(checking, object, given, call) ??
      refuseMethod(checking, args, "wanted numbers for the columns that lack some");
  }
  if (name === "apply" && args.positional[0]?.value.kind === "function") {
    return appliedByColumn(checking, args, object) ?? refuseMethod(
      checking,
      args,
      "wanted a function that makes a column of each column",
      'write it of columns: df["x"] + df["z"]',
    );
  }
  if (name === "sort_index") {
    const keys = object.index && keysIn(checking, object.index[1]);
    const isSorted = !object.index || keys?.every((key, k) => k === 0 || keys[k - 1] <= key);
    if (isSorted && args.positional.length + args.keywords.size === 0) return object;
    return refuseMethod(checking, args, "its rows would move", "sort the file, or use sort_values");
  }
  if ([...object.columns.values()].every((one) => isNumberAlone(checking, one))) {
    const numbers = matrixOf(checking, object, call);
    return numbers ? checking.libraryMethod(call, { ...numbers, origin: "series" }, name) : invalid;
  }
  const plain: Arguments = { call, positional: [], keywords: new Map() };
  const apply = (column: Value) =>
    column.kind === "numeric" && args.keywords.has("axis")
      ? checking.libraryMethod({ ...call, arguments: [] }, column, name)
      : column.kind === "numeric" || column.kind === "invalid"
      ? callMethod(checking, call, { kind: "method", object: column, name })
      : methodOf(checking, plain, column, name);
  const isFirst = (axis: Value) =>
    numberOf(checking, axis) === 0 || (axis.kind === "text" && axis.value === "index");
  const found = frameMethod(object, name, args, apply, isFirst);
  if (found) return found;
  if (name === "drop") {
    return refuseMethod(checking, args, "wanted columns= with names of the frame");
  }
  const matrix = matrixOf(checking, object, call);
  const isSpread = name === "std" || name === "var";
  const own = matrix && isSpread ? { ...matrix, origin: "series" as const } : matrix;
  return own ? checking.libraryMethod(call, own, name) : invalid;
}

/** Whether a column is one number, as `frame.mean()` has it. */
function isNumberAlone(checking: Checking, column: Value): boolean {
  return column.kind === "numeric" && shapeOf(checking, column).length === 0;
}

/** `frame.apply(lambda column: …)`: a column of each; undefined where the function makes anything else. */
function appliedByColumn(
  checking: Checking,
  { call, positional, keywords }: Arguments,
  frame: FrameValue,
): Value | undefined {
  const f = positional[0].value;
  if (f.kind !== "function" || positional.length !== 1 || keywords.size > 0) return undefined;
  const columns = new Map<string, Value>();
  for (const [name, column] of frame.columns) {
    const made = applyTo(checking, call, f, [column]);
    if (made.kind === "invalid" || touchesResponse(made)) return made;
    const isColumn = made.kind === "numeric" && made.origin === "series" &&
      shapeOf(checking, made).length === 1;
    if (!isColumn) return undefined;
    columns.set(name, made);
  }
  return { ...frame, columns };
}

/** `frame.select_dtypes(include="number")`: columns of numbers, or of words; undefined of other types. */
function columnsOfType(
  checking: Checking,
  { positional, keywords }: Arguments,
  frame: FrameValue,
): FrameValue | undefined {
  const [asked] = [positional[0] ?? keywords.get("include")].flatMap((one) => {
    const items = one?.value.kind === "sequence" ? one.value.items : one ? [one.value] : [];
    return items.flatMap((item) => item.kind === "text" ? [item.value] : []);
  });
  const isWords = ["object", "category", "str", "string"].includes(asked);
  if (positional.length + keywords.size !== 1 || (!isWords && asked !== "number")) return undefined;
  const holdsWords = (column: Value) =>
    column.kind === "numeric"
      ? column.labels !== undefined
      : checking.response?.categories !== undefined;
  const kept = [...frame.columns].filter(([, column]) => holdsWords(column) === isWords);
  return { ...frame, columns: new Map(kept) };
}

/** `frame.pop("y")`: the column, which the frame under this name has no more. */
function poppedColumn(checking: Checking, args: Arguments, frame: FrameValue): Value {
  const { call, positional } = args;
  const name = positional[0]?.value;
  const column = name?.kind === "text" ? frame.columns.get(name.value) : undefined;
  const holder = call.callee.kind === "attribute" ? call.callee.object : undefined;
  if (!column || name?.kind !== "text" || holder?.kind !== "name") {
    return refuseMethod(checking, args, "wanted the name of a column, and a frame under a name");
  }
  const columns = new Map([...frame.columns].filter(([own]) => own !== name.value));
  checking.scope.set(holder.id, { ...frame, columns });
  return column;
}

/** `merge`, `join` and `sort_values` of a frame; undefined of other methods. */
function joinedBy(
  checking: Checking,
  args: Arguments,
  object: Value & { readonly kind: "frame" | "data" },
  name: string,
): Value | undefined {
  const { call, positional, keywords } = args;
  if (name === "sort_values") return sortedFrame(checking, object, args);
  if (name !== "merge" && name !== "join") return undefined;
  const left = frameIn(checking, object, call)!;
  const given = (positional[0] ?? keywords.get("right") ?? keywords.get("other"))?.value;
  if (given && touchesResponse(given)) return checking.derive(call, given);
  const right = frameIn(checking, given, call);
  if (!right) return refuseMethod(checking, args, "wanted another frame first");
  const more = new Map([...keywords].filter(([key]) => key !== "right" && key !== "other"));
  const rest: Arguments = { ...args, positional: positional.slice(1), keywords: more };
  if (name === "merge") return merged(checking, left, right, rest);
  const on = keywords.get("on");
  if (!on) {
    return besideEachOther(checking, [left, right], call) ??
      refuseMethod(checking, args, "wanted on= with a column, or as many rows");
  }
  const byIndex = new Map([...more, ["left_on", on], ["right_index", on]]);
  byIndex.delete("on");
  const how = keywords.get("how") ??
    { value: { kind: "text", value: "left" } as const, place: on.place };
  return merged(checking, left, right, {
    ...rest,
    positional: [],
    keywords: byIndex.set("how", how),
  });
}

function dataMethod(checking: Checking, args: Arguments, name: string): Value {
  if (name === "copy") return wholeFrame(checking, args.call);
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
  if (name === "to_numpy") return wholeFrame(checking, args.call);
  const joined = joinedBy(checking, args, { kind: "data" }, name);
  if (joined) return joined;
  if (
    ["drop", "groupby", "fillna", "pop", "select_dtypes"].includes(name) ||
    /^(is|not)(na|null)$/.test(name) || preparing.has(name)
  ) {
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
