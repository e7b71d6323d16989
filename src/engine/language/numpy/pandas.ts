/** Calls of pandas: a file that is read is the host's data, codes of categories are arrays. */
import { hostArray, numberOf, numeric, pythonNumber } from "../interpreter/arrays.ts";
import { flagArgument } from "./array_function.ts";
import { type Arguments, bind, carriesResponse, evaluateArguments } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { binned } from "./bins.ts";
import { ascending } from "./numpy_functions.ts";
import { refuseRandom } from "./refuse_random.ts";
import { columnOfItems, namesOf, wordColumn, wordsIn } from "../interpreter/words.ts";
import { callDates, dateColumn } from "../interpreter/dates.ts";
import { wholeFrame } from "../interpreter/columns.ts";
import { namesOfData } from "../interpreter/frames.ts";
import { keyValue } from "../interpreter/items.ts";
import { besideEachOther, frameIn, madeFrame, merged } from "../interpreter/joined_frames.ts";
import type { Place } from "../syntax/source.ts";
import type { Call } from "../syntax/tree.ts";
import {
  type FrameValue,
  invalid,
  type NumericValue,
  type ResponseValue,
  type SequenceValue,
  type Value,
} from "../interpreter/values.ts";

const readers = new Set([
  "read_csv",
  "read_table",
  "read_json",
  "read_parquet",
  "read_excel",
  "read_feather",
]);

/** The value of `pd.name(…)`; frames that a program makes itself are not followed. */
export function callPandas(checking: Checking, call: Call, name: string): Value {
  if (readers.has(name)) return hostData(checking, call, name);
  if (name === "Categorical" || name === "get_dummies") return ofCategories(checking, call, name);
  if (name === "cut" || name === "qcut") return binned(checking, call, name);
  if (["to_datetime", "Timestamp", "Timedelta"].includes(name)) {
    return callDates(checking, call, name);
  }
  if (["DataFrame", "Series", "concat", "merge"].includes(name)) {
    return callFrames(checking, call, name);
  }
  if (name !== "factorize") return { kind: "ignored", of: `pd.${name}` };
  const args = evaluateArguments(checking, call);
  const bound = args && bind(checking, args, "pd.factorize", {
    names: ["values", "sort"],
    required: 1,
  });
  const given = bound?.get("values");
  if (!given) return invalid;
  if (given.value.kind === "ignored") return given.value;
  const site = { checking, place: call, text: "pd.factorize" };
  const isSorted = flagArgument(site, bound!, "sort", false);
  const levels = given.value.kind === "response" ? checking.response?.categories : undefined;
  if (levels && isSorted && isAlphabetical(levels)) {
    const items = levels.map((value): Value => ({ kind: "text", value }));
    const labels: Value = { kind: "sequence", form: "list", items };
    return { kind: "sequence", form: "tuple", items: [given.value, labels] };
  }
  if (levels) {
    const message = "Cannot number the levels of the response as its rows come";
    const hint = "write pd.Categorical(…, categories=[…]).codes with the order of the data";
    return checking.error("lh/protected-use-before-score", message, call, hint);
  }
  if (carriesResponse(given.value)) return checking.derive(call, given.value);
  const x = numeric(checking, given.value, given.place, "pd.factorize");
  return x ? factorize(checking, call, x, isSorted) : invalid;
}

/** `pd.DataFrame(…)`, `pd.Series(…)`, `pd.concat([…], axis=1)`, `pd.merge(a, b, …)`. */
function callFrames(checking: Checking, call: Call, name: string): Value {
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  const [first, second] = args.positional.map(({ value }) => value);
  if (first?.kind === "ignored") return first;
  const axis = numberOf(checking, args.keywords.get("axis")?.value);
  const made = name === "DataFrame"
    ? madeFrame(checking, args)
    : name === "Series"
    ? seriesOf(checking, args)
    : name === "concat" && first?.kind === "sequence" && axis === 1
    ? besideEachOther(checking, first.items, call)
    : name === "merge"
    ? mergedFrames(checking, args, first, second)
    : undefined;
  if (made) return made;
  if (name === "concat" && carriesResponse(first ?? invalid)) return checking.derive(call, first);
  const message = `Cannot call pd.${name} like this`;
  const hints: Readonly<Record<string, string>> = {
    concat: "frames of the same rows with different columns stand beside each other by axis=1",
    merge: 'write pd.merge(df, other, on="key", how="left")',
  };
  const hint = hints[name] ?? "write it of a dictionary of columns, or of a matrix and columns=";
  return checking.error("unsupported/function", message, call, hint);
}

