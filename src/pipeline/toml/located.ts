/** A tree of TOML values in which each value remembers the file and place it came from. */
import { lineSpan, type Span } from "../../base/span.ts";
import { formatPath, type Path } from "./path.ts";
import type { TomlDocument, TomlTable, TomlValue } from "./parse.ts";

/** Source of a value: a default, the file, a file that it uses, an overlay, or the command line. */
export type ValueSource = "default" | "file" | "use" | "overlay" | "set";

/** Where a value was written. */
export interface Origin {
  readonly source: ValueSource;
  readonly document: TomlDocument;
  /** Path within the document. */
  readonly path: Path;
  /** Folder against which paths in the value resolve. */
  readonly folder: string;
}

interface LocatedScalar {
  readonly kind: "scalar";
  readonly value: string | number | boolean;
  readonly origin: Origin;
}

interface LocatedList {
  readonly kind: "list";
  readonly items: readonly Located[];
  readonly origin: Origin;
}

export interface LocatedTable {
  readonly kind: "table";
  readonly entries: ReadonlyMap<string, Located>;
  readonly origin: Origin;
}

export type Located = LocatedScalar | LocatedList | LocatedTable;

/** Gives each value of a document its origin. */
export function locate(value: TomlTable, origin: Origin): LocatedTable;
export function locate(value: TomlValue, origin: Origin): Located;
export function locate(value: TomlValue, origin: Origin): Located {
  const child = (part: string | number) => ({ ...origin, path: [...origin.path, part] });
  if (Array.isArray(value)) {
    return { kind: "list", items: value.map((item, i) => locate(item, child(i))), origin };
  }
  if (typeof value !== "object") return { kind: "scalar", value, origin };
  const entries = Object.entries(value).map(([key, item]) =>
    [key, locate(item, child(key))] as const
  );
  return { kind: "table", entries: new Map(entries), origin };
}

/** The values alone. */
export function plainValue(node: Located): TomlValue {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plainValue);
  return Object.fromEntries([...node.entries].map(([key, child]) => [key, plainValue(child)]));
}

/** The node at a path, or undefined. */
export function nodeAt(node: Located, path: Path): Located | undefined {
  let here: Located | undefined = node;
  for (const part of path) {
    if (here?.kind === "table") here = here.entries.get(`${part}`);
    else if (here?.kind === "list") here = here.items[Number(part)];
    else return undefined;
  }
  return here;
}

/** The scalars at a path in which `*` stands for every place of a list, each with its own path. */
export function nodesAt(
  node: Located,
  path: readonly string[],
  at: Path = [],
): readonly { readonly at: string; readonly node: Located }[] {
  const [part, ...rest] = path;
  if (part === undefined) return node.kind === "scalar" ? [{ at: formatPath(at), node }] : [];
  if (node.kind === "list" && part === "*") {
    return node.items.flatMap((item, i) => nodesAt(item, rest, [...at, i]));
  }
  const child = node.kind === "table" ? node.entries.get(part) : undefined;
  return child ? nodesAt(child, rest, [...at, part]) : [];
}

/** Where a node's value (or the key before it) is written. */
export function spanOfNode(node: Located, which: "key" | "value" = "value"): Span {
  const { document, path } = node.origin;
  return document.spanOf(path, which) ?? lineSpan(document.file, 1, 1);
}

/** All scalars (and empty lists and tables) below a node, with their dotted paths. */
export function* leaves(node: Located, path: Path = []): Generator<[string, Located]> {
  const children: [string | number, Located][] = node.kind === "table"
    ? [...node.entries]
    : node.kind === "list"
    ? node.items.map((item, i) => [i, item])
    : [];
  if (children.length === 0) yield [formatPath(path), node];
  for (const [part, child] of children) yield* leaves(child, [...path, part]);
}

/** A copy of a table without some keys. */
export function without(table: LocatedTable, keys: ReadonlySet<string>): LocatedTable {
  const entries = [...table.entries].filter(([key]) => !keys.has(key));
  return { ...table, entries: new Map(entries) };
}
