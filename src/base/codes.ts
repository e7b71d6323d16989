/** Whole numbers that may be codes: names of things, and no amounts. */

/** Whole numbers of which there are few are codes as often as amounts. */
const [fewestCodes, mostCodes] = [3, 12];

/** Rows at each number, on average, from which numbers of rows that differ are none. */
const fewestRows = 2;

/**
 * Different whole numbers, rising, where there are three to twelve of them and rows share them.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { codesIn } from "./codes.ts";
 * assert.deepEqual(codesIn([1, 3, 2, 1, 2, 3]), [1, 2, 3]);
 * assert.equal(codesIn([1, 2, 3, 4]), undefined);
 * ```
 */
export function codesIn(values: readonly number[]): readonly number[] | undefined {
  const found = [...new Set(values)];
  const isFew = found.length >= fewestCodes && found.length <= mostCodes;
  const isShared = values.length >= fewestRows * found.length;
  return isFew && isShared && found.every(Number.isInteger)
    ? found.sort((a, b) => a - b)
    : undefined;
}
