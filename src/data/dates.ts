/** Dates as numbers, so that they can order rows: years, months or days since the first. */

/** A day, as files write it: year first, or day first with dots. */
interface Day {
  readonly year: number;
  /** Month, from 1; without a day in the file `day` is 1. */
  readonly month: number;
  readonly day: number;
}

const yearFirst = /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ].*)?$/;
const dayFirst = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

/**
 * Times in the coarsest unit in which all are whole: months of monthly data, so that these are evenly
 * spaced. Undefined where a text is no date, or its month is ambiguous (`1/2/2024`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { datesAsNumbers } from "./dates.ts";
 * assert.deepEqual(datesAsNumbers(["2024-01-31", "2024-02-01"]), [0, 1]);
 * assert.deepEqual(datesAsNumbers(["2023-12", "2024-01", "2024-03"]), [0, 1, 3]);
 * assert.deepEqual(datesAsNumbers(["1.7.2020", "1.7.2022"]), [0, 2]);
 * assert.equal(datesAsNumbers(["1/2/2024"]), undefined);
 * ```
 */
export function datesAsNumbers(texts: readonly string[]): number[] | undefined {
  const days = texts.map(dayOf);
  if (!days.every((day) => day !== undefined) || days.length === 0) return undefined;
  const [first] = days;
  if (days.every(({ day }) => day === first.day)) {
    const months = days.map(({ year, month }) => 12 * (year - first.year) + month - first.month);
    return months.every((month) => month % 12 === 0) ? months.map((month) => month / 12) : months;
  }
  const since = (one: Day) => Date.UTC(one.year, one.month - 1, one.day) / 86_400_000;
  return days.map((one) => since(one) - since(first));
}

function dayOf(text: string): Day | undefined {
  const [, year, month, day = "1"] = yearFirst.exec(text) ?? [];
  if (year !== undefined) return sound({ year: +year, month: +month, day: +day });
  const [, dayThere, monthThere, yearThere] = dayFirst.exec(text) ?? [];
  if (yearThere === undefined) return undefined;
  return sound({ year: +yearThere, month: +monthThere, day: +dayThere });
}

/** The day, if the calendar has it. */
function sound(day: Day): Day | undefined {
  const date = new Date(Date.UTC(day.year, day.month - 1, day.day));
  return date.getUTCMonth() === day.month - 1 && date.getUTCDate() === day.day ? day : undefined;
}
