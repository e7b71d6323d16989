/** Rows before each row: `x.shift(1)`, `x.diff()`, `x.rolling(3).mean()` of columns that are known. */
import { hostArray, numberOf } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import type { NumericValue, ObjectValue, Value } from "./values.ts";

/** The windows that `x.rolling(3)` gives, before they are summarised. */
export class Window {
  constructor(
    readonly of: NumericValue,
    readonly width: number,
    readonly fewest: number,
  ) {}
}

/** Values and the rows that have none; numbers at those have no meaning. */
function withGaps(
  checking: Checking,
  values: readonly (number | undefined)[],
  { call }: Arguments,
): NumericValue {
  const numbers = Float64Array.from(values, (one) => one ?? 0);
  const made = hostArray(checking, numbers, [numbers.length], "float", call);
  let count = 0;
  const gaps = Float64Array.from(values, (one) => one === undefined ? ++count : 0);
  return { ...made, origin: "series", ...(count > 0 && { gaps }) };
}

/** `shift`, `diff`, `pct_change` and `rolling` of a column; undefined of others and of what is not known. */
export function laggedColumn(
  checking: Checking,
  x: NumericValue,
  name: string,
  args: Arguments,
): Value | undefined {
  const known = checking.graph.valueOf(x.node);
  if (!known || known.shape.length !== 1 || x.gaps || x.labels || x.dated) return undefined;
  const { values } = known;
  const given = args.positional[0] ?? args.keywords.get(name === "rolling" ? "window" : "periods");
  const by = given ? numberOf(checking, given.value) : name === "rolling" ? undefined : 1;
  if (by === undefined || !Number.isInteger(by)) return undefined;
  const others = [...args.keywords.keys()].filter((key) => key !== "window" && key !== "periods");
  if (name === "rolling") {
    const fewest = numberOf(checking, args.keywords.get("min_periods")?.value) ?? by;
    if (by < 1 || others.some((key) => key !== "min_periods")) return undefined;
    return { kind: "object", described: "rows in a window", object: new Window(x, by, fewest) };
  }
  if (others.length > 0) return undefined;
  const at = (row: number): number | undefined => values[row];
  const made = Array.from(values, (value, row) => {
    const before = at(row - by);
    if (before === undefined || name === "shift") return before;
    return name === "diff" ? value - before : value / before - 1;
  });
  return withGaps(checking, made, args);
}

const summaries: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((sum, one) => sum + one, 0),
  mean: (values) => values.reduce((sum, one) => sum + one, 0) / values.length,
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
};

/** `x.rolling(3).mean()`; undefined of summaries that are not read. */
export function windowMethod(
  checking: Checking,
  { object }: ObjectValue,
  name: string,
  args: Arguments,
): Value | undefined {
  const { of, width, fewest } = object as Window;
  const summary = Object.hasOwn(summaries, name) ? summaries[name] : undefined;
  const known = checking.graph.valueOf(of.node);
  if (!summary || !known || args.positional.length + args.keywords.size > 0) return undefined;
  checking.collect(known.values.length * Math.min(width, known.values.length), args.call);
  const made = Array.from(known.values, (_, row) => {
    const held = Array.from(known.values.subarray(Math.max(0, row + 1 - width), row + 1));
    return held.length >= fewest && held.length > 0 ? summary(held) : undefined;
  });
  return withGaps(checking, made, args);
}
