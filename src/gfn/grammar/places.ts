/** Where the parts of a grammar stand in its file; kept beside the spec, so that it stays an artifact. */
import type { Span } from "../../base/span.ts";
import type { GrammarSpec } from "./spec.ts";

/** Keys and indices from the top of the file. */
export type GrammarPath = readonly (string | number)[];

/** A parsed TOML file: its values, and the place of each. */
export interface GrammarDocument {
  /** The file as plain values. */
  readonly value: { readonly [key: string]: unknown };
  /** The place of a key or value; undefined if it is not written in the file. */
  spanOf(path: GrammarPath, which: "key" | "value"): Span | undefined;
}

/** The place of a key or value of the grammar's file, if there is a file. */
export type Places = GrammarDocument["spanOf"];

const placesOfGrammars = new WeakMap<GrammarSpec, Places>();

/** Remembers the places of a grammar for as long as the grammar lives. */
export function rememberPlaces(spec: GrammarSpec, places: Places): void {
  placesOfGrammars.set(spec, places);
}

/** The places of a grammar that was read from a file; none for one that came from an artifact. */
export function placesOf(spec: GrammarSpec): Places {
  return placesOfGrammars.get(spec) ?? (() => undefined);
}

/** Source of characters of a derivation: a text of the grammar, or the bounds of a number. */
export type TextSource =
  | { readonly kind: "template" }
  | { readonly kind: "production"; readonly hole: string; readonly index: number }
  | { readonly kind: "default"; readonly index: number }
  /** Source of a number within bounds, which no text writes. */
  | { readonly kind: "number"; readonly hole: string };

/** The path of a text in the file. */
export function pathOfSource(source: TextSource): GrammarPath {
  if (source.kind === "template") return ["template"];
  if (source.kind === "default") return ["clauses", source.index, "default"];
  if (source.kind === "number") return ["holes", source.hole, "number"];
  return ["holes", source.hole, "productions", source.index, "text"];
}

/**
 * The place of some characters of a text: exact for strings without escapes, whether on one line
 * or on several.
 *
 * @param line,column 0-based, within the text.
 */
export function spanInText(
  whole: Span | undefined,
  text: string,
  line: number,
  column: number,
  length: number,
): Span | undefined {
  if (!whole) return undefined;
  const written = whole.endLine - whole.line;
  if (written === 0) return onLine(whole, whole.line, whole.column + 1 + column, length);
  const opening = written > text.replace(/\n$/, "").split("\n").length - 1 ? 1 : 0;
  if (line + opening === 0) return onLine(whole, whole.line, whole.column + 3 + column, length);
  return onLine(whole, whole.line + line + opening, column + 1, length);
}

function onLine(whole: Span, line: number, column: number, length: number): Span {
  return { file: whole.file, line, column, endLine: line, endColumn: column + Math.max(1, length) };
}