function mergedFrames(
  checking: Checking,
  args: Arguments,
  first: Value | undefined,
  second: Value | undefined,
): Value | undefined {
  const [left, right] = [
    first ?? args.keywords.get("left")?.value,
    second ?? args.keywords.get("right")?.value,
  ]
    .map((one) => frameIn(checking, one, args.call));
  const keywords = new Map([...args.keywords].filter(([key]) => key !== "left" && key !== "right"));
  const rest = { ...args, positional: args.positional.slice(2), keywords };
  return left && right && merged(checking, left, right, rest);
}

/** `pd.Series(x)`, `pd.Series({"a": 1})`, `pd.Series(x, index=names)`. */
function seriesOf(
  checking: Checking,
  { call, positional, keywords }: Arguments,
): Value | undefined {
  const given = (positional[0] ?? keywords.get("data"))?.value;
  if (given && carriesResponse(given)) return given;
  const index = (positional[1] ?? keywords.get("index"))?.value;
  const list = (items: readonly Value[]) => columnOfItems(checking, items, call);
  const keyed = (values: NumericValue | undefined, keys: NumericValue | undefined) =>
    values && keys && { ...values, keyed: { keys: new Map([["index", keys]]), name: "0" } };
  if (given?.kind === "dictionary") {
    const names = [...given.entries.keys()].map((key) => keyValue(checking, key));
    return keyed(list([...given.entries.values()]), list(names));
  }
  const values = given?.kind === "sequence"
    ? list(given.items)
    : given?.kind === "numeric"
    ? { ...given, origin: "series" as const }
    : undefined;
  if (!index) return values;
  const keys = index.kind === "sequence"
    ? list(index.items)
    : index.kind === "numeric"
    ? index
    : undefined;
  return keyed(values, keys);
}

/** `pd.Categorical(x)` is x until it is asked for codes; `pd.get_dummies(x)` a column for each. */
function ofCategories(checking: Checking, call: Call, name: string): Value {
  const args = evaluateArguments(checking, call);
  const text = `pd.${name}`;
  const dummies = name === "get_dummies";
  const bound = args && bind(checking, args, text, {
    names: dummies ? ["data"] : ["values"],
    required: 1,
    keywordOnly: dummies ? ["drop_first", "columns", "prefix"] : ["categories"],
    ignored: dummies ? ["dtype", "dummy_na"] : ["ordered"],
  });
  const given = bound?.get(dummies ? "data" : "values");
  if (!given) return invalid;
  if (given.value.kind === "ignored") return given.value;
  if (given.value.kind === "response" && !dummies) {
    const asked = bound!.get("categories")?.value;
    return asked ? levelsInOrder(checking, call, given.value, asked) : given.value;
  }
  if ((given.value.kind === "frame" || given.value.kind === "data") && dummies) {
    const frame = frameIn(checking, given.value, call)!;
    const asked = bound!.get("columns")?.value;
    const first = flagArgument({ checking, place: call, text }, bound!, "drop_first", false);
    return dummyFrame(checking, call, frame, asked, first);
  }
  if (carriesResponse(given.value)) return checking.derive(call, given.value);
  const x = numeric(checking, given.value, given.place, text);
  const order = bound!.get("categories")?.value;
  if (x && order) return inOrder(checking, call, x, order);
  if (!x || !dummies) return x ?? invalid;
  const site = { checking, place: call, text };
  const isShort = flagArgument(site, bound!, "drop_first", false);
  if (!checking.readsFile || !categoriesOf(checking, x)) {
    return dummyColumns(checking, call, x, isShort);
  }
  const before = bound!.get("prefix")?.value;
  const prefix = before?.kind === "text" ? `${before.value}_` : "";
  const whole: FrameValue = { kind: "frame", columns: new Map([["x", x]]) };
  const list: Value = { kind: "sequence", form: "list", items: [{ kind: "text", value: "x" }] };
  const made = dummyFrame(checking, call, whole, list, isShort);
  if (made.kind !== "frame") return made;
  const columns = [...made.columns].map((
    [name, one],
  ): [string, Value] => [prefix + name.slice(2), one]);
  return { kind: "frame", columns: new Map(columns) };
}

