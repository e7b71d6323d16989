/** Fields of JSON that another process wrote, read one by one: fields of another form are malformed. */
import { isRecord } from "../base/record.ts";

/** Thrown where a field is missing or of another type. */
export class Malformed extends Error {}

/** Result of `read`, or undefined if it is malformed. */
export function wellFormed<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** JSON in which NaN and the infinities, which JSON lacks, are their names; see `number`. */
export function withAllNumbers(value: unknown): string {
  return JSON.stringify(value, (_, one) => isLacking(one) ? `${one}` : one);
}

function isLacking(value: unknown): boolean {
  return typeof value === "number" && !Number.isFinite(value);
}

/** The fields that are named, each read. */
export function pick<const K extends string, T>(
  keys: readonly K[],
  value: Record<string, unknown>,
  read: (field: unknown) => T,
): Record<K, T> {
  return Object.fromEntries(keys.map((key) => [key, read(value[key])])) as Record<K, T>;
}

/** A record, each of its fields read. */
export function mapValues<T>(
  value: Record<string, unknown>,
  read: (v: unknown) => T,
): Record<string, T> {
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, read(v)]));
}

/** An object that is no list. */
export function record(value: unknown): Record<string, unknown> {
  if (!isRecord(value)) throw new Malformed();
  return value;
}

/** A list. */
export function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new Malformed();
  return value;
}

/** One of these names. */
export function oneOf<const T extends string>(names: readonly T[], value: unknown): T {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new Malformed();
  return found;
}

/** A text. */
export function text(value: unknown): string {
  if (typeof value !== "string") throw new Malformed();
  return value;
}

/** A number, or the name of one that JSON lacks. */
export function number(value: unknown): number {
  if (typeof value === "number") return value;
  if (value === "NaN" || value === "Infinity" || value === "-Infinity") return Number(value);
  throw new Malformed();
}

/** A finite number. */
export function finite(value: unknown): number {
  if (typeof value !== "number" || !Number.isFinite(value)) throw new Malformed();
  return value;
}

/** A whole number that is not negative. */
export function count(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new Malformed();
  return value;
}
