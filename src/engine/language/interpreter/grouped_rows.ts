/** Rows in groups: `df.groupby("g")["x"].transform("mean")`, and the same for each group. */
import { hostArray, numeric, shapeOf } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { joinedKeys, rowsAt } from "./keyed_columns.ts";
import type { Place } from "../syntax/source.ts";
import {
  type FrameValue,
  type GroupedValue,
  invalid,
  type NumericValue,
  touchesResponse,
  type Value,
} from "./values.ts";
import { namesOf } from "./words.ts";

/** Summaries of groups; values come in rising order, so that rounding does not depend on the order of rows. */
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
  nunique: (values) => new Set(values).size,
};

/** Summaries that take the values as their rows come. */
const byPlace: Readonly<Record<string, (values: readonly number[]) => number>> = {
  first: (values) => values[0],
  last: (values) => values[values.length - 1],
};

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / (values.length - 1);
}

/** Names in a text or a list of texts. */
function namesAsked(value: Value | undefined): readonly string[] {
  const items = value?.kind === "sequence" ? value.items : value ? [value] : [];
  return items.flatMap((item) => item.kind === "text" ? [item.value] : []);
}

/** `frame.groupby("g")` by columns whose values are known before sampling. */
export function groupRows(checking: Checking, args: Arguments, frame: FrameValue): Value {
  const given = args.positional[0] ?? args.keywords.get("by");
  const names = namesAsked(given?.value);
  const asked: readonly [string, Value | undefined][] = names.length > 0
    ? names.map((name) => [name, frame.columns.get(name)])
    : [["key", given?.value]];
  const touching = asked.find(([, column]) => column && touchesResponse(column))?.[1];
  if (touching) return checking.derive(args.call, touching);
  const columns = asked.map(([, column]) =>
    column && given && numeric(checking, column, given.place, "groupby")
  );
  const rows = frame.rows ?? checking.dataset.rows;
  const keys = joinedKeys(checking, columns);
  if (!keys || keys.length !== rows) {
    const message = "Cannot group rows by this: wanted names of columns";
    return checking.error("names/wrong-kind", message, args.call, 'write df.groupby("group")["x"]');
  }
  const flagOf = (name: string) => {
    const value = args.keywords.get(name)?.value;
    return value?.kind === "numeric" ? checking.graph.constantOf(value.node) : undefined;
  };
  const unread = [...args.keywords.keys()].find((name) => !groupingArguments.has(name)) ??
    (flagOf("observed") === 0 && columns.some((column) => column!.levels) ? "observed" : undefined);
  if (unread !== undefined || args.positional.length > 1) {
    const message = `Cannot group rows with ${
      unread ?? "more than one argument"
    }: not in the subset`;
    const hint = "by=, as_index=, sort=, observed=True, dropna= and group_keys= are read";
    return checking.error("unsupported/function", message, args.call, hint);
  }
  const order = inOrder(checking, columns as NumericValue[], keys, flagOf("sort") !== 0);
  const codeOf = new Map(order.map((row, code) => [keys[row], code]));
  return {
    kind: "grouped",
    codes: Float64Array.from(keys, (key) => codeOf.get(key)!),
    groups: order.length,
    keys: new Map(
      asked.map(([name], k) => [name, rowsAt(checking, columns[k]!, order, args.call)]),
    ),
    isFlat: flagOf("as_index") === 0,
    frame,
  };
}

const groupingArguments = new Set([
  "by",
  "as_index",
  "sort",
  "observed",
  "dropna",
  "group_keys",
]);

/**
 * The first row of each group, in the order of the groups' keys: of numbers their size, of words the alphabet, or the
 * order of their categories; as the rows come, where nothing is sorted.
 */
function inOrder(
  checking: Checking,
  columns: readonly NumericValue[],
  keys: readonly string[],
  isSorted: boolean,
): number[] {
  const firsts = new Map<string, number>();
  keys.forEach((key, row) => firsts.has(key) || firsts.set(key, row));
  if (!isSorted) return [...firsts.values()];
  const sorters = columns.map((column) => {
    const { values } = checking.graph.valueOf(column.node)!;
    const names = column.levels ? undefined : namesOf(checking, column);
    return (row: number) => names ? names[values[row]] : values[row];
  });
  return [...firsts.values()].sort((a, b) => {
    for (const of of sorters) if (of(a) !== of(b)) return of(a) < of(b) ? -1 : 1;
    return 0;
  });
}

/** The column that is summarised within groups, or several. */
export function groupedMember(
  checking: Checking,
  grouped: GroupedValue,
  name: string,
  place: Place,
): Value | undefined {
  const column = grouped.of ? undefined : grouped.frame.columns.get(name);
  if (!column) return undefined;
  return touchesResponse(column)
    ? checking.derive(place, column)
    : { ...grouped, of: column, name };
}

/** `grouped[["a", "b"]]`. */
export function groupedMembers(grouped: GroupedValue, index: Value): GroupedValue | undefined {
  const names = index.kind === "sequence" ? namesAsked(index) : [];
  const { frame, keys } = grouped;
  if (grouped.of || names.length === 0 || names.some((name) => !frame.columns.has(name))) {
    return undefined;
  }
  const kept = [...frame.columns].filter(([name]) => names.includes(name) || keys.has(name));
  return { ...grouped, frame: { ...frame, columns: new Map(kept) } };
}

