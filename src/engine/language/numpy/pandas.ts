/** Calls of pandas: a file that is read is the host's data, codes of categories are arrays. */
import { hostArray, numeric, pythonNumber } from "../interpreter/arrays.ts";
import { flagArgument } from "./array_function.ts";
import { type Arguments, bind, carriesResponse, evaluateArguments } from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { binned } from "./bins.ts";
import { ascending } from "./numpy_functions.ts";
import { refuseRandom } from "./refuse_random.ts";
import type { Place } from "../syntax/source.ts";
import type { Call } from "../syntax/tree.ts";
import {
  type FrameValue,
  invalid,
  type NumericValue,
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
  if (levels && isSorted) {
    const items = levels.map((value): Value => ({ kind: "text", value }));
    const labels: Value = { kind: "sequence", form: "list", items };
    return { kind: "sequence", form: "tuple", items: [given.value, labels] };
  }
  if (levels) {
    const message = "Cannot number the levels of the response as its rows come";
    const hint = "write pd.factorize(…, sort=True), or pd.Categorical(…).codes";
    return checking.error("lh/protected-use-before-score", message, call, hint);
  }
  if (carriesResponse(given.value)) return checking.derive(call, given.value);
  const x = numeric(checking, given.value, given.place, "pd.factorize");
  return x ? factorize(checking, call, x, isSorted) : invalid;
}

/** `pd.Categorical(x)` is x until it is asked for codes; `pd.get_dummies(x)` a column for each. */
function ofCategories(checking: Checking, call: Call, name: string): Value {
  const args = evaluateArguments(checking, call);
  const text = `pd.${name}`;
  const dummies = name === "get_dummies";
  const bound = args && bind(checking, args, text, {
    names: dummies ? ["data"] : ["values"],
    required: 1,
    keywordOnly: dummies ? ["drop_first", "columns"] : ["categories"],
    ignored: dummies ? ["dtype", "prefix", "prefix_sep", "dummy_na"] : ["ordered"],
  });
  const given = bound?.get(dummies ? "data" : "values");
  if (!given) return invalid;
  if (given.value.kind === "ignored") return given.value;
  if (given.value.kind === "response" && !dummies) return given.value;
  if (given.value.kind === "frame" && dummies) {
    const asked = bound!.get("columns")?.value;
    const first = flagArgument({ checking, place: call, text }, bound!, "drop_first", false);
    return dummyFrame(checking, call, given.value, asked, first);
  }
  if (carriesResponse(given.value)) return checking.derive(call, given.value);
  const x = numeric(checking, given.value, given.place, text);
  const order = bound!.get("categories")?.value;
  if (x && order) return inOrder(checking, call, x, order);
  if (!x || !dummies) return x ?? invalid;
  const site = { checking, place: call, text };
  return dummyColumns(checking, call, x, flagArgument(site, bound!, "drop_first", false));
}

/** Codes in the order of categories that the program says, where each of them stands in the column. */
export function inOrder(checking: Checking, call: Call, x: NumericValue, order: Value): Value {
  const names = namesOf(checking, x);
  const known = checking.graph.valueOf(x.node);
  const items = order.kind === "sequence" ? order.items : [];
  const codes = new Map(items.map((item, code) => {
    if (names) return [item.kind === "text" ? names.indexOf(item.value) : NaN, code];
    return [item.kind === "numeric" ? checking.graph.constantOf(item.node) : NaN, code];
  }));
  const found = new Set(known?.values);
  const isWhole = known && found.size === codes.size && [...found].every((one) => codes.has(one));
  if (isWhole) {
    const own = known.values.map((one) => codes.get(one)!);
    return hostArray(checking, own, known.shape, "int", call);
  }
  const message = "Cannot order these categories: wanted each value of the column once";
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
      made.set(`${name}_${labels?.[found.order[code]] ?? found.order[code]}`, array);
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
  const distinct = [...new Set(found.values)];
  const order = names
    ? distinct.sort((a, b) => names[a] < names[b] ? -1 : 1)
    : ascending(Float64Array.from(distinct)).map((i) => distinct[i]);
  const codeOf = new Map(order.map((value, code) => [value, code]));
  return { codes: Float64Array.from(found.values, (value) => codeOf.get(value)!), order };
}

/** Names of the codes of a column of categories. */
export function namesOf(checking: Checking, x: NumericValue): readonly string[] | undefined {
  const node = checking.graph.nodes[x.node];
  return node.kind === "column" ? checking.columns.get(node.column)?.categories : undefined;
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
  return hostArray(checking, Float64Array.from(distinct), [distinct.length], x.dtype, place);
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
  if (!known || positional.length !== 1 || table?.kind !== "dictionary") {
    const message = `Cannot call ${text}: wanted one dictionary`;
    return checking.error("names/wrong-kind", message, call, 'write {"name": 0, ...}');
  }
  const names = namesOf(checking, x);
  const found = (value: number) =>
    (names ? table.entries.get(names[value]) : undefined) ?? table.entries.get(value);
  const values = new Float64Array(known.values.length);
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
  const message = `pd.${name} reads no file: the data that the host was given stand for it`;
  checking.findings.note("notes/data-of-the-host", message, call.callee);
  return { kind: "data" };
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
