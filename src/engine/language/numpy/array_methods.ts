/** Methods of arrays and of columns, as NumPy, pandas and PyTensor have them. */
import { shapeArgument } from "./array_function.ts";
import {
  applyMap,
  hostArray,
  isHost,
  numberOf,
  numeric,
  pythonNumber,
  refuseGaps,
  shapeOf,
} from "../interpreter/arrays.ts";
import {
  allArguments,
  anyTouchesResponse,
  type Arguments,
  bind,
  evaluateArguments,
} from "../interpreter/bind.ts";
import type { Checking } from "../interpreter/checking.ts";
import { castArray } from "../interpreter/conversions.ts";
import { elementwise } from "./elementwise.ts";
import { arrayFunctions } from "./library.ts";
import { piped } from "../interpreter/frame_parts.ts";
import { refuseMethod } from "../interpreter/methods.ts";
import { numpyFunctions } from "./numpy_functions.ts";
import { appliedEach, belongs } from "./bins.ts";
import { distinctValues, factorize, inOrder, mapped } from "./pandas.ts";
import { namesOf, wordColumn, wordsIn, wordsMethod } from "../interpreter/words.ts";
import { laggedColumn } from "../interpreter/lags.ts";
import { compareOnce, operatorMethod } from "../interpreter/operators.ts";
import { dateMethod } from "../interpreter/dates.ts";
import { filledColumn, heldValues, lacking } from "../interpreter/gaps.ts";
import { keyedMethod, keysIn, mappedByKeys } from "../interpreter/keyed_columns.ts";
import { reshapeArray } from "./rearranging.ts";
import { varianceOver } from "./reductions.ts";
import { setPart } from "./subtensors.ts";
import type { Call, Expression } from "../syntax/tree.ts";
import {
  type BuiltinValue,
  invalid,
  type NumericValue,
  type Value,
} from "../interpreter/values.ts";

const reductions = new Set([
  "sum",
  "prod",
  "mean",
  "max",
  "min",
  "any",
  "all",
  "cumsum",
  "cumprod",
  "dot",
  "flatten",
  "ravel",
  "squeeze",
  "transpose",
  "repeat",
  "argmax",
  "argmin",
  "argsort",
  "nonzero",
]);

/** Methods of columns for comparisons. */
const comparisonsByName: Readonly<Record<string, string>> = {
  eq: "==",
  ne: "!=",
  gt: ">",
  ge: ">=",
  lt: "<",
  le: "<=",
};

/** `x.eq("word")` as `x == "word"`. */
function comparedByName(
  checking: Checking,
  call: Call,
  op: string,
  object: NumericValue,
  value: Value,
  place: Expression,
): Value {
  const e = { ...call, operands: [call.callee, place], ops: [op] };
  return compareOnce(checking, e, 0, [object, value]);
}

/** `array.method(…)`. */
export function callArrayMethod(
  checking: Checking,
  call: Call,
  object: NumericValue,
  name: string,
): Value {
  const changed = setPart(checking, call, object, name);
  if (changed) return changed;
  const args = evaluateArguments(checking, call);
  return args ? arrayMethod(checking, args, object, name) : invalid;
}