/** The response with categories in the program's order, where that is the order of the data; refused otherwise. */
function levelsInOrder(
  checking: Checking,
  call: Call,
  response: ResponseValue,
  order: Value,
): Value {
  const { name, categories } = checking.response!;
  const asked = wordsIn(checking, order);
  if (categories && asked && `${asked}` === `${categories}`) {
    return { ...response, isOrdered: true };
  }
  if (!categories || !asked) return checking.derive(call, response);
  const message = `Cannot order the levels of the response here: in the data they are ${
    categories.join(", ")
  }`;
  const hint = `say their order with the data: --category "${name}=${asked.join(",")}"`;
  return checking.error("lh/observed-not-canonical", message, call, hint);
}

/** Whether the levels of the response stand in the order in which pandas numbers them. */
export function isAlphabetical(categories: readonly string[]): boolean {
  return categories.every((label, i) => i === 0 || categories[i - 1] < label);
}

/** Codes in the program's order of categories, where each of them stands in the column. */
export function inOrder(checking: Checking, call: Call, x: NumericValue, order: Value): Value {
  const names = namesOf(checking, x);
  const known = checking.graph.valueOf(x.node);
  const items = order.kind === "sequence" ? order.items : [];
  const codes = new Map(items.map((item, code) => {
    if (names) return [item.kind === "text" ? names.indexOf(item.value) : NaN, code];
    return [item.kind === "numeric" ? checking.graph.constantOf(item.node) : NaN, code];
  }));
  const found = new Set(known?.values);
  const words = names && checking.readsFile ? wordsIn(checking, order) : undefined;
  const isWhole = known && (words !== undefined || found.size === codes.size) &&
    [...found].every((one) => codes.has(one));
  if (isWhole) {
    const own = known.values.map((one) => codes.get(one)!);
    const made = hostArray(checking, own, known.shape, "int", call);
    return words ? { ...made, origin: "series", labels: words, levels: words } : made;
  }
  const message = "Cannot order these categories: wanted each value of the column among them";
  return checking.error("names/wrong-kind", message, call);
}

/** A frame with a column of zeros and ones for each category of its columns of names, behind the others. */
function dummyFrame(
  checking: Checking,
  call: Call,
  { columns }: FrameValue,
  asked: Value | undefined,
  dropFirst: boolean,
): Value {
  const named = asked?.kind === "sequence"
    ? asked.items.map((item) => item.kind === "text" ? item.value : "")
    : [...columns].flatMap(([name, x]) =>
      x.kind === "numeric" && namesOf(checking, x) ? [name] : []
    );
  const made = new Map([...columns].filter(([name]) => !named.includes(name)));
  for (const name of named) {
    const x = columns.get(name);
    const found = x?.kind === "numeric" ? categoriesOf(checking, x) : undefined;
    if (!found || x?.kind !== "numeric") {
      const message = `Cannot make dummy columns of "${name}": wanted a column of the frame`;
      return checking.error("names/unknown-column", message, call);
    }
    const labels = namesOf(checking, x);
    for (let code = dropFirst ? 1 : 0; code < found.order.length; code++) {
      const own = found.codes.map((one) => one === code ? 1 : 0);
      const array = hostArray(checking, own, [own.length], "int", call);
      const title = `${name}_${labels?.[found.order[code]] ?? found.order[code]}`;
      made.set(title, { ...array, origin: "series" });
    }
  }
  return { kind: "frame", columns: made };
}

/** A matrix of zeros and ones: a column for each category, in order. */
function dummyColumns(
  checking: Checking,
  call: Call,
  x: NumericValue,
  dropFirst: boolean,
): Value {
  const found = categoriesOf(checking, x);
  if (!found || found.codes.length !== checking.graph.shapeOf(x.node)[0]) {
    return refuseRandom({ checking, place: call.callee, text: "pd.get_dummies" }) ?? invalid;
  }
  const skipped = dropFirst ? 1 : 0;
  const width = found.order.length - skipped;
  const values = new Float64Array(found.codes.length * width);
  found.codes.forEach((code, row) => {
    if (code >= skipped) values[row * width + code - skipped] = 1;
  });
  return hostArray(checking, values, [found.codes.length, width], "int", call);
}

