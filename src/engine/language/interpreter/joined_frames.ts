/** Frames made of others: `merge`, `join`, `pd.concat`, `pd.DataFrame`, rows in another order. */
import { hostArray, numeric, shapeOf } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { columnValue, wholeFrame } from "./columns.ts";
import { joinedKeys, keysIn, rowsAt } from "./keyed_columns.ts";
import type { Place } from "../syntax/source.ts";
import {
  type FrameValue,
  invalid,
  type NumericValue,
  touchesResponse,
  type Value,
} from "./values.ts";
import { columnOfItems, wordsIn } from "./words.ts";

function textsOf(value: Value | undefined): readonly string[] {
  const items = value?.kind === "sequence" ? value.items : value ? [value] : [];
  return items.flatMap((item) => item.kind === "text" ? [item.value] : []);
}

function flagOf(checking: Checking, value: Value | undefined): boolean {
  return value?.kind === "numeric" && checking.graph.constantOf(value.node) === 1;
}

/** A value as a frame: the data, a frame, or a column with keys and a name. */
export function frameIn(
  checking: Checking,
  value: Value | undefined,
  place: Place,
): FrameValue | undefined {
  if (value?.kind === "data") return wholeFrame(checking, place);
  if (value?.kind === "frame") return value;
  if (value?.kind !== "numeric" || !value.keyed || value.keyed.keys.size !== 1) return undefined;
  const { keyed, ...plain } = value;
  const [index] = keyed.keys;
  const rows = shapeOf(checking, value)[0];
  return { kind: "frame", columns: new Map([[keyed.name, plain]]), index, rows };
}

/** Columns that two frames are joined by. */
interface JoinKeys {
  readonly left: readonly string[];
  readonly right: readonly string[];
  /** Whether the index of the frame to the right is its key. */
  readonly byIndex: boolean;
}

function joinKeys(
  left: FrameValue,
  right: FrameValue,
  named: ReadonlyMap<string, Value>,
): JoinKeys | undefined {
  const on = textsOf(named.get("on"));
  const index = right.index && named.has("right_index") ? [right.index[0]] : [];
  const byLeft = textsOf(named.get("left_on"));
  const byRight = textsOf(named.get("right_on"));
  if (on.length > 0) {
    const byIndex = on.length === 1 && !right.columns.has(on[0]) && right.index?.[0] === on[0];
    return { left: on, right: on, byIndex };
  }
  if (byLeft.length > 0 && index.length > 0) return { left: byLeft, right: index, byIndex: true };
  if (byLeft.length > 0 && byLeft.length === byRight.length) {
    return { left: byLeft, right: byRight, byIndex: false };
  }
  if (named.has("left_on") || named.has("right_on") || named.has("left_index")) return undefined;
  const shared = [...left.columns.keys()].filter((name) => right.columns.has(name));
  return shared.length > 0 ? { left: shared, right: shared, byIndex: false } : undefined;
}

/**
 * `left.merge(right, on="g", how="left")`: each row of the left with that of the right that has its key. Rows that
 * would go or come are refused, for the rows are those of the data.
 */
export function merged(
  checking: Checking,
  left: FrameValue,
  right: FrameValue,
  { call, keywords, positional }: Arguments,
): Value {
  const named = new Map([...keywords].map(([name, { value }]) => [name, value]));
  for (const [k, name] of ["how", "on"].entries()) {
    const given = positional[k]?.value;
    if (given && !named.has(name)) named.set(name, given);
  }
  const [how = "inner"] = textsOf(named.get("how"));
  const keys = joinKeys(left, right, named);
  const text = checking.text(call.callee);
  if (!keys || !["left", "inner"].includes(how)) {
    const message = `Cannot call ${text}: wanted how="left", and names of columns by on=`;
    return checking.error("unsupported/function", message, call, 'write on="key", how="left"');
  }
  if ([...right.columns.values()].some(touchesResponse)) {
    const message = `Cannot call ${text}: the response is in the frame to the right`;
    const hint = "begin with the frame that has the rows of the data; several files are joined " +
      "beforehand, and the joined file is scored";
    return checking.error("unsupported/function", message, call, hint);
  }
  const own = joinedKeys(checking, keys.left.map((name) => left.columns.get(name)));
  const others = joinedKeys(
    checking,
    keys.right.map((name) => keys.byIndex ? right.index?.[1] : right.columns.get(name)),
  );
  if (!own || !others) {
    const message = `Cannot call ${text}: its keys are no columns of both frames that are known`;
    return checking.error("names/unknown-column", message, call);
  }
  const rowOf = new Map(others.map((key, row) => [key, row]));
  if (rowOf.size < others.length) {
    const message = `Cannot call ${text}: a key stands in several rows to the right, which ` +
      "would make rows of the data twice";
    return checking.error("lh/rows-left-out", message, call, "leave one row for each key");
  }
  const rows = own.map((key) => rowOf.get(key) ?? -1);
  const missing = rows.indexOf(-1);
  if (missing >= 0) {
    const what = how === "left" ? "has no partner" : "has no partner and would be left out";
    const message = `Cannot call ${text}: row ${missing + 1} ${what}`;
    const code = how === "left" ? "data/missing-values" : "lh/rows-left-out";
    return checking.error(code, message, call, "give each key of the data a row to the right");
  }
  return { ...left, columns: joinedColumns(checking, left, right, keys, { rows, named, call }) };
}