function arrayMethod(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  name: string,
): Value {
  const { call } = args;
  if (anyTouchesResponse(allArguments(args))) return checking.derive(call);
  const own = methodOfColumn(checking, args, object, name);
  if (own) return own;
  const site = { checking, place: args.call, text: checking.text(args.call.callee) };
  switch (name) {
    case "factorize":
      return factorize(checking, args.call, object, false);
    case "copy":
      return object;
    case "to_numpy":
    case "to_list":
    case "tolist": {
      const words = object.labels && wordsIn(checking, object);
      const { keyed: _, ...plain } = object;
      if (!words) return isHost(object) ? { ...plain, origin: "numpy" } : object;
      const items = words.map((value): Value => ({ kind: "text", value }));
      return { kind: "sequence", form: "list", items };
    }
    case "eval":
    case "get_value":
      return object;
    case "item":
      return object;
    case "astype": {
      const type = args.positional[0]?.value ?? args.keywords.get("dtype")?.value;
      if (!type) return refuseMethod(checking, args, "wanted a type", "write .astype(int)");
      const words = isText(type) && checking.readsFile
        ? textsOfNumbers(checking, call, object)
        : undefined;
      if (words) return words;
      const text = isText(type) && object.levels ? wordsIn(checking, object) : undefined;
      if (text) return wordColumn(checking, text, call);
      return castArray(site, object, type) ?? invalid;
    }
    case "reshape": {
      const [first] = args.positional;
      if (!first) return refuseMethod(checking, args, "wanted a shape");
      const items = args.positional.map(({ value }) => value);
      const value: Value = items.length > 1
        ? { kind: "sequence", form: "tuple", items }
        : first.value;
      const shape = shapeArgument(site, { ...first, value }, true);
      return (shape && reshapeArray(site, object, shape)) ?? invalid;
    }
    case "std":
    case "var":
      return spread(checking, args, object, name);
    case "median":
    case "quantile":
      return viaFunction(checking, args, object, numpyFunctions[name]);
    case "unique":
    case "nunique":
      return distinctValues(checking, args.call, object, name) ??
        refuseMethod(checking, args, "its values are known only while sampling");
    case "pipe":
      return piped(checking, object, args) ??
        refuseMethod(checking, args, "wanted a function of the program");
    case "set_categories":
    case "reorder_categories": {
      const order = args.positional[0]?.value;
      return order
        ? inOrder(checking, args.call, object, order)
        : refuseMethod(checking, args, "wanted a list of categories");
    }
    case "apply":
    case "map": {
      const f = args.positional[0]?.value;
      const isPlain = args.positional.length === 1 && args.keywords.size === 0;
      const each = f?.kind === "function" && isPlain
        ? appliedEach(checking, args.call, object, f, namesOf(checking, object))
        : undefined;
      if (each) return each;
      const byKeys = f?.kind === "numeric" && isPlain
        ? mappedByKeys(checking, object, f, args.call)
        : undefined;
      if (byKeys) return byKeys;
      const applied = f?.kind === "builtin" && isPlain
        ? appliedBuiltin(checking, args, object, f)
        : undefined;
      if (applied) return applied;
      if (name === "map") return mapped(checking, args, object, name);
      return refuseMethod(checking, args, "wanted a function of one value");
    }
    case "replace":
      return mapped(checking, args, object, name);
    case "isin":
    case "between": {
      const names = namesOf(checking, object);
      return belongs(checking, args, object, { name, names }) ??
        refuseMethod(checking, args, "wanted values that are known");
    }
    case "round":
      return rounded(checking, args, object) ?? viaElementwise(checking, args, object, name);
    case "clip":
      return clipped(checking, args, object);
    case "abs":
      return viaElementwise(checking, args, object, name);
    case "isnull":
    case "isna":
      return viaElementwise(checking, { ...args, positional: [] }, object, "isnan");
    case "fillna":
    case "dropna":
      return object;
  }
  if (reductions.has(name)) {
    return viaFunction(checking, args, object, arrayFunctions.np[name] ?? numpyFunctions[name]);
  }
  return refuseMethod(checking, args, "no such method in the subset");
}

/** Methods of words, dates and columns with keys; undefined of those of all arrays. */
function methodOfColumn(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  name: string,
): Value | undefined {
  const { call } = args;
  if (object.accessor === "str") {
    return wordsMethod(checking, object, name, args) ??
      refuseMethod(checking, args, "no such method of words in the subset, or a pattern");
  }
  if (object.accessor === "dt") {
    return dateMethod(checking, call, object, name) ??
      refuseMethod(checking, args, "no such part of dates in the subset");
  }
  if (object.dated) {
    if (name === "min" || name === "max") {
      const { dated, ...days } = object;
      const made = viaFunction(checking, args, days, arrayFunctions.np[name]);
      return made.kind === "numeric" ? { ...made, dated } : made;
    }
    if (["copy", "to_numpy", "reset_index"].includes(name)) return object;
  }
  if (object.gaps) {
    return methodWithGaps(checking, args, object, name) ?? refuseGaps(checking, object, call);
  }
  if (["shift", "diff", "pct_change", "rolling"].includes(name)) {
    return laggedColumn(checking, object, name, args) ??
      refuseMethod(
        checking,
        args,
        "wanted a whole number of rows",
        "add it to the data as a column",
      );
  }
  if (Object.hasOwn(comparisonsByName, name) && args.positional.length === 1) {
    const [{ value, place }] = args.positional;
    return comparedByName(checking, call, comparisonsByName[name], object, value, place);
  }
  const operated = object.origin === "series"
    ? operatorMethod(checking, object, name, args)
    : undefined;
  if (operated) return operated;
  if (name === "index" && args.positional.length === 1) return placeOf(checking, args, object);
  if (name === "drop_duplicates") return distinctValues(checking, call, object, "unique");
  if (name === "value_counts" && args.positional.length + args.keywords.size === 0) {
    return valueCounts(checking, call, object) ?? refuseMethod(
      checking,
      args,
      "two of its values are as frequent, so that their order is not told",
      "write .groupby(…).size()",
    );
  }
  return keyedMethod(checking, object, name, args);
}

