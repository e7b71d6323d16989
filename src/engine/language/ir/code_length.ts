/** Nats of a written number: ln 10 for each significant digit. */
import { lgamma, log } from "../../../numerics/math/mod.ts";

/** ln 10: nats of a digit. */
export const digit = 2.302585092994046;
/** Nats of a choice among the numbers that are there anyway: ln 3. */
export const choice = 1.0986122886681098;
/** A value cannot be written in more digits than a double has. */
const mostDigits = 16;
/** Numbers that everybody would write: with π and 2π, which a wave has anyway. */
const regular = [0, 0.5, 1, 2, 10, Math.PI, 2 * Math.PI];
/** Units that everybody would convert by: days of a year, degrees, a quarter of a turn. */
const units = [365.25, 365, Math.PI / 180, Math.PI / 2];
/** Constants of nature: e, ln 2, √2, √3, √5, √(2π), gravity. */
const named = [
  Math.E,
  Math.LN2,
  Math.SQRT2,
  1.7320508075688772,
  2.23606797749979,
  2.5066282746310002,
  9.81,
];

/** A form of a number or an array, and its code length in nats. */
export interface Form {
  /** The number, or the array row-major. */
  readonly values: Float64Array;
  /** Nats. */
  readonly length: number;
}

/**
 * Nats of one number: 0 for 0, ½, 1, 2, 10, π and 2π, ln 3 for days of a year and parts of a turn, ln j for the j-th power
 * of ten, ln 3 more for 2 and 5 times one, a digit for a constant of nature and for fractions of one digit, else ln 10 for
 * each of k significant digits, ln k for how many there are and ln (1 + j) for the order of magnitude.
 *
 * @param stated numbers that the data state, such as the number of rows; they cost nothing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { lengthOf } from "./code_length.ts";
 * assert.equal(lengthOf(10), 0);
 * assert.equal(lengthOf(5.7), 2 * Math.LN10 + Math.LN2);
 * assert.equal(lengthOf(1 / 3), Math.LN10);
 * ```
 */
export function lengthOf(value: number, stated: ReadonlySet<number> = new Set()): number {
  const size = Math.abs(value);
  if (!(size < Infinity) || isOneOf(regular, size) || stated.has(value)) return 0;
  if (isOneOf(units, size)) return log(3);
  if (isOneOf(named, size) || isOneOf(named, 1 / size)) return digit;
  const exponent = exponentOf(size);
  const mantissa = size / Number(`1e${exponent}`);
  const round = [1, 2, 5].find((one) => near(mantissa, one));
  if (round) return ofExponent(exponent) + (round === 1 ? 0 : log(3));
  if (isSimpleFraction(size)) return digit;
  const digits = digitsOf(size);
  return digit * digits + log(digits) + log(1 + Math.abs(exponent));
}

/** Nats of the order of magnitude of a round number: ones and tens cost nothing. */
function ofExponent(exponent: number): number {
  return log(Math.max(1, Math.abs(exponent)));
}

/** Significant digits of the shortest decimal that is this double. */
function digitsOf(value: number): number {
  const digits = `${value}`.replace(/e.*$/, "").replace(/\D/g, "").replace(/^0+|0+$/g, "");
  return Math.min(mostDigits, digits.length);
}

/** The power of ten in the least proportion. */
function nearestPower(size: number): number {
  const power = Number(`1e${exponentOf(size)}`);
  return size < 3.1622776601683795 * power ? power : 10 * power;
}

/** Of 1, 2 and 5 times a power of ten the one in the least proportion. */
function nearestRound(size: number): number {
  const power = Number(`1e${exponentOf(size)}`);
  const mantissa = size / power;
  if (mantissa < Math.SQRT2) return power;
  if (mantissa < 3.1622776601683795) return 2 * power;
  return (mantissa < 7.0710678118654755 ? 5 : 10) * power;
}

/** The exponent of the decimal whose first digit stands before the point. */
function exponentOf(size: number): number {
  return Number(size.toExponential().split("e")[1]);
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-13 * Math.abs(b);
}

function isOneOf(numbers: readonly number[], size: number): boolean {
  return numbers.some((one) => near(size, one));
}

/** Whether it is p / q of whole numbers up to 9 and 4. */
function isSimpleFraction(value: number): boolean {
  return [1, 2, 3, 4].some((q) => {
    const p = value * q;
    return p < 9.5 && near(p, Math.round(p));
  });
}

/** Shorter numbers instead of one, the shortest first, and the number itself last. */
export function formsOfNumber(value: number, length: number): Form[] {
  if (length === 0) return [form(value, 0)];
  const sign = Math.sign(value);
  const size = Math.abs(value);
  const shorter = [nearestRegular(size), 0, nearestPower(size), nearestRound(size)].map((one) =>
    form(sign * one, lengthOf(one))
  );
  for (let digits = 1; digits < digitsOf(size); digits++) {
    const rounded = Number(value.toPrecision(digits));
    shorter.push(form(rounded, lengthOf(rounded)));
  }
  const all = shorter.filter((one) => one.length < length && one.values[0] !== value);
  return [...all.sort((a, b) => a.length - b.length), form(value, length)];
}

function form(value: number, length: number): Form {
  return { values: Float64Array.of(value), length };
}

/** Of ½, 1, 2 and 10 the one in the least proportion. */
function nearestRegular(size: number): number {
  const [low, middle, high] = [Math.SQRT1_2, Math.SQRT2, Math.sqrt(20)];
  if (size < low) return 0.5;
  return size < middle ? 1 : size < high ? 2 : 10;
}