/** `.transform("mean")` for every row, `.mean()` for every group, `.ngroup()`, `.agg(…)`. */
export function groupedMethod(
  checking: Checking,
  args: Arguments,
  grouped: GroupedValue,
  name: string,
): Value | undefined {
  const { call, positional, keywords } = args;
  const { codes, of } = grouped;
  const given = positional[0]?.value;
  const count = positional.length + keywords.size;
  if ((name === "ngroup" || name === "cumcount") && count > 0) return undefined;
  if (name === "ngroup") return hostArray(checking, codes.slice(), [codes.length], "int", call);
  if (name === "cumcount") {
    return hostArray(checking, countedOn(codes), [codes.length], "int", call);
  }
  if (name === "transform") {
    const column = of ?? counted(checking, grouped, call);
    return given?.kind === "text" && count === 1
      ? summarised(checking, args, grouped, column, given.value, true)
      : undefined;
  }
  if (name === "agg" || name === "aggregate") return aggregated(checking, args, grouped);
  if (positional.length > 0 || keywords.size > 0) return undefined;
  if (of || name === "size") {
    const column = of ?? counted(checking, grouped, call);
    const made = summarised(checking, args, grouped, column, name, false);
    return made && keyedBy(checking, grouped, made, grouped.name ?? "size");
  }
  const columns = [...grouped.frame.columns].filter(([key, column]) =>
    !grouped.keys.has(key) && column.kind === "numeric" && !namesOf(checking, column)
  );
  return framed(checking, args, grouped, columns.map(([key]) => [key, key, name]));
}

function counted(checking: Checking, { codes }: GroupedValue, place: Place): NumericValue {
  return hostArray(checking, codes.slice(), [codes.length], "int", place);
}

/** How many rows of its group stand before each. */
function countedOn(codes: Float64Array): Float64Array {
  const seen = new Map<number, number>();
  return codes.map((code) => {
    const before = seen.get(code) ?? 0;
    seen.set(code, before + 1);
    return before;
  });
}

/** `.agg("mean")`, `.agg({"x": "mean"})`, `.agg(x_mean=("x", "mean"))`. */
function aggregated(
  checking: Checking,
  args: Arguments,
  grouped: GroupedValue,
): Value | undefined {
  const { positional, keywords } = args;
  const given = positional[0]?.value;
  if (given?.kind === "text" && keywords.size === 0) {
    return groupedMethod(checking, { ...args, positional: [] }, grouped, given.value);
  }
  const named: [string, string, string][] = [];
  if (given?.kind === "dictionary" && keywords.size === 0) {
    for (const [key, what] of given.entries) {
      if (what.kind !== "text") return undefined;
      named.push([`${key}`, `${key}`, what.value]);
    }
  }
  for (const [name, { value }] of keywords) {
    const parts = namesAsked(value);
    if (value.kind === "text" && grouped.name) named.push([name, grouped.name, value.value]);
    else if (parts.length === 2) named.push([name, parts[0], parts[1]]);
    else return undefined;
  }
  return named.length > 0 ? framed(checking, args, grouped, named) : undefined;
}

/** A frame with a summary of a column under each name. */
function framed(
  checking: Checking,
  args: Arguments,
  grouped: GroupedValue,
  named: readonly (readonly [name: string, column: string, summary: string])[],
): Value | undefined {
  const columns = new Map<string, Value>();
  for (const [name, from, what] of named) {
    const column = grouped.frame.columns.get(from);
    const made = column && summarised(checking, args, grouped, column, what, false);
    if (!made) return undefined;
    if (made.kind !== "numeric") return made;
    columns.set(name, made);
  }
  const { keys, isFlat, groups: rows } = grouped;
  if (isFlat) return { kind: "frame", columns: new Map([...keys, ...columns]), rows };
  const [index, ...more] = keys;
  return more.length > 0 ? undefined : { kind: "frame", columns, index, rows };
}

/** A summary with the groups' keys beside it. */
function keyedBy(
  checking: Checking,
  { keys, isFlat }: GroupedValue,
  made: Value,
  name: string,
): Value {
  if (made.kind !== "numeric") return made;
  if (!isFlat) return { ...made, keyed: { keys, name } };
  const columns = new Map<string, Value>([...keys, [name, made]]);
  return { kind: "frame", columns, rows: shapeOf(checking, made)[0] };
}

/** A summary of a column within each group, or in each row of it; undefined of summaries that are not read. */
function summarised(
  checking: Checking,
  { call }: Arguments,
  { codes, groups }: GroupedValue,
  column: Value,
  what: string,
  isForRows: boolean,
): Value | undefined {
  const isSorted = Object.hasOwn(summaries, what);
  if (!isSorted && !Object.hasOwn(byPlace, what)) return undefined;
  if (touchesResponse(column)) return checking.derive(call, column);
  const x = numeric(checking, column, call, what);
  const values = x && checking.graph.valueOf(x.node)?.values;
  if (!values || values.length !== codes.length) return x ? undefined : invalid;
  const isCount = what === "count" || what === "size" || what === "nunique";
  if (namesOf(checking, x) && isSorted && !isCount) return undefined;
  const members: number[][] = Array.from({ length: groups }, () => []);
  codes.forEach((code, row) => members[code].push(values[row]));
  const of = isSorted ? summaries[what] : byPlace[what];
  const each = members.map((one) => of(isSorted ? one.sort((a, b) => a - b) : one));
  const out = isForRows ? codes.map((code) => each[code]) : Float64Array.from(each);
  const whole = out.every(Number.isInteger);
  const lacks = out.some(Number.isNaN);
  const numbers = out.map((one) => Number.isNaN(one) ? 0 : one);
  const made = hostArray(checking, numbers, [out.length], whole ? "int" : "float", call);
  const gaps = lacks ? { gaps: out.map((one, row) => Number.isNaN(one) ? row + 1 : 0) } : {};
  return { ...made, ...gaps, origin: "series", ...(!isSorted && x.labels && { labels: x.labels }) };
}
