/** Dates of a column of words: days since 1970, their parts, and the spans between them. */
import { applyMap, hostArray, joinOrigins, numberOf, pythonNumber } from "./arrays.ts";
import { evaluateArguments } from "./bind.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { Call } from "../syntax/tree.ts";
import { invalid, type NumericValue, type Value } from "./values.ts";
import { namesOf, wordColumn } from "./words.ts";

const day = 86_400_000;
const byYear =
  /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.0+)?)?Z?)?$/;
const byMonth = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/** Days since 1970 of a date as pandas reads it, the month before the day; undefined of other texts. */
export function daysOf(text: string): number | undefined {
  const iso = byYear.exec(text.trim());
  const [month, date, year] = byMonth.exec(text.trim())?.slice(1).map(Number) ?? [];
  const parts = iso
    ? iso.slice(1).map((part, k) => part === undefined ? (k === 2 ? 1 : 0) : Number(part))
    : year === undefined
    ? undefined
    : [year, month, date, 0, 0, 0];
  if (!parts) return undefined;
  const [y, m, d, hours, minutes, seconds] = parts;
  const whole = Date.UTC(y, m - 1, d);
  const back = new Date(whole);
  if (back.getUTCMonth() !== m - 1 || back.getUTCDate() !== d) return undefined;
  return whole / day + (hours * 3600 + minutes * 60 + seconds) / 86_400;
}

/** A column of dates as days; undefined where some word is none. */
export function dateColumn(
  checking: Checking,
  x: NumericValue,
  place: Place,
): NumericValue | undefined {
  if (x.dated) return x.dated === "date" ? x : undefined;
  const names = namesOf(checking, x);
  const known = names && checking.graph.valueOf(x.node);
  const days = names?.map(daysOf);
  if (!known || days!.some((one) => one === undefined)) return undefined;
  const values = known.values.map((code) => days![code]!);
  const dtype = values.every(Number.isInteger) ? "int" : "float";
  const made = hostArray(checking, values, known.shape, dtype, place);
  return { ...made, origin: "series", dated: "date" };
}

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const at = (days: number) => new Date(days * day);
const weekday = (days: number) => (Math.floor(days) % 7 + 10) % 7; // 1970 began on a Thursday
const yearStart = (days: number) => Date.UTC(at(days).getUTCFullYear(), 0, 1) / day;

/** Parts of a date. */
const parts: Readonly<Record<string, (days: number) => number>> = {
  year: (days) => at(days).getUTCFullYear(),
  month: (days) => at(days).getUTCMonth() + 1,
  day: (days) => at(days).getUTCDate(),
  hour: (days) => at(days).getUTCHours(),
  minute: (days) => at(days).getUTCMinutes(),
  quarter: (days) => Math.floor(at(days).getUTCMonth() / 3) + 1,
  dayofweek: weekday,
  day_of_week: weekday,
  weekday,
  dayofyear: (days) => Math.floor(days - yearStart(days)) + 1,
  day_of_year: (days) => Math.floor(days - yearStart(days)) + 1,
};

/** `later - earlier`, `span / span`, `date + span`; undefined of values that are no dates, an error for the rest. */
export function dateOperator(
  checking: Checking,
  op: string,
  left: Value,
  right: Value,
  place: Place,
): Value | undefined {
  if (left.kind !== "numeric" || right.kind !== "numeric") return undefined;
  const [a, b] = [left.dated, right.dated];
  if (!a && !b) return undefined;
  const kinds = `${a ?? "number"} ${op} ${b ?? "number"}`;
  const found = Object.hasOwn(datedResults, kinds) ? datedResults[kinds] : undefined;
  if (!found) {
    const message = `Cannot use \`${op}\` with dates, or spans of time, like this`;
    const hint = "make them numbers first: (x - x.min()).dt.days, x.dt.month";
    return checking.error("names/wrong-kind", message, place, hint);
  }
  const [x, y] = [left, right].map(({ dated: _, ...plain }) => plain);
  const made = applyMap(
    checking,
    op === "/" ? "div" : op === "+" ? "add" : "sub",
    [x, y],
    place,
    "float",
  );
  if (!made) return invalid;
  const dated = found === "number" ? undefined : found;
  return { ...made, origin: joinOrigins(x, y), ...(dated && { dated }) };
}