/** Methods of a column that lacks values; undefined of those that want them all. */
function methodWithGaps(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  name: string,
): Value | undefined {
  const { call, positional, keywords } = args;
  if (["copy", "to_numpy", "infer_objects"].includes(name)) return object;
  if (["isna", "isnull", "notna", "notnull"].includes(name)) {
    return lacking(checking, object, name.startsWith("is"), call);
  }
  if (name === "fillna") {
    const given = positional[0] ?? keywords.get("value");
    return given && positional.length + keywords.size === 1
      ? filledColumn(checking, object, given.value, given.place)
      : undefined;
  }
  const held = ["mean", "median", "std", "var", "min", "max", "sum", "quantile"].includes(name)
    ? heldValues(checking, object, call)
    : undefined;
  return held && arrayMethod(checking, args, held, name);
}

function viaFunction(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  f: (typeof numpyFunctions)[string],
): Value {
  const text = checking.text(args.call.callee);
  const { call } = args;
  const self = { value: object, place: call.callee };
  const all: Arguments = { ...args, positional: [self, ...args.positional] };
  const bound = bind(checking, all, text, { ...f, aliases: {} });
  return (bound && f.apply({ checking, place: call, text }, bound)) ?? invalid;
}

/** `x.clip(0, 1)`, `x.clip(upper=1)`: both ends, or one of them. */
function clipped(checking: Checking, args: Arguments, object: NumericValue): Value {
  const { positional, keywords } = args;
  const known = ["lower", "upper", "min", "max"];
  if (positional.length > 2 || [...keywords.keys()].some((name) => !known.includes(name))) {
    return refuseMethod(checking, args, "wanted lower= and upper= only");
  }
  const [low, high] = [["lower", "min"], ["upper", "max"]].map((names, k) => {
    const given = positional[k] ?? names.map((name) => keywords.get(name)).find((one) => one);
    return given?.value.kind === "none" ? undefined : given;
  });
  const ends = [low, high].filter((one) => one !== undefined);
  const name = low && high ? "clip" : low ? "maximum" : "minimum";
  return viaElementwise(checking, { ...args, positional: ends, keywords: new Map() }, object, name);
}

/** `x.round(1)`: to decimals, halves to the even digit; undefined where no decimals are asked for. */
function rounded(checking: Checking, args: Arguments, object: NumericValue): Value | undefined {
  const given = (args.positional[0] ?? args.keywords.get("decimals"))?.value;
  const decimals = given && numberOf(checking, given);
  if (given === undefined || decimals === 0) return undefined;
  const known = checking.graph.valueOf(object.node);
  if (!known || decimals === undefined || !(decimals > 0 && decimals < 16)) {
    return refuseMethod(checking, args, "wanted a few decimals of numbers that are known");
  }
  const scale = Number(`1e${decimals}`);
  const values = known.values.map((one) => toEven(one * scale) / scale);
  const made = hostArray(checking, values, known.shape, object.dtype, args.call);
  return { ...made, origin: object.origin };
}

/** The nearest whole number, of two the even one. */
function toEven(x: number): number {
  const down = Math.floor(x);
  if (x - down !== 0.5) return Math.round(x);
  return down % 2 === 0 ? down : down + 1;
}

function viaElementwise(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  name: string,
): Value {
  const { names, build } = elementwise.np[name];
  const numbers = [object];
  const given = [...args.positional, ...args.keywords.values()];
  for (const { value, place } of given.slice(0, names.length - 1)) {
    const number = numeric(checking, value, place, name);
    if (!number) return invalid;
    numbers.push(number);
  }
  if (numbers.length !== names.length) return refuseMethod(checking, args, "arguments are missing");
  const node = build(checking.graph, ...numbers.map((number) => number.node));
  return { ...object, node, dtype: name === "isnan" ? "bool" : object.dtype };
}

/** `x.apply(np.log)`, `x.apply(str)`: a function of NumPy's or Python's at each value. */
function appliedBuiltin(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  { module, name }: BuiltinValue,
): Value | undefined {
  if (module === "python") {
    const method = /^str\.(\w+)$/.exec(name)?.[1];
    if (method) return wordsMethod(checking, object, method, { ...args, positional: [] });
    if (name === "str") return textsOfNumbers(checking, args.call, object) ?? object;
    if (!["int", "float", "bool"].includes(name)) return undefined;
    const site = { checking, place: args.call, text: checking.text(args.call.callee) };
    return castArray(site, object, { kind: "text", value: name });
  }
  if (module !== "np" || elementwise.np[name]?.names.length !== 1) return undefined;
  const made = viaElementwise(checking, { ...args, positional: [] }, object, name);
  return made.kind === "numeric" ? { ...made, dtype: "float" } : made;
}

