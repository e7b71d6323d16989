/** Rows whose columns have mean 0 and standard deviation 1: a policy for many data sets sees no units. */
import { inputError } from "../../base/diagnostic.ts";
import { isCounted, type OtherFamily } from "./regression_families.ts";

/** Predictors and response, standardised. */
export interface StandardRows {
  /** Rows without a missing cell. */
  readonly rows: number;
  /** `[predictors][rows]`. */
  readonly columns: readonly Float64Array[];
  /** `[rows]`: standardised, but of counts and successes. */
  readonly y: Float64Array;
  /** Of the response; normal if left out. */
  readonly family?: OtherFamily;
  /** `[rows]`: of successes; one each if left out. */
  readonly trials?: Float64Array;
}

/** Columns as they were measured; NaN is a missing cell. */
export interface RawRows {
  /** `[predictors][rows]`. */
  readonly columns: readonly ArrayLike<number>[];
  /** `[rows]`. */
  readonly y: ArrayLike<number>;
  /** Of the response; normal if left out. */
  readonly family?: OtherFamily;
  /** `[rows]`: of successes; one each if left out. */
  readonly trials?: ArrayLike<number>;
}

/** Rows that it takes to have something to explain. */
const fewestRows = 3;

/**
 * Complete rows, each column less its mean and over its standard deviation (divisor n − 1); counts and
 * successes stay as they are.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "./standard_rows.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * assert(Math.abs(rows.y.reduce((sum, one) => sum + one, 0)) < 1e-12);
 * assert.equal(rows.rows, 6);
 * ```
 *
 * @param names Of predictors and response, for messages.
 * @throws InputError `amortised/rows` with fewer than three complete rows, `amortised/constant` where a
 * column has one value only, or overflows.
 */
export function standardRows(
  { columns, y, family, trials }: RawRows,
  names: readonly string[] = [],
): StandardRows {
  const all = [...columns, y];
  const cells = trials ? [...all, trials] : all;
  const complete = Array.from({ length: y.length }, (_, i) => i)
    .filter((i) => cells.every((column) => !Number.isNaN(column[i])));
  if (complete.length < fewestRows) throw tooFew(complete.length, y.length);
  const made = all.map((column, c) => {
    const standard = standardised(complete.map((i) => column[i]));
    if (standard) return standard;
    const name = names[c] ?? (c < columns.length ? `x${c + 1}` : "the response");
    const message = `Cannot use the policy: ${name} has one value only in the complete rows, or ` +
      "values beyond what can be squared";
    const hint = "leave the column out of the formula";
    throw inputError("amortised/constant", message, undefined, hint);
  });
  const kept = (values: ArrayLike<number>) => Float64Array.from(complete, (i) => values[i]);
  return {
    rows: complete.length,
    columns: made.slice(0, -1),
    y: isCounted(family) ? kept(y) : made[made.length - 1],
    ...(family && { family }),
    ...(trials && { trials: kept(trials) }),
  };
}

function standardised(values: readonly number[]): Float64Array | undefined {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const square = values.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
  const deviation = Math.sqrt(square / (values.length - 1));
  if (!(deviation > 1e-12 * Math.abs(mean) && deviation > 0 && deviation < Infinity)) {
    return undefined;
  }
  return Float64Array.from(values, (one) => (one - mean) / deviation);
}

function tooFew(complete: number, rows: number): Error {
  const message = `Cannot use the policy: ${complete} of ${rows} rows are complete, wanted at ` +
    `least ${fewestRows}`;
  const hint = "leave columns with missing cells out of the formula";
  return inputError("amortised/rows", message, undefined, hint);
}
