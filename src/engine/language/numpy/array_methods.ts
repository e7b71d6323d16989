/** Methods of arrays and of columns, as NumPy, pandas and PyTensor have them. */
import { shapeArgument } from "./array_function.ts";
import { applyMap, numberOf, numeric, shapeOf } from "../interpreter/arrays.ts";
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
import { distinctValues, factorize, inOrder, mapped, namesOf } from "./pandas.ts";
import { reshapeArray } from "./rearranging.ts";
import { varianceOver } from "./reductions.ts";
import { setPart } from "./subtensors.ts";
import type { Call } from "../syntax/tree.ts";
import { invalid, type NumericValue, type Value } from "../interpreter/values.ts";

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
      if (!type) return refuseMethod(checking, args, "wanted a type", "write .astype(int)");
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
  return refuseMethod(checking, args, "no such method in the subset");
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
