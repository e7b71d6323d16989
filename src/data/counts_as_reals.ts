/** A response of counts that nobody has called one. */
import type { Column } from "../base/dataset.ts";
import type { ColumnSpec } from "./typed_dataset.ts";

/**
 * What to say of a response of numbers that are all whole and not negative, of which the pipeline
 * says neither a type nor a resolution; nothing of any other.
 */
export function countsAsReals(
  { name, type, values }: Column,
  spec: ColumnSpec,
): string | undefined {
  const isSaid = spec.resolution !== undefined || type !== "real";
  if (isSaid || !values.every((value) => Number.isInteger(value) && value >= 0)) return undefined;
  return `"${name}" holds whole numbers of 0 or more and is read as measurements: write ` +
    `type = "count" if it counts something, or resolution = 1 if it was rounded`;
}
