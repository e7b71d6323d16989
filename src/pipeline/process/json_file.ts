/** Small JSON files of the runner's own. */
import { writeAtomic } from "../../base/atomic.ts";
import { readRegularText } from "../../base/regular_file.ts";

/**
 * The JSON of a file, or undefined if there is none or it cannot be read as JSON.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readJsonFile } from "./json_file.ts";
 * assert.equal(readJsonFile("/nowhere.json"), undefined);
 * ```
 */
export function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readRegularText(path));
  } catch {
    return undefined;
  }
}

/** Writes a value as JSON, whole or not at all. */
export function writeJsonFile(path: string, value: unknown): void {
  writeAtomic(path, JSON.stringify(value, null, 2) + "\n");
}
