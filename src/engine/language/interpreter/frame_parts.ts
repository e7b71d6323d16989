/** Frames as scripts prepare them: columns renamed, assigned and reached by `.loc`, matrices with the response in them. */
import { numberOf } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { asColumn } from "./columns.ts";
import { holdsResponse, namesOfData } from "./frames.ts";
import { applyTo } from "./inline.ts";
import { textMethod } from "./words.ts";
import { keysIn, partByKeys, rowsAt } from "./keyed_columns.ts";
import { type FrameValue, isWhole, type NumericValue, type Value } from "./values.ts";

/** Methods that print or draw: nothing is made of them. */
export const silentOfFrames: ReadonlySet<string> = new Set(
  ["head", "tail", "info", "describe", "plot", "hist"],
);

/** Methods that make a frame of another; undefined for arguments that are not in the subset. */
export const preparing: ReadonlyMap<
  string,
  (checking: Checking, frame: FrameValue, args: Arguments) => Value | undefined
> = new Map([
  ["assign", assigned],
  ["filter", filtered],
  ["pipe", piped],
  ["rename", renamed],
  ["set_index", indexed],
]);

/** The value of the one argument of a call, if that has this name or no other. */
function onlyArgument({ positional, keywords }: Arguments, name: string): Value | undefined {
  return positional.length + keywords.size === 1
    ? (positional[0] ?? keywords.get(name))?.value
    : undefined;
}

/** `frame.rename(columns={"a": "b"})`. */
function renamed(checking: Checking, frame: FrameValue, args: Arguments): FrameValue | undefined {
  const table = args.positional.length === 0 ? onlyArgument(args, "columns") : undefined;
  if (!table) return undefined;
  const nameOf = (name: string) => {
    if (table.kind !== "dictionary") return namedBy(checking, args, table, name) ?? "";
    const found = table.entries.get(name);
    return found?.kind === "text" ? found.value : name;
  };
  const columns = new Map([...frame.columns].map(([k, v]) => [nameOf(k), v]));
  return columns.size === frame.columns.size ? { ...frame, columns } : undefined;
}

/** The name that `str.lower`, or a function of the program, makes of a name; undefined of others. */
export function namedBy(
  checking: Checking,
  args: Arguments,
  f: Value,
  name: string,
): string | undefined {
  const method = f.kind === "builtin" ? /^str\.(\w+)$/.exec(f.name)?.[1] : undefined;
  const plain: Arguments = { call: args.call, positional: [], keywords: new Map() };
  const text: Value = { kind: "text", value: name };
  const made = method
    ? textMethod(checking, name, method, plain)
    : f.kind === "function"
    ? applyTo(checking, args.call, f, [text])
    : undefined;
  return made?.kind === "text" ? made.value : undefined;
}

/** `frame.set_index("g")`: the other columns, and that which names the rows. */
function indexed(_: Checking, frame: FrameValue, args: Arguments): FrameValue | undefined {
  const name = onlyArgument(args, "keys");
  const column = name?.kind === "text" ? frame.columns.get(name.value) : undefined;
  if (name?.kind !== "text" || !column) return undefined;
  const columns = new Map([...frame.columns].filter(([own]) => own !== name.value));
  return { kind: "frame", columns, index: [name.value, column] };
}

/** `x.pipe(f, …)`: f of x and what else is given; undefined where f is no function of the program. */
export function piped(
  checking: Checking,
  x: Value,
  { call, positional, keywords }: Arguments,
): Value | undefined {
  const [f, ...more] = positional.map(({ value }) => value);
  return f?.kind === "function" ? applyTo(checking, call, f, [x, ...more], keywords) : undefined;
}

/** `frame.filter(like="x_")`, `frame.filter(items=["a", "b"])`. */
function filtered(_: Checking, frame: FrameValue, args: Arguments): FrameValue | undefined {
  const isLike = args.keywords.has("like");
  const asked = onlyArgument(args, isLike ? "like" : "items");
  const names = isLike && asked?.kind === "text"
    ? [...frame.columns.keys()].filter((name) => name.includes(asked.value))
    : !isLike && asked?.kind === "sequence"
    ? asked.items.flatMap((one) => one.kind === "text" ? [one.value] : [])
    : undefined;
  const kept = names?.filter((name) => frame.columns.has(name));
  return kept && { ...frame, columns: new Map(kept.map((one) => [one, frame.columns.get(one)!])) };
}

