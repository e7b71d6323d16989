/** Commands that are printed to be copied: words as a shell of POSIX reads them back. */

/** Words that no shell changes. */
const plain = /^[A-Za-z0-9_@%+=:,.\/-]+$/;

/**
 * Words of a command in one line, each in single quotes where a shell would read it otherwise.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { shellWords } from "./shell_words.ts";
 * assert.equal(shellWords(["rank", "a b.csv", "--formula", "y ~ [x | z]"]),
 *   "rank 'a b.csv' --formula 'y ~ [x | z]'");
 * ```
 */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
    .join(" ");
}
