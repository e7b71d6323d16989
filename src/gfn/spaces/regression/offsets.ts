/** Adds up the offsets that every program of a space has, for the prior of the intercept beside them. */
import { exp, log } from "../../../numerics/math/mod.ts";
import type { Part } from "../formula/formula.ts";
import { type Columns, moments, valuesBy } from "../writing/columns.ts";

/**
 * `[rows]`: the sum of the offsets that are not in question; undefined without any.
 *
 * @throws InputError where the data have no such column, or its function is not finite.
 */
export function offsetsOf(columns: Columns, parts: readonly Part[]): Float64Array | undefined {
  const terms = parts.filter(({ asked }) => !asked).flatMap(({ alternatives: [terms] }) => terms);
  const added = terms.flatMap((term) => {
    if (term.kind !== "offset" || term.factor.kind !== "column") return [];
    return [valuesBy(columns.numbers(term.factor.column), term.factor.by)];
  });
  if (added.length === 0) return undefined;
  return added[0].map((_, row) => added.reduce((sum, values) => sum + values[row], 0));
}

/** Numbers less offsets. */
export function lessOffsets(values: Float64Array, offsets?: Float64Array): Float64Array {
  return offsets ? values.map((value, row) => value - offsets[row]) : values;
}

/** log of the mean of e^offset, the part of offsets in the logarithm of a mean. */
export function logMeanExp(offsets?: Float64Array): number {
  if (!offsets) return 0;
  const most = offsets.reduce((a, b) => Math.max(a, b));
  return most + log(moments(offsets.map((one) => exp(one - most))).mean);
}
