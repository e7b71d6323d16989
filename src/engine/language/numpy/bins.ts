/** Columns put through a function of their values: bins of pandas, membership, lambdas. */
import { type CallSite, hostArray, numberOf, numeric, widestOf } from "../interpreter/arrays.ts";
import { type Arguments, bind, evaluateArguments } from "../interpreter/bind.ts";
import { type Bound, flagArgument } from "./array_function.ts";
import type { Checking } from "../interpreter/checking.ts";
import { evenNumbers } from "./creation.ts";
import { applyTo } from "../interpreter/inline.ts";
import { firstOf } from "./numpy_functions.ts";
import { wordColumn, wordsIn } from "../interpreter/words.ts";
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
function numbersOf(checking: Checking, value: Value | undefined): Float64Array | undefined {
  if (value?.kind === "numeric") return checking.graph.valueOf(value.node)?.values;
  const items = value?.kind === "sequence" ? value.items : [];
  const found = items.map((one) => numberOf(checking, one));
  return items.length > 0 && found.every((one) => one !== undefined)
    ? Float64Array.from(found as number[])
    : undefined;
}

/** `pd.cut(x, bins, labels=False)`, `pd.qcut(x, q, labels=False)`: the bin of each value, from 0. */
export function binned(checking: Checking, call: Call, name: "cut" | "qcut"): Value {
  const args = evaluateArguments(checking, call);
  const text = `pd.${name}`;
  const unknown: Value = { kind: "ignored", of: text };
  const bound = args && bind(checking, args, text, {
    names: ["x", name === "cut" ? "bins" : "q"],
    required: 2,
    keywordOnly: ["labels", "right", "include_lowest", "retbins", "duplicates"],
    ignored: ["precision"],
  });
  const given = bound?.get("x");
  if (!bound || !given) return invalid;
  if (given.value.kind !== "numeric") {
    return given.value.kind === "ignored" ? ignored : checking.derive(call, given.value);
  }
  const site = { checking, place: call, text };
  const closed = flagArgument(site, bound, "right", true);
  const column = numeric(checking, given.value, given.place, text);
  if (!column) return invalid;
  const x = checking.graph.valueOf(column.node);
  const edges = x && edgesOf(site, x.values, bound, closed);
  if (!x || !edges || flagArgument(site, bound, "retbins", false)) return unknown;
  const lowest = name === "qcut" || flagArgument(site, bound, "include_lowest", false);
  const codes = x.values.map((one) => binOf(one, edges, closed, lowest));
  const row = codes.findIndex((code) => code < 0);
  if (row >= 0) {
    const message = `Cannot use ${text} here: row ${row + 1} lies in no bin`;
    return checking.error("data/missing-values", message, call, "write wider bins");
  }
  const asked = bound.get("labels")?.value;
  const words = asked && wordsIn(checking, asked);
  if (words && words.length === edges.length - 1 && checking.readsFile) {
    const made = hostArray(checking, codes, x.shape, "int", call);
    return { ...made, origin: "series", labels: words, levels: words };
  }
  const values = labelled(checking, codes, edges.length - 1, asked);
  if (!values) return unknown;
  const dtype = values.every(Number.isInteger) ? "int" : "float";
  return { ...hostArray(checking, values, x.shape, dtype, call), origin: "series" };
}

/** Codes as they are, or numbers that the labels are; undefined where codes could not be read off them. */
function labelled(
  checking: Checking,
  codes: Float64Array,
  bins: number,
  labels: Value | undefined,
): Float64Array | undefined {
  if (labels?.kind === "numeric" && checking.graph.constantOf(labels.node) === 0) return codes;
  if (new Set(codes).size < bins) return undefined; // pandas counts empty bins
  if (labels === undefined || labels.kind === "none") return codes;
  const numbers = numbersOf(checking, labels);
  const count = labels.kind === "sequence" ? labels.items.length : numbers?.length;
  if (count !== bins) return undefined;
  if (!numbers) return codes;
  return rises(numbers) ? codes.map((code) => numbers[code]) : undefined;
}

