/** Methods of arrays, lists, dictionaries, the data set and the model. */
import { applyMap, numberOf, numeric, shapeOf } from "./arrays.ts";
import {
  allArguments,
  anyTouchesResponse,
  type Arguments,
  bind,
  evaluateArguments,
} from "./bind.ts";
import { setPart } from "./assigned_parts.ts";
import type { Checking } from "./checking.ts";
import { columnValue } from "./columns.ts";
import { keyValue } from "./comprehensions.ts";
import { addCoordinates } from "./dimensions.ts";
import { elementwise } from "./elementwise.ts";
import { keyOf } from "./evaluate.ts";
import { shapeArgument } from "./array_function.ts";
import { castArray } from "./creation.ts";
import { arrayFunctions } from "./library.ts";
import { reshapeArray } from "./rearranging.ts";
import { varianceOver } from "./reductions.ts";
import { numpyFunctions } from "./numpy_functions.ts";
import { distinctValues, factorize, mapped } from "./pandas.ts";
import { callDist } from "./pymc.ts";
import type { Call } from "../syntax/tree.ts";
import {
  describeValue,
  ignored,
  invalid,
  type MethodValue,
  none,
  type NumericValue,
  type SequenceValue,
  type Value,
} from "./values.ts";

/** `object.method(…)`. */
export function callMethod(checking: Checking, call: Call, method: MethodValue): Value {
  const { object, name } = method;
  if (object.kind === "builtin") return callDist(checking, call, object.name);
  if (object.kind === "model" && isSilent(name)) return ignored;
  const changed = setPart(checking, call, object, name);
  if (changed) return changed;
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  switch (object.kind) {
    case "response":
      return responseMethod(checking, args, object, name);
    case "derived":
    case "observed":
      return checking.derive(call, object);
    case "numeric":
      return arrayMethod(checking, args, object, name);
    case "sequence":
      return sequenceMethod(checking, args, object, name);
    case "dictionary":
      return dictionaryMethod(checking, args, object.entries, name);
    case "data":
      return dataMethod(checking, args, name);
    case "model":
      return modelMethod(checking, args, name);
    default:
      return refuse(checking, args, `methods of ${describeValue(object)} are not in the subset`);
  }
}

function refuse(checking: Checking, { call }: Arguments, why: string, hint?: string): Value {
  const place = call.callee.kind === "attribute" ? call.callee.name : call.callee;
  const message = `Cannot call ${checking.text(call.callee)}: ${why}`;
  return checking.error("unsupported/function", message, place, hint);
}

const keeping = new Set(["to_numpy", "copy", "flatten", "ravel", "squeeze", "reset_index"]);

/** Arguments of these that do not touch the values. */
const harmless = new Set(["copy", "deep", "order", "drop"]);

/** Methods that leave the response what it is; all others compute something from it. */
function responseMethod(checking: Checking, args: Arguments, object: Value, name: string): Value {
  const plain = args.positional.length === 0 &&
    [...args.keywords.keys()].every((keyword) => harmless.has(keyword));
  if (plain && keeping.has(name) && checking.responseShape.length <= 1) return object;
  if (plain && (name === "to_numpy" || name === "copy")) return object;
  if (name === "astype") {
    const type = args.positional[0]?.value;
    const text = type?.kind === "builtin" ? type.name : type?.kind === "text" ? type.value : "";
    const whole = checking.response?.values.every(Number.isInteger) ?? false;
    if (/^float/.test(text) || (/^u?int/.test(text) && whole)) return object;
  }
  if (name === "reshape" && checking.responseShape.length === 1) {
    const shape = args.positional.map(({ value }) => numberOf(checking, value));
    const rows = checking.dataset.rows;
    if (shape.length === 1 && (shape[0] === -1 || shape[0] === rows)) return object;
  }
  return checking.derive(args.call, object);
}

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

