/** Hints on a column that its numbers do not say: asked of the file's reader, never assumed. */
import { shellWords } from "../base/shell_words.ts";

/** Different numbers below which a column is taken to measure something. */
const fewestNamed = 5;

/**
 * Whole numbers of which equal ones stand together, several times each: they may name persons, plots
 * or batches that were measured repeatedly.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { hintOfRepeated } from "./hints.ts";
 * const persons = [301, 302, 303, 304, 305].flatMap((person) => [person, person, person]);
 * assert.match(hintOfRepeated("person", persons)!, /--group person$/);
 * assert.equal(hintOfRepeated("day", persons.map((_, row) => row % 3)), undefined);
 * ```
 */
export function hintOfRepeated(name: string, values: readonly number[]): string | undefined {
  const starts = values.filter((value, row) => row === 0 || value !== values[row - 1]);
  const rows = Map.groupBy(values, (value) => value);
  const isNamed = rows.size >= fewestNamed && starts.length === rows.size &&
    values.every(Number.isInteger) && [...rows.values()].every(({ length }) => length > 1);
  return isNamed
    ? "equal numbers stand together: if they name what was measured repeatedly, " +
      shellWords(["--group", name])
    : undefined;
}

/** Names of how long, or on how much, was counted. */
const amounts =
  /^(hours?|days?|nights?|minutes?|effort|exposure|duration|area|volume|distance|population)\b/i;

/**
 * Numbers above 0 beside counts, called like a time or an area: counts grow with them in proportion.
 *
 * @param values of the column.
 */
export function hintOfExposure(name: string, values: readonly number[]): string | undefined {
  if (!amounts.test(name) || values.some((value) => !(value > 0))) return undefined;
  return "if it is how long, or on how much, was counted: offset(log(…)) in the formula, without " +
    "brackets";
}
