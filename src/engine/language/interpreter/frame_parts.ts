/** Frames as scripts prepare them: columns renamed, assigned and reached by `.loc`, matrices with the response in them. */
import { numberOf } from "./arrays.ts";
import type { Arguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import { columnValue, wholeFrame } from "./columns.ts";
import { applyTo } from "./inline.ts";
import type { Place } from "../syntax/source.ts";
import type { FrameValue, MethodValue, Value } from "./values.ts";

/** Methods that print or draw: nothing is made of them. */
export const silentOfFrames: ReadonlySet<string> = new Set(
  ["head", "tail", "info", "describe", "plot", "hist"],
);

/** `frame.rename(columns={"a": "b"})`; undefined for other arguments. */
export function renamed({ columns }: FrameValue, { keywords }: Arguments): FrameValue | undefined {
  const table = keywords.get("columns")?.value;
  if (table?.kind !== "dictionary") return undefined;
  const nameOf = (name: string) => {
    const found = table.entries.get(name);
    return found?.kind === "text" ? found.value : name;
  };
  return { kind: "frame", columns: new Map([...columns].map(([k, v]) => [nameOf(k), v])) };
}

/** `x.pipe(f)`: f of x; undefined where f is no function of the program. */
export function piped(
  checking: Checking,
  x: Value,
  { call, positional }: Arguments,
): Value | undefined {
  const [f, ...more] = positional.map(({ value }) => value);
  return f?.kind === "function" ? applyTo(checking, call, f, [x, ...more]) : undefined;
}

/** `frame.filter(like="x_")`, `frame.filter(items=["a", "b"])`; undefined for other arguments. */
export function filtered({ columns }: FrameValue, args: Arguments): FrameValue | undefined {
  const like = args.keywords.get("like")?.value;
  const items = (args.keywords.get("items") ?? args.positional[0])?.value;
  const names = items?.kind === "sequence"
    ? items.items.flatMap((one) => one.kind === "text" ? [one.value] : [])
    : undefined;
  if (names === undefined && like?.kind !== "text") return undefined;
  const isKept = (name: string) =>
    names ? names.includes(name) : like?.kind === "text" && name.includes(like.value);
  return { kind: "frame", columns: new Map([...columns].filter(([name]) => isKept(name))) };
}

/** `frame.assign(b=lambda d: 2 * d["a"])`: columns one after another, each of the frame so far. */
export function assigned(
  checking: Checking,
  frame: FrameValue,
  { call, keywords }: Arguments,
): Value | undefined {
  const made: FrameValue = { kind: "frame", columns: new Map(frame.columns) };
  for (const [name, { value, place }] of keywords) {
    const own = value.kind === "function" ? applyTo(checking, call, value, [made]) : value;
    if (own.kind === "invalid") return own;
    const isColumn = own.kind === "response" || own.kind === "derived" || (
      own.kind === "numeric" && checking.graph.shapeOf(own.node)[0] === checking.dataset.rows
    );
    if (!isColumn) {
      const message = `Cannot assign ${name}: wanted a number for each row`;
      return checking.error("names/wrong-kind", message, place);
    }
    made.columns.set(name, own);
  }
  return made;
}

/** `frame.loc[:, "a"]`, `frame.iloc[:, 0]` and lists of them, in all rows; undefined for other parts. */
export function locatedPart(
  checking: Checking,
  { object, name }: MethodValue,
  index: Value,
  place: Place,
): Value | undefined {
  if (name !== "loc" && name !== "iloc" || object.kind !== "data" && object.kind !== "frame") {
    return undefined;
  }
  if (index.kind !== "sequence" || index.items.length !== 2 || !isAll(index.items[0])) {
    return undefined;
  }
  const asked = index.items[1];
  const names = (asked.kind === "sequence" ? asked.items : [asked]).map((one) =>
    nameBy(checking, object, one, { byPlace: name === "iloc", place })
  );
  const found = names.map((one) =>
    one === undefined
      ? undefined
      : object.kind === "frame"
      ? object.columns.get(one)
      : columnValue(checking, one, place, place)
  );
  if (found.some((one) => one === undefined)) return undefined;
  if (asked.kind !== "sequence") return found[0];
  return { kind: "frame", columns: new Map(found.map((one, k) => [names[k]!, one!])) };
}

function nameBy(
  checking: Checking,
  object: Value,
  asked: Value,
  { byPlace, place }: { readonly byPlace: boolean; readonly place: Place },
): string | undefined {
  if (!byPlace) return asked.kind === "text" ? asked.value : undefined;
  const at = numberOf(checking, asked);
  const { columns } = object.kind === "frame" ? object : wholeFrame(checking, place);
  return at === undefined ? undefined : [...columns.keys()].at(at);
}

function isAll(index: Value): boolean {
  return index.kind === "slice" && index.parts.every((part) => part === undefined);
}

/** `matrix[:, 0]` of a frame that holds the response. */
export function columnAt(
  checking: Checking,
  frame: FrameValue,
  index: Value,
): Value | undefined {
  if (index.kind !== "sequence" || index.items.length !== 2 || !isAll(index.items[0])) {
    return undefined;
  }
  const at = numberOf(checking, index.items[1]);
  return at === undefined ? undefined : [...frame.columns.values()].at(at);
}