/** Whether a type is that of strings. */
function isText(type: Value): boolean {
  return (type.kind === "builtin" && type.name === "str") ||
    (type.kind === "text" && ["str", "string"].includes(type.value));
}

/** Numbers as Python writes them; undefined of words, and of numbers that are not known. */
function textsOfNumbers(checking: Checking, call: Call, x: NumericValue): NumericValue | undefined {
  const known = x.labels || x.dated ? undefined : checking.graph.valueOf(x.node);
  if (!known || known.shape.length !== 1) return undefined;
  const isFloat = x.dtype === "float";
  const plain = Array.from(known.values).every((one) =>
    Math.abs(one) < 1e15 && (one === 0 || Math.abs(one) >= 1e-4)
  );
  if (!plain) return undefined;
  const words = Array.from(known.values, (one) => {
    if (x.dtype === "bool") return one ? "True" : "False";
    return isFloat && Number.isInteger(one) ? `${one}.0` : `${one}`;
  });
  return wordColumn(checking, words, call);
}

/** How often each value occurs, the most frequent first; undefined where two are as frequent. */
function valueCounts(checking: Checking, call: Call, x: NumericValue): NumericValue | undefined {
  const known = checking.graph.valueOf(x.node)?.values;
  const counts = new Map<number, number>();
  for (const one of known ?? []) counts.set(one, (counts.get(one) ?? 0) + 1);
  const order = [...counts].sort((a, b) => b[1] - a[1]);
  if (new Set(counts.values()).size < counts.size) return undefined;
  const column = (values: readonly number[]) =>
    hostArray(checking, Float64Array.from(values), [values.length], "int", call);
  const keys: NumericValue = {
    ...column(order.map(([value]) => value)),
    dtype: x.dtype,
    origin: "series",
    ...(x.labels && { labels: x.labels }),
  };
  const made = column(order.map(([, count]) => count));
  return { ...made, origin: "series", keyed: { keys: new Map([["index", keys]]), name: "count" } };
}

/** `levels.index(x)` of a list of numbers or words that an array gave. */
function placeOf(checking: Checking, args: Arguments, x: NumericValue): Value {
  const [asked] = keysIn(checking, args.positional[0].value) ?? [];
  const at = asked === undefined ? -1 : keysIn(checking, x)?.indexOf(asked) ?? -1;
  return at < 0
    ? refuseMethod(checking, args, "wanted one of its values")
    : pythonNumber(checking, at, "int");
}

/** NumPy divides by n, pandas by n − 1; which one a column of the data is depends on the program. */
function spread(checking: Checking, args: Arguments, object: NumericValue, name: string): Value {
  const text = checking.text(args.call.callee);
  const site = { checking, place: args.call, text };
  const given = args.keywords.get("ddof");
  const ddof = given ? numberOf(checking, given.value) : undefined;
  if (object.origin === "series" && ddof === undefined && !checking.frame) {
    const hint = `write np.${name}(...), which divides by n, or give ddof=`;
    return refuseMethod(checking, args, "NumPy divides by n, pandas by n - 1", hint);
  }
  const axes = axisOf(checking, args, object);
  if (!axes) return refuseMethod(checking, args, "wanted axis= and ddof= only");
  const lost = ddof ?? (object.origin === "series" ? 1 : 0);
  const variance = varianceOver(site, object, axes, false, lost);
  if (!variance || name === "var") return variance ?? invalid;
  return viaFold(checking, applyMap(checking, "sqrt", [variance], args.call, "float"));
}

function viaFold(checking: Checking, value: NumericValue | undefined): Value {
  if (!value) return invalid;
  const node = checking.graph.known(value.node);
  return node === undefined ? value : { ...value, node };
}

function axisOf(checking: Checking, args: Arguments, object: NumericValue): number[] | undefined {
  const rank = shapeOf(checking, object).length;
  const given = args.positional[0] ?? args.keywords.get("axis");
  if (!given) return Array.from({ length: rank }, (_, i) => i);
  const axis = numberOf(checking, given.value);
  if (axis === undefined || axis < -rank || axis >= rank) return undefined;
  return [axis < 0 ? axis + rank : axis];
}