function joinedColumns(
  checking: Checking,
  left: FrameValue,
  right: FrameValue,
  keys: JoinKeys,
  { rows, named, call }: {
    readonly rows: readonly number[];
    readonly named: ReadonlyMap<string, Value>;
    readonly call: Place;
  },
): Map<string, Value> {
  const [before = "_x", after = "_y"] = textsOf(named.get("suffixes"));
  const dropped = keys.right.filter((name, k) => name === keys.left[k]);
  const added = [...right.columns].filter(([name]) => !dropped.includes(name));
  const clashes = new Set(added.map(([name]) => name).filter((name) => left.columns.has(name)));
  const columns = new Map<string, Value>();
  for (const [name, column] of left.columns) {
    columns.set(clashes.has(name) ? name + before : name, column);
  }
  for (const [name, column] of added) {
    const taken = column.kind === "numeric" ? rowsAt(checking, column, rows, call) : column;
    columns.set(clashes.has(name) ? name + after : name, taken);
  }
  return columns;
}

/** `pd.concat([df, dummies], axis=1)`, `df.join(other)`: columns beside each other; undefined where rows differ. */
export function besideEachOther(
  checking: Checking,
  parts: readonly Value[],
  place: Place,
): FrameValue | undefined {
  const frames = parts.map((part) => frameIn(checking, part, place));
  const { rows } = checking.dataset;
  if (frames.some((one) => !one || (one.rows ?? rows) !== (frames[0]!.rows ?? rows))) {
    return undefined;
  }
  const named = frames.map((one) => {
    const index = one!.index?.[1];
    return index === checking.rowNames ? undefined : index;
  });
  if (named.some((one) => one !== named[0])) {
    return undefined; // pandas would bring rows together by their names
  }
  const columns = new Map(frames.flatMap((one) => [...one!.columns]));
  const count = frames.reduce((sum, one) => sum + one!.columns.size, 0);
  return columns.size === count ? { ...frames[0]!, columns } : undefined;
}

/** `pd.DataFrame({"a": x, "b": y})`, `pd.DataFrame(matrix, columns=names)`; undefined of others. */
export function madeFrame(checking: Checking, args: Arguments): Value | undefined {
  const { call, positional, keywords } = args;
  const given = (positional[0] ?? keywords.get("data"))?.value;
  const asked = (positional.length > 2 ? positional[2] : keywords.get("columns"))?.value;
  const names = asked?.kind === "numeric" ? wordsIn(checking, asked) ?? [] : textsOf(asked);
  const index = (positional.length > 1 ? positional[1] : keywords.get("index"))?.value;
  if (index && index.kind !== "none" && !countsRows(checking, index)) return undefined;
  if (given?.kind === "frame" || given?.kind === "data") return given;
  const columns = new Map<string, Value>();
  if (given?.kind === "dictionary") {
    for (const [name, value] of given.entries) {
      const column = columnIn(checking, value, call);
      if (!column) return undefined;
      columns.set(`${name}`, column);
    }
  } else if (given?.kind === "sequence" || given?.kind === "numeric") {
    const vector = columnIn(checking, given, call);
    const x = vector ??
      (given.kind === "numeric" ? given : numeric(checking, given, call, "pd.DataFrame"));
    if (!x || touchesResponse(x)) return x ?? invalid;
    const own = x.kind === "numeric" ? namedColumns(checking, x, names, call) : undefined;
    if (!own) return undefined;
    for (const [name, column] of own) columns.set(name, column);
  } else return given && touchesResponse(given) ? checking.derive(call, given) : undefined;
  const lengths = [...columns.values()].flatMap((one) =>
    one.kind === "numeric" ? [shapeOf(checking, one)[0]] : [checking.dataset.rows]
  );
  if (columns.size === 0 || lengths.some((one) => one !== lengths[0])) return undefined;
  const rows = lengths[0] === checking.dataset.rows ? undefined : lengths[0];
  return { kind: "frame", columns, ...(rows !== undefined && { rows }) };
}

/** Whether an index is 0, 1, 2, …, as rows have it where nothing is said. */
function countsRows(checking: Checking, index: Value): boolean {
  return keysIn(checking, index)?.every((key, row) => key === row) ?? false;
}