/** `frame.assign(b=lambda d: 2 * d["a"])`: columns one after another, each of the frame so far. */
function assigned(
  checking: Checking,
  frame: FrameValue,
  { call, keywords }: Arguments,
): Value | undefined {
  const made: FrameValue = { ...frame, columns: new Map(frame.columns) };
  for (const [name, { value, place }] of keywords) {
    const own = value.kind === "function" ? applyTo(checking, call, value, [made]) : value;
    const column = asColumn(checking, own, place, made);
    if (!column) {
      const message = `Cannot assign ${name}: wanted a number for each row`;
      return checking.error("names/wrong-kind", message, place);
    }
    if (column.kind === "invalid") return column;
    made.columns.set(name, column);
  }
  return made;
}

/** The column that `x.loc[…]` or `x.iloc[…]` takes a part of; undefined where labels are not those of its rows. */
function columnPart(
  checking: Checking,
  x: NumericValue,
  way: string,
  index: Value,
): Value | undefined {
  const { keyed, ...plain } = x;
  if (way === "iloc") return plain;
  if (way !== "loc") return undefined;
  if (keyed) return partByKeys(checking, x, index) ? x : undefined;
  return index.kind === "numeric" ? plain : undefined;
}

/** `info.loc[names, "region"]`, `info.loc[names]` of a frame whose rows have keys: a frame of such rows, and a part of it. */
function rowsByKeys(
  checking: Checking,
  frame: FrameValue,
  index: Value,
): { readonly of: FrameValue; readonly at: Value } | undefined {
  const keys = frame.index && keysIn(checking, frame.index[1]);
  const isPair = index.kind === "sequence" && index.form === "tuple" && index.items.length === 2;
  const [asked, column] = isPair ? index.items : [index, undefined];
  const wanted = keys && !isWhole(asked) && asked.kind !== "text"
    ? keysIn(checking, asked)
    : undefined;
  const rows = wanted?.map((key) => keys!.indexOf(key));
  if (!rows || rows.some((row) => row < 0)) return undefined;
  const place = { start: 0, end: 0 };
  const moved = [...frame.columns].flatMap(([name, own]): [string, Value][] =>
    own.kind === "numeric" ? [[name, rowsAt(checking, own, rows, place)]] : []
  );
  if (moved.length < frame.columns.size) return undefined;
  const of: FrameValue = { kind: "frame", columns: new Map(moved), rows: rows.length };
  const names = [...of.columns.keys()].map((value): Value => ({ kind: "text", value }));
  return { of, at: column ?? { kind: "sequence", form: "list", items: names } };
}

/** `frame.loc[:, "a"]`, `frame.iloc[:, 0]` and, where it holds the response, `frame[:, 0]` as a part by name; others as they are. */
export function partByName(
  checking: Checking,
  target: Value,
  index: Value,
): readonly [object: Value, index: Value] {
  if (target.kind === "method" && target.object.kind === "numeric") {
    return [columnPart(checking, target.object, target.name, index) ?? target, index];
  }
  const [object, way] = target.kind === "method"
    ? [target.object, target.name]
    : [target, target.kind === "frame" && holdsResponse(target) ? "iloc" : ""];
  if (object.kind === "frame" && way === "loc") {
    const own = rowsByKeys(checking, object, index);
    if (own) return [own.of, own.at];
  }
  const isMask = index.kind === "numeric" && index.dtype === "bool";
  if (isMask && way === "loc" && (object.kind === "data" || object.kind === "frame")) {
    return [object, index];
  }
  const [rows, asked] = index.kind === "sequence" && index.items.length === 2 ? index.items : [];
  const isFrame = object.kind === "data" || object.kind === "frame";
  if (!isFrame || !asked || !isWhole(rows!)) return [target, index];
  const items = asked.kind === "sequence" ? asked.items : [asked];
  if (way === "loc" && items.every(({ kind }) => kind === "text")) return [object, asked];
  const names = object.kind === "frame" ? [...object.columns.keys()] : namesOfData(checking);
  const found = items.map((one) => names.at(numberOf(checking, one) ?? names.length));
  if (way !== "iloc" || found.some((one) => one === undefined)) return [target, index];
  const texts = found.map((one): Value => ({ kind: "text", value: one! }));
  return [object, asked.kind === "sequence" ? { ...asked, items: texts } : texts[0]];
}
