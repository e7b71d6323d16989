/** DuckDB's values as plain JavaScript, which JSON, CSV and tables can show. */
import { Buffer } from "node:buffer";

/**
 * Integers become numbers where a number holds them exactly, else decimal text; times become ISO
 * 8601 in UTC, blobs hexadecimal, JSON columns their value, maps arrays of `{ key, value }`.
 */
export function plainValue(value: unknown, type = ""): unknown {
  if (type === "JSON" && typeof value === "string") return parseJson(value);
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
  }
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Date) return dateText(value, type);
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  if (Array.isArray(value)) return value.map((item) => plainValue(item));
  const entries = Object.entries(value).map(([key, item]) => [key, plainValue(item)]);
  return Object.fromEntries(entries);
}

function dateText(value: Date, type: string): string {
  const text = value.toISOString();
  return type === "DATE" ? text.slice(0, 10) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
