/** Words that a file has for a missing value beside those that every file has. */
import type { RawTable } from "./raw_table.ts";

/**
 * The table with cells that hold one of the words empty.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withoutWords } from "./missing_words.ts";
 * const columns = new Map([["age", ["61", ".", "refused"]]]);
 * const table = { file: "a.csv", columns, rows: 3, spanOf: () => undefined };
 * assert.deepEqual(withoutWords(table, [".", "refused"]).columns.get("age"), ["61", null, null]);
 * ```
 */
export function withoutWords(table: RawTable, words: readonly string[] = []): RawTable {
  if (words.length === 0) return table;
  const held = new Set(words);
  const columns = new Map(
    [...table.columns].map(([name, cells]) =>
      [name, cells.map((cell) => held.has(String(cell)) ? null : cell)] as const
    ),
  );
  return { ...table, columns };
}

const suspects =
  /^([.?*-]+|n\.?\s?a\.?|nan?|none|null|nil|unknown|unk|missing|not (available|known|recorded)|refused|d\.?k\.?|don'?t know)$/i;

/** Whether a word often stands for a missing value, and may be a level of its own. */
export function maybeMissing(word: string): boolean {
  return suspects.test(word.trim());
}