/** Codes from 0 in the order of pandas' categories: of names the alphabet, of numbers their size. */
function categoriesOf(
  checking: Checking,
  x: NumericValue,
): { readonly codes: Float64Array; readonly order: readonly number[] } | undefined {
  const found = checking.graph.valueOf(x.node);
  if (!found) return undefined;
  const names = namesOf(checking, x);
  if (x.levels) return { codes: found.values, order: x.levels.map((_, code) => code) };
  const distinct = [...new Set(found.values)];
  const order = names
    ? distinct.sort((a, b) => names[a] < names[b] ? -1 : 1)
    : ascending(Float64Array.from(distinct)).map((i) => distinct[i]);
  const codeOf = new Map(order.map((value, code) => [value, code]));
  return { codes: Float64Array.from(found.values, (value) => codeOf.get(value)!), order };
}

/** `.codes` and `.categories` of a categorical; undefined of other attributes. */
export function categoricalAttribute(
  checking: Checking,
  place: Place,
  x: NumericValue,
  name: string,
): Value | undefined {
  if (name !== "codes" && name !== "categories") return undefined;
  const found = categoriesOf(checking, x);
  if (!found) return undefined;
  if (name === "categories") return labels(checking, place, x, found.order);
  return hostArray(checking, found.codes, checking.graph.shapeOf(x.node), "int", place);
}

/** `.unique()` in the order of first appearance, `.nunique()`. */
export function distinctValues(
  checking: Checking,
  place: Place,
  x: NumericValue,
  name: "unique" | "nunique",
): Value | undefined {
  const found = checking.graph.valueOf(x.node);
  if (!found) return undefined;
  const distinct = [...new Set(found.values)];
  if (name === "nunique") return pythonNumber(checking, distinct.length, "int");
  const made = hostArray(checking, Float64Array.from(distinct), [distinct.length], x.dtype, place);
  return x.labels ? { ...made, labels: x.labels } : made;
}

/** `.map({"a": 0, "b": 1})` and `.replace({…})`, by names of categories, or by values. */
export function mapped(
  checking: Checking,
  { call, positional }: Arguments,
  x: NumericValue,
  name: "map" | "replace",
): Value {
  const known = checking.graph.valueOf(x.node);
  const table = positional[0]?.value;
  const text = checking.text(call.callee);
  const [from, to] = positional.map(({ value }) => value);
  if (name === "replace" && from?.kind === "text" && to?.kind === "text") {
    const words = wordsIn(checking, x)?.map((one) => one === from.value ? to.value : one);
    if (words) return wordColumn(checking, words, call);
  }
  if (!known || positional.length !== 1 || table?.kind !== "dictionary") {
    const message = `Cannot call ${text}: wanted one dictionary`;
    return checking.error("names/wrong-kind", message, call, 'write {"name": 0, ...}');
  }
  const names = namesOf(checking, x);
  const found = (value: number) =>
    (names ? table.entries.get(names[value]) : undefined) ??
      (names && checking.readsFile ? undefined : table.entries.get(value));
  if (x.levels && name === "map") {
    const levels = x.levels.map((one) => table.entries.get(one));
    const texts = levels.flatMap((one) => one?.kind === "text" ? [one.value] : []);
    const isOneToOne = new Set(texts).size === levels.length;
    if (isOneToOne) return { ...x, labels: texts, levels: texts };
  }
  const values = new Float64Array(known.values.length);
  const words = Array.from(known.values, (value) => {
    const one = found(value) ??
      (name === "replace" && names ? { kind: "text", value: names[value] } as const : undefined);
    return one?.kind === "text" ? one.value : undefined;
  });
  if (words.every((one) => one !== undefined)) return wordColumn(checking, words, call);
  for (const [i, value] of known.values.entries()) {
    const one = found(value);
    const number = one && one.kind === "numeric" ? checking.graph.constantOf(one.node) : undefined;
    const stays = one === undefined && name === "replace" && !names;
    if (number === undefined && !stays) {
      const what = names ? `"${names[value]}"` : `${value}`;
      const message = `Cannot call ${text}: the dictionary has no number for ${what}`;
      return checking.error("names/wrong-kind", message, positional[0].place);
    }
    values[i] = number ?? value;
  }
  const whole = values.every(Number.isInteger);
  const made = hostArray(checking, values, known.shape, whole ? "int" : "float", call);
  return { ...made, origin: x.origin };
}

