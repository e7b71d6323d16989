/** Lists of numbers as one. */

/**
 * The numbers of all lists, one after the other.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { joinNumbers } from "./join_numbers.ts";
 * assert.deepEqual(joinNumbers([Float64Array.of(1), Float64Array.of(2, 3)]), Float64Array.of(1, 2, 3));
 * ```
 */
export function joinNumbers(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}
