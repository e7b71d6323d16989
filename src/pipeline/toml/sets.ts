/** `--set path=value`: the arguments of a command line as a document with positions. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { InputError } from "../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../base/span.ts";
import { layOver } from "./merge.ts";
import { locate, type Located, type LocatedTable, type Origin } from "./located.ts";
import { parseTomlFile, type TomlDocument, type TomlValue } from "./parse.ts";
import { deepest, parsePath, type Path, type PathPart } from "./path.ts";

/** The pseudo-file to which spans of `--set` values point; each argument is one line of it. */
export const setFile = "--set";

/** Request of one argument: a value to lay over the one at a path. */
interface SetRequest {
  readonly path: Path;
  readonly value: Located;
  /** The origin of the tables that the path passes through. */
  readonly origin: Origin;
}

/** Reads one argument; `line` is its first line in the pseudo-file, from 1. */
export function readSet(
  argument: string,
  line: number,
  folder: string,
): { readonly request: SetRequest } | { readonly diagnostic: Diagnostic } {
  const read = readArgument(argument, line);
  if ("diagnostic" in read) return read;
  const path = read.parts.map((part) => part.name);
  const origin: Origin = { source: "set", document: read.document, path: [], folder };
  const value = locate(read.value, { ...origin, path });
  if (path.at(-1) !== "use") return { request: { path, value, origin } };
  const table: Located = { ...emptyTable({ ...origin, path: path.slice(0, -1) }) };
  const used = { ...table, entries: new Map([["use", value]]) } as LocatedTable;
  return { request: { path: path.slice(0, -1), value: used, origin } };
}

/** Lays a value over what stands at a path, making tables on the way. */
export function layAt(root: LocatedTable, { path, value, origin }: SetRequest): LocatedTable {
  const placed = placeAt(root, path, value, origin);
  return placed.kind === "table" ? placed : root;
}

type ReadSet =
  | { readonly diagnostic: Diagnostic }
  | {
    readonly parts: readonly PathPart[];
    readonly value: TomlValue;
    readonly document: TomlDocument;
  };

function readArgument(argument: string, line: number): ReadSet {
  const equals = argument.indexOf("=");
  const whole = lineSpan(setFile, line, 1, [...argument].length);
  if (equals < 0) return { diagnostic: badSet(`found "${argument}", wanted path=value`, whole) };
  const path = parsePath(argument.slice(0, equals));
  if (path.kind === "error") {
    const span = lineSpan(setFile, line, [...argument.slice(0, path.at)].length + 1);
    return { diagnostic: badSet(path.message, span) };
  }
  if (path.parts.length > deepest) {
    const found =
      `found ${path.parts.length} keys, one inside the other, wanted at most ${deepest}`;
    return { diagnostic: badSet(found, lineSpan(setFile, line, 1)) };
  }
  return readValue(argument, line, equals + 1, path.parts);
}

function readValue(
  argument: string,
  line: number,
  start: number,
  parts: readonly PathPart[],
): ReadSet {
  const text = argument.slice(start);
  if (text.trim() === "") {
    const span = lineSpan(setFile, line, start + 1);
    return { diagnostic: badSet('a value is missing after "="', span) };
  }
  const shift = [...argument.slice(0, start)].length - "v=".length;
  try {
    const inner = parseTomlFile(`v=${text}`, setFile);
    const value = Object.keys(inner.value).length === 1 ? inner.value.v : text;
    return { parts, value, document: setDocument(argument, line, parts, inner, shift) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    if (!/^\s*["'\[{]/.test(text)) {
      return { parts, value: text, document: setDocument(argument, line, parts, undefined, shift) };
    }
    const [first] = error.diagnostics;
    const span = first.span && moved(first.span, line, shift);
    return { diagnostic: { ...first, message: first.message.replace("this", "--set"), span } };
  }
}

/** A document whose spans point into the argument: its path for keys, its value for values. */
function setDocument(
  argument: string,
  line: number,
  parts: readonly PathPart[],
  inner: TomlDocument | undefined,
  shift: number,
): TomlDocument {
  const spanOf = (path: Path, which: "key" | "value"): Span => {
    const part = parts[path.length - 1];
    if (part && (which === "key" || path.length < parts.length)) {
      const column = [...argument.slice(0, part.start)].length + 1;
      return lineSpan(setFile, line, column, [...argument.slice(part.start, part.end)].length);
    }
    const span = inner?.spanOf(["v", ...path.slice(parts.length)], which);
    if (span) return moved(span, line, shift);
    return lineSpan(setFile, line, shift + 3, [...argument].length - shift - 2);
  };
  return { file: setFile, text: argument, value: {}, spanOf };
}

function moved(span: Span, line: number, shift: number): Span {
  return {
    file: setFile,
    line: span.line + line - 1,
    column: span.line === 1 ? span.column + shift : span.column,
    endLine: span.endLine + line - 1,
    endColumn: span.endLine === 1 ? span.endColumn + shift : span.endColumn,
  };
}

function placeAt(under: Located | undefined, path: Path, value: Located, origin: Origin): Located {
  const isStage = origin.path.at(-2) === "stages";
  if (path.length === 0) return layOver(under, value, isStage);
  const [part, ...rest] = path;
  const below: Origin = { ...origin, path: [...origin.path, part] };
  if (under?.kind === "list" && typeof part === "number" && part <= under.items.length) {
    const items = [...under.items];
    items[part] = placeAt(items[part], rest, value, below);
    return { ...under, items };
  }
  const table = under?.kind === "table" ? under : emptyTable(origin);
  const child = placeAt(table.entries.get(`${part}`), rest, value, below);
  const alone: LocatedTable = { ...emptyTable(origin), entries: new Map([[`${part}`, child]]) };
  return rest.length === 0 ? layOver(table, alone, isStage) : {
    ...table,
    entries: new Map([...table.entries, [`${part}`, child]]),
  };
}

function emptyTable(origin: Origin): LocatedTable {
  return { kind: "table", entries: new Map(), origin };
}

function badSet(reason: string, span: Span): Diagnostic {
  return {
    code: "set/malformed",
    severity: "error",
    message: `Cannot read --set: ${reason}`,
    span,
    hint: "write --set path=value, for example --set stages.train.steps=2000",
  };
}