/** Periods at which the steps of an array may come again. */
const mostPeriod = 64;

/**
 * Nats of places `[entries]` that a program takes elements from: a slice, a transpose or a few of them cost nothing.
 */
export function lengthOfPlaces(places: Float64Array, columns = places.length): number {
  const periods = periodsOf(places.length, columns);
  const left = Math.min(...periods.map((period) => unforetold(places, period).length));
  return left <= fewPlaces ? 0 : lengthOfArray(places, columns);
}

/** Breaks of a slice or a transpose. */
const fewPlaces = 4;

/**
 * Nats of a written array: entries that the steps before them predict cost nothing, the others their digits, or,
 * where they repeat few values, which of them and those; a multiple of the identity matrix costs its number.
 *
 * @param values row-major, at a step of `10 ** -decimals`.
 * @param columns entries of a row, if it has some.
 */
export function lengthOfArray(values: Float64Array, columns = values.length): number {
  if (isScaledIdentity(values, columns)) return lengthOf(values[0]);
  const digits = Math.max(1, digitsOfArray(values));
  let least = values.length <= fewEntries ? sumOfLengths(values) : Infinity;
  for (const period of periodsOf(values.length, columns)) {
    const breaks = unforetold(values, period);
    const left = Float64Array.from(breaks, (i) => values[i]);
    const each = left.length * digits * digit;
    least = Math.min(least, lengthOfBreaks(breaks, values.length) + Math.min(each, ofFew(left)));
  }
  return Math.min(least, ofFew(values));
}

/** Whether it is a number times the identity matrix. */
function isScaledIdentity(values: Float64Array, columns: number): boolean {
  return columns > 1 && values.length === columns * columns &&
    values.every((one, i) => one === (i % (columns + 1) === 0 ? values[0] : 0));
}

/** Which of few values each is, and those. */
function ofFew(values: Float64Array): number {
  const distinct = new Set(values);
  let length = values.length * log(Math.max(1, distinct.size));
  for (const one of distinct) length += lengthOf(one);
  return length;
}

/** Where the breaks are behind the two entries that begin a grid: ln of the number of choices. */
function lengthOfBreaks(breaks: readonly number[], length: number): number {
  const later = breaks.filter((i) => i > 1).length;
  const places = length - 2;
  if (later === 0 || places <= later) return 0;
  return lgamma(places + 1) - lgamma(later + 1) - lgamma(places - later + 1);
}

/** So few entries are written one by one. */
const fewEntries = 16;

/** Each after the first costs at least the choice of its value, regular or not. */
function sumOfLengths(values: Float64Array): number {
  const which = log(Math.max(1, new Set(values).size));
  return values.reduce((sum, one, i) => sum + Math.max(lengthOf(one), i > 0 ? which : 0), 0);
}

function periodsOf(length: number, columns: number): number[] {
  const last = Math.min(mostPeriod, length >> 1);
  const periods = Array.from({ length: last }, (_, i) => i + 1);
  return [...new Set([...periods, columns, columns + 1])].filter((one) => one > 0);
}

/** Places of entries that do not come again, go on with the step before, or with steps of the periods before. */
function unforetold(values: Float64Array, period: number): number[] {
  const scale = values.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const same = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * scale;
  const stepAt = (i: number) => i > 0 ? values[i] - values[i - 1] : NaN;
  return [...values.keys()].filter((i) => {
    if (i > 0 && same(values[i], values[i - period])) return false;
    const step = stepAt(i);
    const before = stepAt(i - period);
    return !(same(step, stepAt(i - 1)) || same(step, before) ||
      same(step, 2 * before - stepAt(i - 2 * period)));
  });
}

/** Digits of the entry with the most of them, all written to one step. */
function digitsOfArray(values: Float64Array): number {
  const whole = wholeDigits(values);
  for (let decimals = -whole; decimals <= mostDigits; decimals++) {
    const step = Number(`1e${-decimals}`);
    const fits = values.every((one) =>
      Math.abs(one - Math.round(one / step) * step) <= 1e-11 * step ||
      near(one, Math.round(one / step) * step)
    );
    if (fits) return Math.min(mostDigits, whole + decimals);
  }
  return mostDigits;
}

/** Digits before the point of the largest. */
function wholeDigits(values: Float64Array): number {
  const most = values.reduce((largest, one) => Math.max(largest, Math.abs(one)), 0);
  return most > 0 ? exponentOf(most) + 1 : 0;
}

/** Shorter arrays instead of one, the shortest first, and the array itself last. */
export function formsOfArray(values: Float64Array, columns: number, length: number): Form[] {
  const itself = { values, length };
  if (length === 0) return [itself];
  const mean = values.reduce((sum, one) => sum + one / values.length, 0);
  const forms: Form[] = [
    { values: new Float64Array(values.length).fill(mean), length: 0 },
    { values: new Float64Array(values.length), length: 0 },
  ];
  if (values.length <= fewEntries) {
    for (const shorter of [nearestRegular, nearestPower, nearestRound]) {
      const each = values.map((one) => one === 0 ? 0 : Math.sign(one) * shorter(Math.abs(one)));
      forms.push({ values: each, length: lengthOfArray(each, columns) });
    }
  }
  const whole = wholeDigits(values);
  for (let digits = 1; digits < digitsOfArray(values); digits++) {
    const step = Number(`1e${whole - digits}`);
    const rounded = values.map((one) => Math.round(one / step) * step);
    forms.push({ values: rounded, length: lengthOfArray(rounded, columns) });
  }
  const all = forms.filter((one) => one.length < length);
  return [...all.sort((a, b) => a.length - b.length), itself];
}