/** No file is read: the host's data stand for it. */
function hostData(checking: Checking, call: Call, name: string): Value {
  checking.frame = true;
  checking.readsFile ||= !call.arguments.some(({ keyword }) => keyword?.id === "converters");
  const message = `pd.${name} reads no file: the data that the host was given stand for it`;
  checking.findings.note("notes/data-of-the-host", message, call.callee);
  return readAs(checking, call);
}

/** Reads what the arguments of `read_csv` make of the data: columns of dates, a column that names the rows. */
function readAs(checking: Checking, call: Call): Value {
  const asked = (name: string) => {
    const found = call.arguments.find(({ keyword }) => keyword?.id === name)?.value;
    return found && ["string", "list", "number"].includes(found.kind)
      ? checking.evaluate(found)
      : undefined;
  };
  const dates = asked("parse_dates");
  const unread = call.arguments.find(({ keyword }) =>
    keyword?.id === "dayfirst" || keyword?.id === "date_format"
  );
  if (unread) {
    const message = `Cannot read dates with ${unread.keyword!.id}=`;
    const hint = `write pd.to_datetime(df["day"], ${
      unread.keyword!.id === "dayfirst" ? "dayfirst=True" : 'format="%d/%m/%Y"'
    })`;
    return checking.error("unsupported/value", message, unread.value, hint);
  }
  for (const item of dates?.kind === "sequence" ? dates.items : []) {
    const column = item.kind === "text" ? checking.columns.get(item.value) : undefined;
    if (!column?.categories || column === checking.response) continue;
    const days = dateColumn(checking, wordsOfColumn(checking, column.name), call);
    if (days) checking.added.set(column.name, days);
  }
  const index = asked("index_col");
  const names = namesOfData(checking);
  const name = index?.kind === "text" ? index.value : names[numberOf(checking, index) ?? NaN];
  if (name === undefined || !names.includes(name)) return { kind: "data" };
  const { columns } = wholeFrame(checking, call);
  const own = columns.get(name)!;
  if (own.kind === "response") return { kind: "data" };
  const kept = [...columns].filter(([one]) => one !== name);
  if (own.kind === "numeric") checking.rowNames = own;
  return { kind: "frame", columns: new Map(kept), index: [name, own] };
}

function wordsOfColumn(checking: Checking, name: string): NumericValue {
  const { values, categories } = checking.columns.get(name)!;
  const node = checking.graph.column(name, [values.length]);
  return { kind: "numeric", node, dtype: "int", origin: "series", labels: categories };
}

/** Codes from 0 in the order of first appearance, or of size, and the labels of the codes. */
export function factorize(
  checking: Checking,
  call: Call,
  x: NumericValue,
  sorted: boolean,
): Value {
  const found = checking.graph.valueOf(x.node);
  if (!found) {
    return refuseRandom({ checking, place: call.callee, text: checking.text(call.callee) }) ??
      invalid;
  }
  const distinct = [...new Set(found.values)];
  const order = sorted ? ascending(Float64Array.from(distinct)).map((i) => distinct[i]) : distinct;
  const codeOf = new Map(order.map((value, code) => [value, code]));
  const codes = Float64Array.from(found.values, (value) => codeOf.get(value)!);
  const items = [
    hostArray(checking, codes, found.shape, "int", call),
    labels(checking, call, x, order),
  ];
  return { kind: "sequence", form: "tuple", items };
}

/** Names, of a column of categories; otherwise the values. */
function labels(
  checking: Checking,
  place: Place,
  x: NumericValue,
  order: readonly number[],
): NumericValue | SequenceValue {
  const names = namesOf(checking, x);
  if (!names) {
    return hostArray(checking, Float64Array.from(order), [order.length], x.dtype, place);
  }
  const items = order.map((code): Value => ({ kind: "text", value: names[code] }));
  return { kind: "sequence", form: "list", items };
}