/** Kinds of values that operators make of dates and spans. */
const datedResults: Readonly<Record<string, "date" | "span" | "number">> = {
  "date - date": "span",
  "date + span": "date",
  "date - span": "date",
  "span / span": "number",
  "span + span": "span",
  "span - span": "span",
};

/** `x.dt.month` of dates, `x.dt.days` of spans of days; undefined of other attributes. */
export function datePart(
  checking: Checking,
  place: Place,
  x: NumericValue,
  name: string,
): Value | undefined {
  const dates = dateColumn(checking, x, place);
  const part = dates
    ? Object.hasOwn(parts, name) ? parts[name] : undefined
    : name === "days"
    ? Math.floor
    : undefined;
  const known = part && checking.graph.valueOf((dates ?? x).node);
  if (!part || !known) return undefined;
  const made = hostArray(checking, known.values.map(part), known.shape, "int", place);
  return { ...made, origin: "series" };
}

/** `x.dt.day_name()`, `x.dt.month_name()`, `x.dt.total_seconds()`; undefined of other methods. */
export function dateMethod(
  checking: Checking,
  place: Place,
  x: NumericValue,
  name: string,
): Value | undefined {
  const dates = dateColumn(checking, x, place);
  const known = checking.graph.valueOf((dates ?? x).node);
  if (!known) return undefined;
  if (!dates && name === "total_seconds") {
    const values = known.values.map((days) => days * 86_400);
    return { ...hostArray(checking, values, known.shape, "float", place), origin: "series" };
  }
  if (!dates || (name !== "day_name" && name !== "month_name")) return undefined;
  const nameAt = (days: number) =>
    name === "day_name" ? weekdays[weekday(days)] : months[parts.month(days) - 1];
  return wordColumn(checking, Array.from(known.values, nameAt), place);
}

/** `pd.to_datetime(x)`, `pd.Timestamp("2020-01-31")`, `pd.Timedelta(days=7)`, `np.timedelta64(1, "D")`. */
export function callDates(checking: Checking, call: Call, name: string): Value {
  const args = evaluateArguments(checking, call);
  if (!args) return invalid;
  const [given, unit] = args.positional.map(({ value }) => value);
  const made = name === "Timedelta" || name === "timedelta64"
    ? spanOf(checking, given ?? args.keywords.get("days")?.value, unit)
    : given?.kind === "text"
    ? dateOf(checking, given.value)
    : given?.kind === "numeric"
    ? dateColumn(checking, given, call)
    : undefined;
  if (made || given?.kind === "ignored") return made ?? given;
  const message = `Cannot call ${checking.text(call.callee)}: wanted dates as 2020-01-31, or days`;
  const hint = "write them so in the file, or give days, months and years as columns of the data";
  return checking.error("unsupported/value", message, call, hint);
}

function dateOf(checking: Checking, text: string): Value | undefined {
  const days = daysOf(text);
  if (days === undefined) return undefined;
  const dtype = Number.isInteger(days) ? "int" : "float";
  return { ...pythonNumber(checking, days, dtype), dated: "date" };
}

/** Days of a span: a number of them, of weeks, or "7D". */
function spanOf(
  checking: Checking,
  given: Value | undefined,
  unit: Value | undefined,
): Value | undefined {
  const [, count, letter] = given?.kind === "text"
    ? /^(\d*)\s*(D|W|days?)$/.exec(given.value) ?? []
    : [];
  const number = given?.kind === "numeric" ? numberOf(checking, given) : undefined;
  const days = number ?? (letter === undefined ? undefined : Number(count || 1));
  const isWeeks = letter === "W" || (unit?.kind === "text" && unit.value === "W");
  const isDays = unit === undefined || (unit.kind === "text" && /^(D|days?)$/.test(unit.value));
  if (days === undefined || (!isWeeks && !isDays)) return undefined;
  return { ...pythonNumber(checking, isWeeks ? 7 * days : days, "int"), dated: "span" };
}
