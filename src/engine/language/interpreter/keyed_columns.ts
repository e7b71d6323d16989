/** Columns whose rows have keys, as groups and `set_index` leave them: `means.loc[names]`, `df["g"].map(means)`. */
import { hostArray, pythonNumber, shapeOf } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import { type FrameValue, invalid, type NumericValue, type Value } from "./values.ts";
import { columnOfItems, namesOf } from "./words.ts";

/** Keys that can be compared: words, or numbers; undefined of what is not known. */
export function keysIn(
  checking: Checking,
  value: Value | undefined,
): readonly (string | number)[] | undefined {
  if (value?.kind === "text") return [value.value];
  if (value?.kind === "sequence") {
    const column = columnOfItems(checking, value.items, { start: 0, end: 0 });
    return keysIn(checking, column);
  }
  if (value?.kind !== "numeric") return undefined;
  const names = namesOf(checking, value);
  const known = checking.graph.valueOf(value.node);
  return known && Array.from(known.values, (one) => names ? names[one] : one);
}

/** Keys of several columns, row by row, as one text each. */
export function joinedKeys(
  checking: Checking,
  columns: readonly (Value | undefined)[],
): readonly string[] | undefined {
  const all = columns.map((one) => keysIn(checking, one));
  if (all.some((one) => !one)) return undefined;
  const [first] = all as (readonly (string | number)[])[];
  return Array.from(first, (_, row) => JSON.stringify(all.map((keys) => keys![row])));
}

/** Some rows of a column, in the order of their numbers. */
export function rowsAt(
  checking: Checking,
  x: NumericValue,
  rows: readonly number[],
  place: Place,
): NumericValue {
  const { keyed: _, ...plain } = x;
  const known = checking.graph.valueOf(x.node)!;
  const values = Float64Array.from(rows, (row) => known.values[row]);
  const { gaps } = x;
  return {
    ...plain,
    ...(gaps && { gaps: Float64Array.from(rows, (row) => gaps[row]) }),
    ...hostArray(checking, values, [rows.length], x.dtype, place),
    origin: "series",
  };
}

function keysOf(
  checking: Checking,
  { keyed }: NumericValue,
): readonly (string | number)[] | undefined {
  if (keyed?.keys.size !== 1) return undefined;
  const [column] = keyed.keys.values();
  return keysIn(checking, column);
}

/** `means["north"]`, `means.loc[names]`; undefined where rows have no keys, or the index is none of them. */
export function partByKeys(
  checking: Checking,
  x: NumericValue,
  index: Value,
): Value | undefined {
  const isMask = index.kind === "numeric" && index.dtype === "bool";
  const keys = isMask ? undefined : keysOf(checking, x);
  const asked = keys && keysIn(checking, index);
  const known = checking.graph.valueOf(x.node);
  if (!keys || !asked || !known) return undefined;
  const rows = asked.map((key) => keys.indexOf(key));
  if (rows.some((row) => row < 0)) return undefined;
  const isOne = index.kind === "text" ||
    (index.kind === "numeric" && shapeOf(checking, index).length === 0);
  if (isOne) return pythonNumber(checking, known.values[rows[0]], x.dtype);
  return rowsAt(checking, x, rows, { start: 0, end: 0 });
}

/** `df["g"].map(means)`: the value of each row's key; undefined where a key has none. */
export function mappedByKeys(
  checking: Checking,
  x: NumericValue,
  table: NumericValue,
  place: Place,
): NumericValue | undefined {
  const keys = keysOf(checking, table);
  const asked = keys && keysIn(checking, x);
  const rows = asked?.map((key) => keys!.indexOf(key));
  if (!rows || rows.some((row) => row < 0) || !checking.graph.valueOf(table.node)) return undefined;
  return rowsAt(checking, table, rows, place);
}

/** The rows in the order of their keys; undefined where rows have several. */
function sortedByKeys(checking: Checking, x: NumericValue, place: Place): NumericValue | undefined {
  const keys = keysOf(checking, x);
  if (!keys || !x.keyed || !checking.graph.valueOf(x.node)) return undefined;
  const [[name, column]] = x.keyed.keys;
  const codes = column.levels ? checking.graph.valueOf(column.node)!.values : keys;
  const order = keys.map((_, row) => row).sort((a, b) =>
    codes[a] < codes[b] ? -1 : codes[a] > codes[b] ? 1 : a - b
  );
  const moved = rowsAt(checking, column, order, place);
  return {
    ...rowsAt(checking, x, order, place),
    keyed: { keys: new Map([[name, moved]]), name: x.keyed.name },
  };
}

