/** Names in a message: as many as a person reads, and how many more there are. */

/** Names that a message has room for. */
const mostNamed = 60;

/**
 * Names with commas between them, the first ones alone, since a file may have a million.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { listed } from "./listed.ts";
 * assert.equal(listed(["a", "b"]), "a, b");
 * assert.match(listed(Array(68).fill("x")), /^x, .*, x and 8 more$/);
 * ```
 */
export function listed(names: readonly string[]): string {
  const rest = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : "";
  return names.slice(0, mostNamed).join(", ") + rest;
}
