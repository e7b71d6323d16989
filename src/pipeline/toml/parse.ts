/** Reads a TOML file: its values at once, and the place of each value on demand. */
import { parse, TomlDate, TomlError } from "smol-toml";
import { type Diagnostic, InputError } from "../../base/diagnostic.ts";
import { lineSpan, type Span } from "../../base/span.ts";
import { deepest, type Path } from "./path.ts";
import { Positions } from "./positions.ts";

/** Value of a TOML document; dates are kept as the text of their ISO form. */
export type TomlValue =
  | string
  | number
  | boolean
  | readonly TomlValue[]
  | { readonly [key: string]: TomlValue };

/** Values of a table by key. */
export type TomlTable = { readonly [key: string]: TomlValue };

/** Values, and where they stand. */
export interface TomlDocument {
  /** Name by which spans call the file. */
  readonly file: string;
  /** The file as it was read. */
  readonly text: string;
  /** Values of the whole file. */
  readonly value: TomlTable;
  /** The place of a key or value; for the empty path, the first line. */
  spanOf(path: Path, which: "key" | "value"): Span | undefined;
}

/**
 * Parses TOML 1.1.
 *
 * @param file how messages name the text.
 * @throws InputError with code `toml/syntax` and the place.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { parseTomlFile } from "./parse.ts";
 * const document = parseTomlFile("[stages.train]\nsteps = 800", "a.toml");
 * assert.deepEqual(document.value, { stages: { train: { steps: 800 } } });
 * assert.equal(document.spanOf(["stages", "train", "steps"], "value")?.column, 9);
 * ```
 */
export function parseTomlFile(text: string, file: string): TomlDocument {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const value = parseValues(source, file);
  let positions: Positions | undefined;
  return {
    file,
    text: source,
    value,
    spanOf: (path, which) => (positions ??= new Positions(file, source)).spanOf(path, which),
  };
}

function parseValues(text: string, file: string): TomlTable {
  try {
    const value = parse(text);
    if (isDeeperThan(value, deepest)) throw tooDeep(text, file);
    return plain(value) as TomlTable;
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(text, file);
    if (error instanceof TomlError) throw new InputError([syntaxDiagnostic(error, text, file)]);
    throw error;
  }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const inner = level.filter((each) => typeof each === "object" && each !== null);
    level = inner.flatMap((each) => each instanceof TomlDate ? [] : Object.values(each as object));
  }
  return false;
}

/** With the line that opens most tables and lists. */
function tooDeep(text: string, file: string): InputError {
  const opened = text.split("\n").map((line) => line.replace(/[^.[{]/g, "").length);
  const most = opened.reduce((best, many, i) => many > opened[best] ? i : best, 0);
  return new InputError([{
    code: "toml/too-deep",
    severity: "error",
    message: `Cannot read ${file}: keys and lists are more than ${deepest} levels deep`,
    span: lineSpan(file, most + 1, 1),
    hint: "write a flatter document: a pipeline needs about ten levels",
  }]);
}

function plain(value: unknown): TomlValue {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value as string | number | boolean;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, plain(child)]));
}

function syntaxDiagnostic(error: TomlError, text: string, file: string): Diagnostic {
  const line = text.split(/\r\n|\n/)[error.line - 1] ?? "";
  const before = line.slice(0, error.column - 1);
  const rest = line.slice(error.column - 1);
  const length = [...(/^[^\s,\]}=#]+/.exec(rest)?.[0] ?? " ")].length;
  const reason = error.message.replace("Invalid TOML document: ", "").split("\n")[0];
  const span = lineSpan(file, error.line, [...before].length + 1, length);
  return { code: "toml/syntax", severity: "error", span, ...explain(reason, rest, line) };
}

/** The parser's reason in words for the author of a pipeline, with the remedy. */
function explain(reason: string, rest: string, line: string): { message: string; hint?: string } {
  const cannot = "Cannot read this as TOML";
  if (reason.startsWith("trying to redefine")) {
    const name = line.split("=")[0].trim();
    return {
      message: `${cannot}: ${name} is defined twice`,
      hint: "rename one of the two, or write their keys into one table",
    };
  }
  const word = /^[^\s,\]}#]+/.exec(rest)?.[0];
  if (reason === "invalid value" && !word) {
    return { message: `${cannot}: a value is missing`, hint: "write a value, or remove the key" };
  }
  if (reason === "invalid value") {
    return {
      message: `${cannot}: found ${word}, wanted a value`,
      hint: `text is written in quotes: "${word}"`,
    };
  }
  return { message: `${cannot}: ${reason}` };
}
