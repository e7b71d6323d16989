/** Canonical JSON: one text per value, so that equal values have equal digests. */

/** Values of canonical JSON; numbers must be finite. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/**
 * Keys sorted by UTF-16 code units, no whitespace, numbers as ECMAScript prints them (RFC 8785).
 * Keys whose value is undefined are left out.
 *
 * @throws TypeError on a number that is not finite, and on functions and symbols.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number") return finiteNumber(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") return canonicalObject(value as Record<string, unknown>);
  throw new TypeError(`internal: canonical JSON cannot hold a ${typeof value}`);
}

function finiteNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`internal: canonical JSON cannot hold ${value}`);
  return JSON.stringify(value);
}

function canonicalObject(value: Record<string, unknown>): string {
  const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`).join(",")}}`;
}
