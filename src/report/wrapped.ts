/** Text in lines that fit a terminal. */
import { withoutStyles } from "../base/printable.ts";

/**
 * Text in lines of at most `width` columns; those after the first are indented, by two. A number
 * stays with its percent sign, and with its error.
 */
export function wrapped(text: string, width: number, indent = 2): string {
  const lines: string[] = [];
  for (const word of text.split(/(?<!±) (?![%±])/)) {
    const last = lines[lines.length - 1];
    const room = last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= width;
    if (room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : " ".repeat(indent) + word);
  }
  return lines.join("\n");
}

/** Columns that a text takes: styles take none. */
function columnsOf(text: string): number {
  return [...withoutStyles(text)].length;
}

/** The excerpt of a file in a diagnostic, whose carets point into the line above. */
const excerpt = /^ *\d* \| /;

/**
 * Messages with lines of at most `width` columns, the rest of each line below it, two columns
 * further right. Excerpts of files stay as they are.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { fitted } from "./wrapped.ts";
 * assert.equal(fitted("no\n  mend: write b", 12), "no\n  mend:\n    write b");
 * assert.equal(fitted("   1 | a = b + c\n     |     ^", 12), "   1 | a = b + c\n     |     ^");
 * ```
 */
export function fitted(text: string, width: number): string {
  const fit = (line: string) => {
    if (excerpt.test(line) || columnsOf(line) <= width) return line;
    return wrapped(line, width, line.search(/\S/) + 2);
  };
  return text.split("\n").map(fit).join("\n");
}
