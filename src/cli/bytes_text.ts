/** Writes a number of bytes for people. */

const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];

/**
 * Three digits with their unit.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bytesText } from "./bytes_text.ts";
 * assert.deepEqual([0, 999, 133_000_000].map(bytesText), ["0 bytes", "999 bytes", "127 MiB"]);
 * ```
 */
export function bytesText(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit + 1 < units.length) [value, unit] = [value / 1024, unit + 1];
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}
