/** The code of a Python text, without the author's comments. */

/** A string, a comment, or a letter that is neither. */
const piece =
  /(?:[rRbBfFuU]{0,2})(?:"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)|#[^\n]*|[^]/g;

/**
 * Python without comments and without the contents of strings, but for subscripts, which
 * name columns: `data["age"]`. A text that is no Python loses what looks like them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { codeOf } from "./code_of.ts";
 * assert.equal(codeOf('pm.Normal("HalfNormal", data["age"]) # Gamma'), 'pm.Normal("", data["age"]) ');
 * ```
 */
export function codeOf(text: string): string {
  let code = "";
  for (const [found] of text.matchAll(piece)) {
    if (found.length === 1) code += found;
    else if (found.startsWith("#")) continue;
    else code += /[\w\])]\s*\[\s*$/.test(code.slice(-80)) ? found : '""';
  }
  return code;
}

/** Runs of white space as one space, so that no part hides by how it is laid out. */
export function evenly(text: string): string {
  return text.normalize("NFKC").replace(/\s+/g, " ");
}
