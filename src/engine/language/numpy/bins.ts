/** Columns put through a function of their values: bins of pandas, membership, lambdas. */
import { hostArray, numberOf, numeric } from "../interpreter/arrays.ts";
import { type Arguments, bind, evaluateArguments } from "../interpreter/bind.ts";
import type { Bound } from "./array_function.ts";
import type { Checking } from "../interpreter/checking.ts";
import { applyTo } from "../interpreter/inline.ts";
import { quantile } from "../../../numerics/math/mod.ts";
import type { Call } from "../syntax/tree.ts";
import {
  type FunctionValue,
  ignored,
  invalid,
  type NumericValue,
  type Value,
} from "../interpreter/values.ts";

/** Numbers of a list or an array that are known. */
function numbersOf(checking: Checking, value: Value | undefined): readonly number[] | undefined {
  if (value?.kind === "numeric") {
    const known = checking.graph.valueOf(value.node);
    return known && [...known.values];
  }
  const items = value?.kind === "sequence" ? value.items : [];
  const found = items.map((one) => numberOf(checking, one));
  return items.length > 0 && found.every((one) => one !== undefined)
    ? found as number[]
    : undefined;
}

/** `pd.cut(x, bins, labels=False)`, `pd.qcut(x, q, labels=False)`: the bin of each value, from 0. */
export function binned(checking: Checking, call: Call, name: "cut" | "qcut"): Value {
  const args = evaluateArguments(checking, call);
  const text = `pd.${name}`;
  const bound = args && bind(checking, args, text, {
    names: ["x", name === "cut" ? "bins" : "q"],
    required: 2,
    keywordOnly: ["labels", "right", "include_lowest", "retbins", "duplicates", "precision"],
  });
  const given = bound?.get("x");
  if (!bound || !given) return invalid;
  if (given.value.kind !== "numeric") {
    return given.value.kind === "ignored" ? ignored : checking.derive(call, given.value);
  }
  const x = checking.graph.valueOf(given.value.node);
  const edges = x && edgesOf(checking, [...x.values], bound, name);
  if (!x || !edges) return { kind: "ignored", of: text };
  const closed = numberOf(checking, bound.get("right")?.value) !== 0;
  const lowest = name === "qcut" || numberOf(checking, bound.get("include_lowest")?.value) === 1;
  const codes = x.values.map((one) => binOf(one, edges, closed, lowest));
  const row = codes.findIndex((code) => code < 0);
  if (row >= 0) {
    const message = `Cannot use ${text} here: row ${row + 1} lies in no bin`;
    return checking.error("data/missing-values", message, call, "write wider bins");
  }
  // Names of bins are read off the codes, which pandas counts with the empty ones.
  const isNamed = bound.get("labels") === undefined ||
    bound.get("labels")!.value.kind !== "numeric";
  const isFull = new Set(codes).size === edges.length - 1;
  if (isNamed && !isFull) return { kind: "ignored", of: text };
  return hostArray(checking, codes, x.shape, "int", call);
}

function edgesOf(
  checking: Checking,
  x: readonly number[],
  bound: Bound,
  name: "cut" | "qcut",
): readonly number[] | undefined {
  const asked = bound.get(name === "cut" ? "bins" : "q")!.value;
  const count = numberOf(checking, asked);
  if (name === "qcut") {
    const sorted = Float64Array.from(x).sort();
    const shares = count === undefined
      ? numbersOf(checking, asked)
      : Array.from({ length: count + 1 }, (_, k) => k / count);
    return shares?.map((share) => quantile(sorted, share));
  }
  if (count === undefined) return numbersOf(checking, asked);
  const [least, most] = [Math.min(...x), Math.max(...x)];
  const edges = Array.from({ length: count + 1 }, (_, k) => least + (most - least) * k / count);
  return [edges[0] - 0.001 * (most - least), ...edges.slice(1, -1), most];
}

/** The bin that holds a value; −1 if none does. */
function binOf(x: number, edges: readonly number[], closed: boolean, lowest: boolean): number {
  if (lowest && x === edges[0]) return 0;
  return edges.slice(1).findIndex((to, k) => (
    closed ? edges[k] < x && x <= to : edges[k] <= x && x < to
  ));
}

/** `x.isin([…])` and `x.between(a, b)` of a column, names included; undefined where they cannot be told. */
export function belongs(
  checking: Checking,
  { call, positional }: Arguments,
  x: NumericValue,
  { name, names }: { readonly name: string; readonly names: readonly string[] | undefined },
): Value | undefined {
  const known = checking.graph.valueOf(x.node);
  if (!known) return undefined;
  const test = name === "isin"
    ? memberTest(checking, positional[0]?.value, names)
    : betweenTest(checking, positional.map(({ value }) => value));
  if (!test) return undefined;
  return hostArray(
    checking,
    known.values.map((one) => test(one) ? 1 : 0),
    known.shape,
    "bool",
    call,
  );
}

function memberTest(
  checking: Checking,
  given: Value | undefined,
  names: readonly string[] | undefined,
): ((one: number) => boolean) | undefined {
  if (names && given?.kind === "sequence") {
    const asked = new Set(given.items.map((item) => item.kind === "text" ? item.value : ""));
    return (one) => asked.has(names[one]);
  }
  const numbers = numbersOf(checking, given);
  return numbers && ((one) => numbers.includes(one));
}

function betweenTest(checking: Checking, ends: readonly Value[]) {
  const [low, high] = ends.map((one) => numberOf(checking, one));
  if (low === undefined || high === undefined || ends.length !== 2) return undefined;
  return (one: number) => low <= one && one <= high;
}

/** `x.apply(f)` and `x.map(f)`: the function at each different value, a name where the column has names. */
export function appliedEach(
  checking: Checking,
  call: Call,
  x: NumericValue,
  f: FunctionValue,
  names: readonly string[] | undefined,
): Value | undefined {
  const known = checking.graph.valueOf(x.node);
  if (!known) return undefined;
  const results = new Map<number, number>();
  for (const one of new Set(known.values)) {
    const given: Value = names
      ? { kind: "text", value: names[one] }
      : { kind: "numeric", node: checking.graph.scalar(one), dtype: x.dtype, origin: "python" };
    const value = applyTo(checking, call, f, [given]);
    if (value.kind === "invalid") return value;
    const number = numeric(checking, value, call, checking.text(call.callee));
    const constant = number && checking.graph.constantOf(number.node);
    if (constant === undefined) return number ? undefined : invalid;
    results.set(one, constant);
  }
  const values = known.values.map((one) => results.get(one)!);
  const dtype = values.every(Number.isInteger) ? "int" : "float";
  return { ...hostArray(checking, values, known.shape, dtype, call), origin: x.origin };
}
