/** Numbers that stand for missing values in files of many programs: -999 among values from 0 to 30. */

const codes = [99, 999, 9999, 99999].flatMap((code) => [-code, code]);

/**
 * Finding on a column in which such a number lies farther from the others than they do from each
 * other; undefined for any other column.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { codeForMissing } from "./codes_for_missing.ts";
 * assert.match(codeForMissing([3, 12, -999, 7, -999])!, /^2 rows hold -999, far from all others/);
 * assert.equal(codeForMissing([96, 97, 98, 99, 100]), undefined);
 * ```
 */
export function codeForMissing(values: readonly number[]): string | undefined {
  for (const code of codes) {
    const others = values.filter((value) => value !== code);
    const count = values.length - others.length;
    if (count === 0 || others.length < 3) continue;
    const [least, most] = [Math.min, Math.max].map((end) => others.reduce((a, b) => end(a, b)));
    const away = Math.max(least - code, code - most);
    if (away <= most - least) continue;
    const rows = count === 1 ? "1 row holds" : `${count} rows hold`;
    return `${rows} ${code}, far from all others: if it stands for missing, leave these cells empty`;
  }
  return undefined;
}