/** Whether pandas would bring rows together by their keys, which differ: an operator here takes them as they come. */
export function differInKeys(checking: Checking, left: Value, right: Value): boolean {
  const columns = [left, right].flatMap((one) =>
    one.kind === "numeric" && one.origin === "series" && shapeOf(checking, one).length > 0
      ? [one]
      : []
  );
  if (columns.length < 2 || columns.every(({ keyed }) => !keyed)) return false;
  const [a, b] = columns.map(({ keyed }) =>
    keyed && joinedKeys(checking, [...keyed.keys.values()])
  );
  return !areSame(a, b);
}

function areSame(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return !!a && !!b && a.length === b.length && a.every((key, row) => key === b[row]);
}

/** The keys of the rows of a column where a condition holds: without keys of its own their numbers. */
export function keysWhere(
  checking: Checking,
  { keyed }: NumericValue,
  mask: NumericValue,
  place: Place,
): Pick<NumericValue, "keyed"> {
  const flags = checking.graph.valueOf(mask.node)?.values;
  if (!flags) return {};
  const rows = Array.from(flags.keys()).filter((row) => flags[row] !== 0);
  if (!keyed) {
    const numbers = hostArray(checking, Float64Array.from(rows), [rows.length], "int", place);
    return { keyed: { keys: new Map([["index", { ...numbers, origin: "series" }]]), name: "" } };
  }
  const keys = [...keyed.keys].map(([name, one]) =>
    [name, rowsAt(checking, one, rows, place)] as const
  );
  return { keyed: { ...keyed, keys: new Map(keys) } };
}

/** Whether the rows of a column have the keys of an index, in its order. */
export function hasKeysOf(checking: Checking, index: Value, { keyed }: NumericValue): boolean {
  const own = keyed && joinedKeys(checking, [...keyed.keys.values()]);
  return areSame(own, joinedKeys(checking, [index]));
}

/** A column with keys as a frame, its keys before it. */
function frameOf(checking: Checking, x: NumericValue, name: string): FrameValue {
  const { keyed, ...plain } = x;
  const columns = new Map<string, Value>([...keyed!.keys, [name, plain]]);
  return { kind: "frame", columns, rows: shapeOf(checking, x)[0] };
}

/** Methods of a column with keys; undefined of those that it has as other columns have them. */
export function keyedMethod(
  checking: Checking,
  x: NumericValue,
  name: string,
  { call, positional, keywords }: Arguments,
): Value | undefined {
  const { keyed } = x;
  if (!keyed) return undefined;
  const text = [...positional, ...keywords.values()].map(({ value }) => value)
    .find(({ kind }) => kind === "text");
  const title = text?.kind === "text" ? text.value : keyed.name;
  switch (name) {
    case "reset_index": {
      const { keyed: _, ...plain } = x;
      const drop = keywords.get("drop")?.value;
      const isDropped = drop?.kind === "numeric" && checking.graph.constantOf(drop.node) === 1;
      return isDropped ? plain : frameOf(checking, x, title);
    }
    case "rename":
      return { ...x, keyed: { ...keyed, name: title } };
    case "to_frame": {
      if (keyed.keys.size !== 1) return undefined;
      const { keyed: _, ...plain } = x;
      const [index] = keyed.keys;
      return {
        kind: "frame",
        columns: new Map([[title, plain]]),
        index,
        rows: shapeOf(checking, x)[0],
      };
    }
    case "sort_index":
      return positional.length + keywords.size > 0 ? undefined : sortedByKeys(checking, x, call);
    case "copy":
      return x;
    case "reindex": {
      const index = positional[0]?.value ?? invalid;
      return partByKeys(checking, x, index);
    }
    case "to_dict": {
      const keys = keysOf(checking, x);
      const known = checking.graph.valueOf(x.node);
      if (!keys || !known) return undefined;
      checking.collect(keys.length, call);
      const entries = new Map(keys.map((key, i): [string | number, Value] => [
        key,
        pythonNumber(checking, known.values[i], x.dtype),
      ]));
      return { kind: "dictionary", entries };
    }
    default:
      return undefined;
  }
}
