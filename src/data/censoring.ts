/** Ends of observation of rows: limits of a response whose event may not have occurred. */
import { type Column, limitNames } from "../base/dataset.ts";
import { noLower, noUpper } from "../base/interval_censored.ts";
import { inputError } from "../base/diagnostic.ts";

/**
 * The columns, and beside one with the role `event` one with the role `limit`: the response where the
 * event is 0, for watching ended there, and twice the longest time where it is 1, which nothing in a
 * likelihood reads. `pm.Censored(…, upper=data["time_limit"])` is their likelihood.
 *
 * @throws InputError `data/event` where there are several, the event is not 0 or 1, never happened, or
 * the data have both an event and a limit.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withLimit } from "./censoring.ts";
 * const column = (name: string, role: "response" | "event", ...values: number[]) =>
 *   ({ name, role, type: "real" as const, values: Float64Array.from(values) });
 * const all = withLimit("a.csv", [column("t", "response", 3, 5), column("died", "event", 1, 0)]);
 * assert.deepEqual([all[2].name, ...all[2].values], ["t_limit", 10, 5]);
 * ```
 */
export function withLimit(file: string, columns: readonly Column[]): readonly Column[] {
  const events = columns.filter(({ role }) => role === "event");
  const response = columns.find(({ role }) => role === "response");
  if (events.length === 0 || !response) return columns;
  const [{ name, values, categories }] = events;
  const limit = columns.find(({ role }) => role === "limit");
  if (events.length > 1) throw refuse(file, name, `${events[1].name} is one, too`);
  if (categories?.length === 4) return windowed(file, columns, events[0], response);
  if (limit) throw refuse(file, name, `${limit.name} says until when rows were watched`);
  if (categories) return [...columns, ...sidedLimits(file, events[0], response)];
  const row = values.findIndex((value) => value !== 0 && value !== 1);
  if (row >= 0) throw refuse(file, name, `it is ${values[row]} in row ${row + 1}`);
  if (values.every((value) => value === 0)) throw refuse(file, name, "it happened in no row");
  const longest = response.values.reduce((a, b) => Math.max(a, b), 0);
  const limits = response.values.map((y, i) => (values[i] === 0 ? y : 2 * longest));
  const own = { name: limitNames(response.name).above, role: "limit", type: "real" } as const;
  return [...columns, { ...own, values: limits }];
}

/**
 * Limits of a response that is censored on either side: `left`, `none` and `right` are the levels of the
 * event, in this order. A side that no row has has no column.
 */
function sidedLimits(file: string, event: Column, response: Column): readonly Column[] {
  const { name, categories = [], values } = event;
  if (categories.length !== 3) {
    throw refuse(
      file,
      name,
      'levels are the words for left, none and right, as ["left", "none", "right"], and a fourth ' +
        "for interval",
    );
  }
  const [least, most] = [Math.min, Math.max].map((end) =>
    response.values.reduce((a, b) => end(a, b))
  );
  const away = most - least || 1;
  const side = (code: number, called: string, beyond: number): readonly Column[] =>
    values.includes(code)
      ? [{
        name: called,
        role: "limit",
        type: "real",
        values: response.values.map((y, i) => values[i] === code ? y : beyond),
      }]
      : [];
  const names = limitNames(response.name);
  return [
    ...side(0, names.below, least > 0 ? least / 2 : least - away),
    ...side(2, names.above, most + away),
  ];
}

/**
 * The columns with the ends between which each row's response lies, instead of the upper ends that the file
 * has: `left`, `none`, `right` and `interval` are the levels of the event, in this order.
 */
function windowed(
  file: string,
  columns: readonly Column[],
  { name, values: codes }: Column,
  { name: called, values: y }: Column,
): readonly Column[] {
  const limits = columns.filter(({ role }) => role === "limit");
  if (limits.length !== 1) {
    throw refuse(
      file,
      name,
      "rows between two numbers want one column of upper ends",
      uppersWanted,
    );
  }
  const [{ name: upperName, values: uppers }] = limits;
  const row = y.findIndex((low, i) => codes[i] === 3 && !(uppers[i] > low));
  if (row >= 0) {
    const end = Number.isNaN(uppers[row]) ? "nothing" : uppers[row];
    const message = `row ${row + 1} lies between ${y[row]} and ${end} (${upperName})`;
    throw refuse(file, name, message, "wanted an upper end above the response");
  }
  const ends = Array.from(y, (one, i) => {
    return [[noLower, one], [one, one], [one, noUpper], [one, uppers[i]]][codes[i]];
  });
  const { from, until } = limitNames(called);
  const made = [from, until].map((own, k): Column => {
    const values = Float64Array.from(ends, (both) => both[k]);
    return { name: own, role: "limit", type: "real", values };
  });
  return [...columns.filter((one) => one !== limits[0]), ...made];
}

const uppersWanted = 'give the column of upper ends role = "limit": y | cens(c, upper) ~ …';

function refuse(
  file: string,
  name: string,
  why: string,
  hint = "wanted 1 for an event, 0 for a censored row",
): Error {
  const message = `Cannot use ${file}: column "${name}" is no event: ${why}`;
  return inputError("data/event", message, undefined, hint);
}