/** A vector as a column; the response, and what was made of it, as they are. */
function columnIn(checking: Checking, value: Value, place: Place): Value | undefined {
  if (touchesResponse(value)) return value;
  if (value.kind === "sequence") return columnOfItems(checking, value.items, place);
  if (value.kind !== "numeric" || shapeOf(checking, value).length !== 1) return undefined;
  const { keyed: _, ...plain } = value;
  return { ...plain, origin: "series" };
}

function namedColumns(
  checking: Checking,
  x: NumericValue,
  names: readonly string[],
  place: Place,
): [string, NumericValue][] | undefined {
  const shape = shapeOf(checking, x);
  const known = checking.graph.valueOf(x.node);
  if (!known || shape.length > 2) return undefined;
  const width = shape[1] ?? 1;
  if (names.length > 0 && names.length !== width) return undefined;
  return Array.from({ length: width }, (_, k) => {
    if (shape.length === 1) return [names[0] ?? "0", x];
    const values = Float64Array.from(
      { length: shape[0] },
      (_, row) => known.values[row * width + k],
    );
    const column = hostArray(checking, values, [shape[0]], x.dtype, place);
    return [names[k] ?? `${k}`, { ...column, origin: "series" }];
  });
}

/** `frame[["state", "region"]].drop_duplicates()`: the first row of each kind; undefined where columns are not known. */
export function differentRows(
  checking: Checking,
  frame: FrameValue,
  { call, positional, keywords }: Arguments,
): FrameValue | undefined {
  const asked = textsOf((positional[0] ?? keywords.get("subset"))?.value);
  const names = asked.length > 0 ? asked : [...frame.columns.keys()];
  const keys = joinedKeys(checking, names.map((name) => frame.columns.get(name)));
  if (!keys || [...keywords.keys()].some((key) => key !== "subset" && key !== "ignore_index")) {
    return undefined;
  }
  const rows = [...new Map(keys.map((key, row) => [key, row] as const).reverse()).values()]
    .sort((a, b) => a - b);
  const columns = [...frame.columns].map(([name, column]): [string, Value] => [
    name,
    column.kind === "numeric" ? rowsAt(checking, column, rows, call) : column,
  ]);
  return { kind: "frame", columns: new Map(columns), rows: rows.length };
}

/** The rows of a frame in the order of some columns, equal ones as they came; undefined where these are unknown. */
function sortedRows(
  checking: Checking,
  columns: readonly Value[],
  isDescending: boolean,
): number[] | undefined {
  const keys = columns.map((column) => {
    const words = wordsIn(checking, column);
    const known = column.kind === "numeric" ? checking.graph.valueOf(column.node) : undefined;
    return words ?? known?.values;
  });
  const [first] = keys;
  if (!first || keys.some((one) => !one)) return undefined;
  const order = Array.from({ length: first.length }, (_, row) => row);
  const sign = isDescending ? -1 : 1;
  return order.sort((a, b) => {
    for (const key of keys) {
      const [x, y] = [key![a], key![b]];
      if (x !== y) return x < y ? -sign : sign;
    }
    return a - b;
  });
}

/**
 * `df.sort_values("x")`. The rows of the data stay where they are: nothing may depend on their order,
 * unless time orders them, and then the file has that order. Frames without the response are sorted.
 */
export function sortedFrame(
  checking: Checking,
  frame: Value & { readonly kind: "frame" | "data" },
  { call, positional, keywords }: Arguments,
): Value {
  const names = textsOf((positional[0] ?? keywords.get("by"))?.value);
  const isFirst = !checking.hasReadColumns && checking.added.size === 0;
  const columns = names.map((name) =>
    frame.kind === "frame" ? frame.columns.get(name) : columnValue(checking, name, call, call)
  );
  const touched = columns.find((one) => one && touchesResponse(one));
  if (touched) return checking.refuseResponse(touched, call);
  const given = keywords.get("ascending")?.value;
  const isDescending = given !== undefined && !flagOf(checking, given);
  const order = columns.every((one) => one !== undefined)
    ? sortedRows(checking, columns as Value[], isDescending)
    : undefined;
  if (!order) {
    const message = `Cannot call ${checking.text(call.callee)}: wanted names of columns`;
    return checking.error("names/unknown-column", message, call);
  }
  const isSorted = order.every((row, k) => row === k);
  if (frame.kind === "frame" && !isSorted && frame.rows !== undefined) {
    const moved = [...frame.columns].map(([name, column]): [string, Value] => [
      name,
      column.kind === "numeric" ? rowsAt(checking, column, order, call) : column,
    ]);
    return { ...frame, columns: new Map(moved) };
  }
  if (isSorted) return frame;
  if (frame.kind === "data" && isFirst) {
    checking.sortedAt ??= call;
    return frame;
  }
  const message = "Cannot sort rows here: columns of the data have been read in another order";
  const hint = `sort where the file is read, df = pd.read_csv(…).sort_values(…), or sort the file`;
  return checking.error("unsupported/function", message, call, hint);
}