/** Edges as pandas has them; undefined where it has none, or the program's are not known. */
function edgesOf(
  { checking, place }: CallSite,
  x: Float64Array,
  bound: Bound,
  closed: boolean,
): Float64Array | undefined {
  const shares = bound.get("q");
  const asked = (shares ?? bound.get("bins"))?.value;
  const count = numberOf(checking, asked);
  const given = count === undefined ? numbersOf(checking, asked) : undefined;
  if (!given && !(Number.isInteger(count) && count! > 0)) return undefined;
  checking.allocate(count ?? 0, place);
  const sorted = x.toSorted();
  const made = shares
    ? (given ?? evenShares(count!)).map((share) => quantile(sorted, share))
    : given ?? evenEdges(sorted, count!, closed);
  const duplicates = bound.get("duplicates")?.value;
  const isDropped = duplicates?.kind === "text" && duplicates.value === "drop";
  const edges = isDropped ? made.filter((one, k) => one !== made[k - 1]) : made;
  return edges.length > 1 && rises(edges) ? edges : undefined;
}

/** Shares of `count` groups, rounded up where no binary fraction is the share. */
function evenShares(count: number): Float64Array {
  return evenNumbers(0, 1, count + 1).map((share, k) => (
    count * share === k ? share : share + share * 2 ** -53
  ));
}

/** Edges of bins of one width, that which is open moved out by a thousandth of the range. */
function evenEdges(sorted: Float64Array, count: number, closed: boolean): Float64Array {
  const [least, most] = [sorted[0], sorted[sorted.length - 1]];
  const edges = evenNumbers(least, most, count + 1);
  edges[closed ? 0 : count] += (closed ? -1 : 1) * 0.001 * (most - least);
  return edges;
}

function rises(numbers: Float64Array): boolean {
  return numbers.every((one, k) => k === 0 || numbers[k - 1] < one);
}

/** The bin that holds a value; −1 if none does. */
function binOf(x: number, edges: Float64Array, closed: boolean, lowest: boolean): number {
  if (lowest && x === edges[0]) return 0;
  const at = firstOf(edges, (edge) => closed ? edge >= x : edge > x);
  return at < edges.length ? at - 1 : -1;
}

/** `x.isin([…])` and `x.between(a, b)` of a column, names included; undefined where they are unknown. */
export function belongs(
  checking: Checking,
  { call, positional, keywords }: Arguments,
  x: NumericValue,
  { name, names }: { readonly name: string; readonly names: readonly string[] | undefined },
): Value | undefined {
  const known = checking.graph.valueOf(x.node);
  if (!known || keywords.size > 0) return undefined;
  const test = name === "isin"
    ? memberTest(checking, positional[0]?.value, names)
    : betweenTest(checking, positional.map(({ value }) => value));
  if (!test) return undefined;
  const flags = known.values.map((one) => test(one) ? 1 : 0);
  return { ...hostArray(checking, flags, known.shape, "bool", call), origin: x.origin };
}

function memberTest(
  checking: Checking,
  given: Value | undefined,
  names: readonly string[] | undefined,
): ((one: number) => boolean) | undefined {
  if (names) {
    if (given?.kind !== "sequence") return undefined;
    const asked = new Set(given.items.map((item) => item.kind === "text" ? item.value : ""));
    return (one) => asked.has(names[one]);
  }
  const numbers = new Set(numbersOf(checking, given));
  return numbers.size > 0 ? (one) => numbers.has(one) : undefined;
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
  const words = new Map<number, string>();
  const numbers: NumericValue[] = [];
  for (const one of new Set(known.values)) {
    const given: Value = names
      ? { kind: "text", value: names[one] }
      : { kind: "numeric", node: checking.graph.scalar(one), dtype: x.dtype, origin: "python" };
    const value = applyTo(checking, call, f, [given]);
    if (value.kind === "invalid") return value;
    if (value.kind === "text") {
      words.set(one, value.value);
      continue;
    }
    const number = numeric(checking, value, call, checking.text(call.callee));
    if (!number) return invalid;
    const constant = checking.graph.constantOf(number.node);
    if (constant === undefined) return undefined;
    results.set(one, constant);
    numbers.push(number);
  }
  if (words.size > 0) {
    if (results.size > 0) return undefined;
    return wordColumn(checking, Array.from(known.values, (one) => words.get(one)!), call);
  }
  const values = known.values.map((one) => results.get(one)!);
  const made = hostArray(checking, values, known.shape, widestOf(numbers), call);
  return { ...made, origin: x.origin };
}
