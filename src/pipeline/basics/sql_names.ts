/** Names and texts as they stand in SQL. */

/** An identifier in quotes. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * A text in quotes.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { literal } from "./sql_names.ts";
 * assert.equal(literal("dugong's"), "'dugong''s'");
 * ```
 */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
