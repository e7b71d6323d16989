/** Pieces of bytes as one. */

/**
 * Bytes of all parts, one after the other.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { joinParts } from "./join_parts.ts";
 * assert.deepEqual(joinParts([Uint8Array.of(1), Uint8Array.of(2, 3)]), Uint8Array.of(1, 2, 3));
 * ```
 */
export function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
