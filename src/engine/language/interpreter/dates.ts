/** Dates of a column of words: days since 1970, their parts, and the spans between them. */
import { applyMap, hostArray, joinOrigins, numberOf, pythonNumber } from "./arrays.ts";
import { type Arguments, evaluateArguments } from "./bind.ts";
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
  read = daysOf,
): NumericValue | undefined {
  if (x.dated) return x.dated === "date" ? x : undefined;
  const names = namesOf(checking, x);
  const known = names && checking.graph.valueOf(x.node);
  const days = names?.map(read);
  if (!known || days!.some((one) => one === undefined)) return undefined;
  const values = known.values.map((code) => days![code]!);
  const dtype = values.every(Number.isInteger) ? "int" : "float";
  const made = hostArray(checking, values, known.shape, dtype, place);
  return { ...made, origin: "series", dated: "date" };
}

/** Days of a date whose day stands before its month: 31/01/2020, 31.01.2020, 31-01-2020. */
function daysByDay(text: string): number | undefined {
  const [date, month, year] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text.trim())?.slice(1) ??
    [];
  return year === undefined ? undefined : daysOf(`${month}/${date}/${year}`);
}

const byYearFormat = /^(%Y[-/]%m[-/]%d([ T]%H:%M(:%S)?)?|%m\/%d\/%Y|ISO8601|mixed)$/;
const byDayFormat = /^%d([/.-])%m\1%Y$/;

/** How `pd.to_datetime` reads words by its arguments; undefined of formats and arguments that are not read. */
function readerOf(checking: Checking, { positional, keywords }: Arguments) {
  if (positional.length > 1) return undefined;
  let read = daysOf;
  for (const [name, { value }] of keywords) {
    if (name === "errors" || name === "cache") continue;
    const text = value.kind === "text" ? value.value : "";
    const isFlag = name === "dayfirst" && value.kind === "numeric";
    if (name === "format" ? byDayFormat.test(text) : isFlag && numberOf(checking, value) === 1) {
      read = daysByDay;
    } else if (!isFlag && !(name === "format" && byYearFormat.test(text))) return undefined;
  }
  return read;
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
const at = (days: number) => new Date(Math.round(days * day));
/** Whole days of a time that is exact to the millisecond. */
const wholeDays = (days: number) => Math.floor(Math.round(days * day) / day);
const weekday = (days: number) => (wholeDays(days) % 7 + 10) % 7; // 1970 began on a Thursday
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
  dayofyear: (days) => wholeDays(days) - yearStart(days) + 1,
  day_of_year: (days) => wholeDays(days) - yearStart(days) + 1,
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
    ? wholeDays
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
    const values = known.values.map((days) => Math.round(days * day) / 1000);
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
  const read = readerOf(checking, args);
  const made = name === "Timedelta" || name === "timedelta64"
    ? spanOf(checking, given, unit, args.keywords)
    : !read
    ? undefined
    : given?.kind === "text"
    ? dateOf(checking, given.value, read)
    : given?.kind === "numeric"
    ? dateColumn(checking, given, call, read)
    : undefined;
  if (made || given?.kind === "ignored") return made ?? given;
  const message = `Cannot call ${checking.text(call.callee)}: wanted dates as 2020-01-31, with ` +
    "dayfirst=True or format= as 31/01/2020; or a number of days";
  const hint = "write them so in the file, or give days, months and years as columns of the data";
  return checking.error("unsupported/value", message, call, hint);
}

function dateOf(checking: Checking, text: string, read: typeof daysOf): Value | undefined {
  const days = read(text);
  if (days === undefined) return undefined;
  const dtype = Number.isInteger(days) ? "int" : "float";
  return { ...pythonNumber(checking, days, dtype), dated: "date" };
}

/** Units of spans in days. */
const units: ReadonlyMap<string, number> = new Map([
  ...["W", "w", "weeks"].map((name) => [name, 7] as const),
  ...["D", "d", "day", "days"].map((name) => [name, 1] as const),
  ...["h", "hour", "hours"].map((name) => [name, 1 / 24] as const),
  ...["min", "minutes"].map((name) => [name, 1 / 1440] as const),
  ...["s", "seconds"].map((name) => [name, 1 / 86_400] as const),
]);

/** Days of a span: a number with its unit, "7D", or `days=1, hours=12`; a number alone would be nanoseconds. */
function spanOf(
  checking: Checking,
  given: Value | undefined,
  unit: Value | undefined,
  keywords: Arguments["keywords"],
): Value | undefined {
  const texts = given?.kind === "text" ? /^(\d*)\s*([A-Za-z]+)$/.exec(given.value) : undefined;
  const named = [...keywords].filter(([name]) => name !== "unit");
  const asked = unit ?? keywords.get("unit")?.value;
  const pairs = texts
    ? [[Number(texts[1] || 1), texts[2]] as const]
    : given
    ? [[numberOf(checking, given), asked?.kind === "text" ? asked.value : ""] as const]
    : named.map(([name, { value }]) => [numberOf(checking, value), name] as const);
  const days = pairs.map(([count, name]) => (count ?? NaN) * (units.get(name) ?? NaN))
    .reduce((sum, one) => sum + one, 0);
  if (pairs.length === 0 || (given && named.length > 0) || !Number.isFinite(days)) return undefined;
  const dtype = Number.isInteger(days) ? "int" : "float";
  return { ...pythonNumber(checking, days, dtype), dated: "span" };
}
