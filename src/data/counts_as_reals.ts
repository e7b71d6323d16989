/** Finds a response of counts that is read as measurements. */
import type { Column } from "../base/dataset.ts";
import type { ColumnSpec } from "./typed_dataset.ts";

/**
 * Finding on a response of whole numbers of 0 or more, for which the pipeline gives neither a type
 * nor a resolution; undefined for any other.
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
