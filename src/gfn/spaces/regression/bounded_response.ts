/** Responses that are limits in some rows, or that could not be observed beyond bounds. */
import { type Dataset, limitNames } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { intervalCensored } from "../../../base/interval_censored.ts";
import type { Response } from "../formula/formula.ts";
import { literal, readOf } from "../writing/design.ts";
import type { FamilyName } from "./family_names.ts";
import { families, type ResponseBounds } from "./family_table.ts";

/**
 * The bounds of `cens(…)` or `trunc(…)` in a formula; undefined where it has neither.
 *
 * @throws InputError `formula/bounds` where it has both, a family has bounds of its own, the data do not
 * mark the rows that are limits, or a value lies beyond a bound.
 */
export function boundsOf(
  { columns, name }: Dataset,
  { column, censored, truncated, by, asked, trials }: Response,
  names: readonly FamilyName[],
): ResponseBounds | undefined {
  if (censored === undefined && !truncated) return undefined;
  if (names.some((family) => families[family].bounds)) {
    throw refused("Cannot use bounds beside a family that is truncated itself");
  }
  const word = censored === undefined ? "trunc(…)" : `cens(${censored})`;
  if (by || asked || trials || censored !== undefined && truncated) {
    throw refused(`Cannot use ${word} beside a logarithm, trials or another bound`);
  }
  if (truncated) {
    const { lower, upper } = truncated;
    const { values } = columns.find((one) => one.name === column)!;
    const row = values.findIndex((y) => y < (lower ?? -Infinity) || y > (upper ?? Infinity));
    if (row < 0) return { within: "Truncated", lower: boundText(lower), upper: boundText(upper) };
    throw refused(`Cannot use trunc(…): ${column} is ${values[row]} in row ${row + 1}`);
  }
  const event = columns.find((one) => one.name === censored);
  if (event?.role !== "event" || !event.categories) {
    const message = `Cannot use ${word}: ` +
      (event ? `its role is ${event.role}` : `data set "${name}" has no such column`);
    throw refused(message);
  }
  const limits = limitNames(column);
  if (event.categories.length === 4) {
    const strange = names.find((family) => !windowed.has(family));
    if (strange === undefined) return withWindows(column);
    throw refused(
      `Cannot use ${word} with the family ${strange}: it has no intervals`,
      `families that have them: ${[...windowed].join(", ")}`,
    );
  }
  const read = (limit: string) =>
    columns.some((one) => one.name === limit) ? readOf(limit) : "None";
  return { within: "Censored", lower: read(limits.below), upper: read(limits.above) };
}

/** The bounds of a response of which some rows lie between two numbers. */
export function withWindows(column: string): ResponseBounds {
  const { from, until } = limitNames(column);
  return { within: "interval_censored", lower: readOf(from), upper: readOf(until) };
}

/** Lines with which a program begins, that of the bounds among them. */
export function headOf(bounds: ResponseBounds | undefined): readonly string[] {
  const own = bounds?.within === "interval_censored" ? intervalCensored.trimEnd().split("\n") : [];
  return ["import numpy as np", "import pymc as pm", ...own];
}

/** Families whose distribution function PyMC has. */
const windowed: ReadonlySet<FamilyName> = new Set(
  ["normal", "student_t", "log_normal", "gamma", "exponential"] as const,
);

function boundText(bound: number | undefined): string {
  return bound === undefined ? "None" : literal(bound);
}

const bounding =
  'of a column c with role = "event", type = "category", levels = ["left", "none", ' +
  '"right"]: y | cens(c) ~ …; values that were not seen below 1: y | trunc(lb = 1) ~ …';

function refused(message: string, hint = bounding): Error {
  return inputError("formula/bounds", message, undefined, hint);
}
