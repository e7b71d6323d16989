/** Makes text of unknown origin fit to be printed: nothing in it moves a cursor or hides a word. */

const unprintable = /(?![\t\n])\p{Cc}|\p{Bidi_Control}|[\u2028\u2029]/gu;

/**
 * The text with a picture (U+2400 …) for each control character but tab and line feed, and U+FFFD
 * for characters that turn the direction of text: one column for each, so that carets still point.
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

/**
 * The same JSON, in which nothing acts on a terminal: characters that JSON does not escape (the upper
 * control characters, those that turn the direction of text) are written by their numbers.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { printableJson } from "./printable.ts";
 * const text = JSON.stringify({ "a\u202eb": "\u009b2J" });
 * assert.equal(printableJson(text), '{"a\\u202eb":"\\u009b2J"}');
 * assert.deepEqual(JSON.parse(printableJson(text)), JSON.parse(text));
 * ```
 */
export function printableJson(json: string): string {
  return json.replace(
    unprintable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/**
 * A value whose texts are one line each: a name with a line feed in it could otherwise be a line of
 * its own in a report. Names of fields stay.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { onOneLine } from "./printable.ts";
 * assert.deepEqual(onOneLine({ name: "a\nb", rows: [2] }), { name: "a⏎b", rows: [2] });
 * ```
 */
export function onOneLine<T>(value: T): T {
  if (typeof value === "string") return value.replace(/\r\n?|\n/g, "⏎") as T;
  if (Array.isArray(value)) return value.map(onOneLine) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, onOneLine(one)])) as T;
}

/** Colours and weights as Sluice sets them itself; neither hidden nor reversed text (ECMA-48, SGR). */
// deno-lint-ignore no-control-regex
const style = /(\x1b\[(?:[0-49]|2[1-49]|3\d|4\d|9[0-7])m)/;

/**
 * Like `printable`, of text that Sluice has coloured: styles stay, everything else that would act on
 * the terminal is shown as a picture.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { printableStyled } from "./printable.ts";
 * assert.equal(printableStyled("\x1b[31mred\x1b[39m \x1b]0;t\x07"), "\x1b[31mred\x1b[39m ␛]0;t␇");
 * ```
 */
export function printableStyled(text: string): string {
  return text.split(style).map((part, i) => i % 2 === 1 ? part : printable(part)).join("");
}

/** Text as long as it is on a terminal, without the styles that `printableStyled` leaves. */
export function withoutStyles(text: string): string {
  return text.split(style).filter((_, i) => i % 2 === 0).join("");
}
