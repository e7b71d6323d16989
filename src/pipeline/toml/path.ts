/** Dotted paths into a TOML document: `stages.train.log_reward.0.weight`, quoted where needed. */

/** Keys of tables are strings, places in lists are numbers from 0. */
export type Path = readonly (string | number)[];

/** One part of a path as it was written, with its place in UTF-16 units. */
export interface PathPart {
  readonly name: string | number;
  readonly start: number;
  readonly end: number;
}

/** A path that was read, or its fault and where. */
type ParsedPath =
  | { readonly kind: "path"; readonly parts: readonly PathPart[] }
  | { readonly kind: "error"; readonly message: string; readonly at: number };

/** Tables and lists that may lie inside one another; a pipeline has about ten. */
export const deepest = 100;

const bareKey = /^[A-Za-z0-9_-]+$/;
const listIndex = /^(0|[1-9][0-9]{0,14})$/;

/**
 * The text of a path; {@link parsePath} reads it back to the same parts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { formatPath } from "./path.ts";
 * assert.equal(formatPath(["columns", "body length", 0]), 'columns."body length".0');
 * ```
 */
export function formatPath(path: Path): string {
  return path.map(formatPart).join(".");
}

function formatPart(part: string | number): string {
  if (typeof part === "number") return `${part}`;
  return bareKey.test(part) && !listIndex.test(part) ? part : JSON.stringify(part);
}

/** Reads a dotted path: bare keys, keys in double or single quotes, and digits for places in lists. */
export function parsePath(text: string): ParsedPath {
  const parts: PathPart[] = [];
  const pattern = /\s*(?:("(?:[^"\\]|\\.)*")|'([^']*)'|([A-Za-z0-9_-]+))\s*/y;
  for (let at = 0;;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    const name = match && partName(match);
    if (!match || name === undefined || name === null) {
      return { kind: "error", message: "a key is missing or malformed", at };
    }
    const start = at + match[0].length - match[0].trimStart().length;
    parts.push({ name, start, end: start + match[0].trim().length });
    at = pattern.lastIndex;
    if (at === text.length) return { kind: "path", parts };
    if (text[at] !== ".") return { kind: "error", message: 'wanted "." between two keys', at };
    at++;
  }
}

function partName([, quoted, literal, bare]: RegExpExecArray): string | number | undefined {
  if (quoted !== undefined) return unquote(quoted);
  if (literal !== undefined) return literal;
  return listIndex.test(bare) ? Number(bare) : bare;
}

function unquote(text: string): string | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