function arrayMethod(
  checking: Checking,
  args: Arguments,
  object: NumericValue,
  name: string,
): Value {
  if (anyTouchesResponse(allArguments(args))) return checking.derive(args.call);
  const site = { checking, place: args.call, text: checking.text(args.call.callee) };
  switch (name) {
    case "factorize":
      return factorize(checking, args.call, object, false);
    case "to_numpy":
    case "copy":
    case "to_list":
    case "tolist":
    case "eval":
    case "get_value":
      return object;
    case "item":
      return object;
    case "astype": {
      const type = args.positional[0]?.value ?? args.keywords.get("dtype")?.value;
      if (!type) return refuse(checking, args, "wanted a type", "write .astype(int)");
      return castArray(site, object, type) ?? invalid;
    }
    case "reshape": {
      const [first] = args.positional;
      if (!first) return refuse(checking, args, "wanted a shape");
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
        refuse(checking, args, "its values are known only while sampling");
    case "map":
    case "replace":
      return mapped(checking, args, object, name);
    case "round":
    case "clip":
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
  return refuse(checking, args, "no such method in the subset");
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
  const bound = bind(checking, all, text, { ...f, required: f.required });
  return (bound && f.apply({ checking, place: call, text }, bound)) ?? invalid;
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
  if (numbers.length !== names.length) return refuse(checking, args, "arguments are missing");
  const node = build(checking.graph, ...numbers.map((number) => number.node));
  return { ...object, node, dtype: name === "isnan" ? "bool" : object.dtype };
}

/** NumPy divides by n, pandas by n − 1; which one a column of the data is depends on the program. */
function spread(checking: Checking, args: Arguments, object: NumericValue, name: string): Value {
  const text = checking.text(args.call.callee);
  const site = { checking, place: args.call, text };
  const given = args.keywords.get("ddof");
  const ddof = given ? numberOf(checking, given.value) : undefined;
  if (object.origin === "series" && ddof === undefined && !checking.frame) {
    const hint = `write np.${name}(...), which divides by n, or give ddof=`;
    return refuse(checking, args, "NumPy divides by n, pandas by n - 1", hint);
  }
  const axes = axisOf(checking, args, object);
  if (!axes) return refuse(checking, args, "wanted axis= and ddof= only");
  const lost = ddof ?? (object.origin === "series" ? 1 : 0);
  const variance = varianceOver(site, object, axes, false, lost);
  if (!variance || name === "var") return variance ?? invalid;
  return viaFold(checking, applyMap(checking, "sqrt", [variance], args.call, "float"));
}

function viaFold(checking: Checking, value: NumericValue | undefined): Value {
  if (!value) return invalid;
  const known = checking.graph.valueOf(value.node);
  return known ? { ...value, node: checking.graph.array(known.values, known.shape) } : value;
}

function axisOf(checking: Checking, args: Arguments, object: NumericValue): number[] | undefined {
  const rank = shapeOf(checking, object).length;
  const given = args.positional[0] ?? args.keywords.get("axis");
  if (!given) return Array.from({ length: rank }, (_, i) => i);
  const axis = numberOf(checking, given.value);
  if (axis === undefined || axis < -rank || axis >= rank) return undefined;
  return [axis < 0 ? axis + rank : axis];
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
    object.items.push(...first.value.items);
    return none;
  }
  if (name === "copy") return { ...object, items: [...object.items] };
  if (name === "index" || name === "count") {
    const key = first && keyOf(checking, first.value);
    const found = object.items.findIndex((item) => keyOf(checking, item) === key);
    if (name === "index" && key !== undefined && found >= 0) return keyValue(checking, found);
  }
  return refuse(checking, args, `no such method of a ${object.form} in the subset`);
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
  return refuse(checking, args, "no such method of a dictionary in the subset");
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
  if (name === "head" || name === "describe") return ignored;
  const text = checking.text(args.call.callee);
  return refuse(
    checking,
    args,
    "columns are reached by subscript",
    `write ${text.replace(/\.\w+$/, "")}["name"]`,
  );
}

/** Methods of the model that have nothing to do with what it means. */
function isSilent(name: string): boolean {
  return [
    "debug",
    "point_logps",
    "to_graphviz",
    "initial_point",
    "check_start_vals",
    "compile_logp",
  ]
    .includes(name);
}

function modelMethod(checking: Checking, args: Arguments, name: string): Value {
  if (name === "add_coord" || name === "add_coords") return addCoordinates(checking, args, name);
  const why = name === "register_rv" || name === "add_random_variable"
    ? "variables are made by pm.Family(...)"
    : "no such method of the model in the subset";
  return refuse(checking, args, why);
}
