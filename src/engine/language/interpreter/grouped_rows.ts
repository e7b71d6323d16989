/** Rows in groups: `df.groupby("g")["x"].transform("mean")`, and the same for each group. */
import { hostArray, numeric } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import {
  type FrameValue,
  type GroupedValue,
  invalid,
  touchesResponse,
  type Value,
} from "./values.ts";

/** Summaries of groups; values come in rising order, so that rounding does not tell that of rows. */
const summaries: Readonly<Record<string, (values: readonly number[]) => number>> = {
  mean: meanOf,
  sum: (values) => values.reduce((sum, x) => sum + x, 0),
  min: (values) => values[0],
  max: (values) => values[values.length - 1],
  count: (values) => values.length,
  size: (values) => values.length,
  median: (values) => (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2,
  std: (values) => Math.sqrt(varianceOf(values)),
  var: varianceOf,
};

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / (values.length - 1);
}

/** `frame.groupby("g")` by one column whose values are known before sampling. */
export function groupRows(checking: Checking, args: Arguments, frame: FrameValue): Value {
  const given = args.positional[0] ?? args.keywords.get("by");
  const key = given?.value.kind === "sequence" && given.value.items.length === 1
    ? given.value.items[0]
    : given?.value;
  const column = key?.kind === "text" ? frame.columns.get(key.value) : key;
  if (column && touchesResponse(column)) return checking.derive(args.call, column);
  const by = column && given && numeric(checking, column, given.place, "groupby");
  const values = by && checking.graph.valueOf(by.node)?.values;
  if (!values || values.length !== checking.dataset.rows) {
    const message = "Cannot group rows by this: wanted the name of one column";
    return checking.error("names/wrong-kind", message, args.call, 'write df.groupby("group")["x"]');
  }
  const keys = [...new Set(values)].sort((a, b) => a - b);
  const codeOf = new Map(keys.map((value, code) => [value, code]));
  const codes = Float64Array.from(values, (value) => codeOf.get(value)!);
  return { kind: "grouped", codes, groups: keys.length };
}

/** The column that is summarised within groups. */
export function groupedMember(
  checking: Checking,
  grouped: GroupedValue,
  name: string,
  place: Place,
): Value | undefined {
  if (grouped.of || !(checking.columns.has(name) || checking.added.has(name))) return undefined;
  const own = checking.added.get(name);
  const column = checking.columns.get(name);
  if (column === checking.response) return checking.derive(place, { kind: "response" });
  const node = column && checking.graph.column(name, [checking.dataset.rows]);
  const of = own ?? { kind: "numeric", node: node!, dtype: "float", origin: "series" };
  return { ...grouped, of };
}

/** `.transform("mean")` for every row, `.mean()` for every group, `.ngroup()`. */
export function groupedMethod(
  checking: Checking,
  { call, positional }: Arguments,
  { codes, groups, of }: GroupedValue,
  name: string,
): Value | undefined {
  if (name === "ngroup") return hostArray(checking, codes.slice(), [codes.length], "int", call);
  const given = positional[0]?.value;
  const what = name === "transform" && given?.kind === "text" ? given.value : name;
  if (!Object.hasOwn(summaries, what) || (name !== "transform" && positional.length > 0)) {
    return undefined;
  }
  const column = of ?? hostArray(checking, codes.slice(), [codes.length], "int", call);
  if (touchesResponse(column)) return checking.derive(call, column);
  const x = numeric(checking, column, call, name);
  const values = x && checking.graph.valueOf(x.node)?.values;
  if (!values || values.length !== codes.length) return x ? undefined : invalid;
  const members: number[][] = Array.from({ length: groups }, () => []);
  codes.forEach((code, row) => members[code].push(values[row]));
  const each = members.map((one) => summaries[what](one.sort((a, b) => a - b)));
  const out = name === "transform" ? codes.map((code) => each[code]) : Float64Array.from(each);
  const whole = out.every(Number.isInteger);
  const made = hostArray(checking, out, [out.length], whole ? "int" : "float", call);
  return { ...made, origin: "series" };
}
