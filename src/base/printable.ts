/** Makes text of unknown origin fit to be printed: nothing in it moves a cursor or hides a word. */

const unprintable = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu;

/**
 * The text with a picture (U+2400 …) for each control character but tab and line feed, and U+FFFD
 * for what turns the direction of text: one column for each, so that carets still point.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { printable } from "./printable.ts";
 * assert.equal(printable("a\x1b[2J\tb\n"), "a␛[2J\tb\n");
 * ```
 */
export function printable(text: string): string {
  return text.replace(unprintable, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x7f) return "\u2421";
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : "\ufffd";
  });
}
