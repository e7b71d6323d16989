/** A column's name as formulas write it: in backticks if it is no name, or a word of formulas. */

/**
 * The name as it may stand in a formula.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { quoted } from "./quoted.ts";
 * assert.deepEqual(["age", "body mass", "poly"].map(quoted), ["age", "`body mass`", "`poly`"]);
 * ```
 */
export function quoted(name: string): string {
  return /^[\p{L}_.][\p{L}\p{N}_.]*$/u.test(name) && !/^(offset|poly|spline|mo|family)$/.test(name)
    ? name
    : `\`${name}\``;
}
