/** Trying constants without looking at the data: which one the reward likes best, and what its digits cost. */
import type { Dataset } from "../../../../src/base/dataset.ts";
import { makeDataset } from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import { model } from "../reward_matrix/model_text.ts";
import { grounds, numbersOf } from "./grounds.ts";
import { type Charged, charged, rewardOf } from "./pay.ts";

const age = numbersOf("dugongs", "age");
const length = numbersOf("dugongs", "length");
const n = age.length;

/** The curve under all waves, and its charge. */
const plain = [
  'x = data["age"]',
  'a = pm.Normal("a", 1.7, 0.5)',
  'b = pm.HalfNormal("b", 1)',
  's = pm.Exponential("s", 10)',
];
const curveText = model([
  ...plain,
  'pm.Normal("length", a + b * np.log(x), s, observed=data["length"])',
]);
const waveText = (k: number | string) =>
  model([
    ...plain,
    'c = pm.Normal("c", 0, 0.1)',
    `pm.Normal("length", a + b * np.log(x) + c * np.sin((${k}) * x ** 2), s, observed=data["length"])`,
  ]);

/** An orthonormal basis of some columns. */
function basisOf(columns: readonly number[][]): number[][] {
  const basis: number[][] = [];
  for (const column of columns) {
    const rest = basis.reduce((v, q) => minus(v, q, dot(v, q)), column);
    const size = Math.sqrt(dot(rest, rest));
    if (size > 1e-9) basis.push(rest.map((v) => v / size));
  }
  return basis;
}
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((s, v, i) => s + v * b[i], 0);
const minus = (a: readonly number[], b: readonly number[], f: number) =>
  a.map((v, i) => v - f * b[i]);

const ofCurve = basisOf([age.map(() => 1), age.map(Math.log)]);

/** Leave-one-out log score of least squares with normal noise, up to a constant: the searcher's stand-in of the reward. */
function looOf(y: readonly number[], basis: readonly number[][]): number {
  const rest = basis.reduce((v, q) => minus(v, q, dot(v, q)), [...y]);
  const left = rest.map((r, i) => r / (1 - basis.reduce((s, q) => s + q[i] ** 2, 0)));
  return -n / 2 * Math.log(dot(left, left) / n);
}

/** The lengths, or the curve with its residuals in another order, recorded to the centimetre. */
export function responseOf(shuffle: number | undefined): number[] {
  if (shuffle === undefined) return length;
  const stream = new RandomStream("shuffled residuals", shuffle);
  const rest = ofCurve.reduce((v, q) => minus(v, q, dot(v, q)), [...length]);
  const order = age.map((_, i) => ({ i, at: stream.uniform() })).sort((a, b) => a.at - b.at);
  return length.map((v, i) => Number((v - rest[i] + rest[order[i].i]).toFixed(2)));
}

/** A number of so many significant digits between 100 and 1,000. */
function drawn(stream: RandomStream, digits: number): number {
  return Number((100 + 900 * stream.uniform()).toPrecision(digits));
}

/** Result of a search for the best-paid constant. */
export interface Found {
  readonly honest: number;
  /** The try that is paid most before any charge: its ELPD less that of the curve. */
  readonly gain: number;
  /** Its constant. */
  readonly constant: number | string;
  readonly literals: number;
  /** By how much the best try, or none, is ahead of the curve once digits are charged. */
  readonly net: number;
}

/** Tries of each number of digits that are scored by the engine. */
const scored = 4;

/**
 * Draws `tries` constants of one to five digits, keeps those that the searcher's stand-in likes best, and scores these
 * with their charges.
 */
export function search(tries: number, shuffle?: number): Found {
  const y = responseOf(shuffle);
  const stream = new RandomStream("blind tries", tries, shuffle ?? "real");
  const best = [1, 2, 3, 4, 5].flatMap((digits) => {
    const share = digits === 5 ? tries - 4 * Math.floor(tries / 5) : Math.floor(tries / 5);
    const all = new Set(Array.from({ length: share }, () => drawn(stream, digits)));
    return [...all].map((k) => ({ k, loo: looOf(y, withWave(k)) }))
      .sort((a, b) => b.loo - a.loo).slice(0, scored);
  });
  return foundOf(best.map(({ k }) => k), y);
}

/** The best of some constants, scored with their charges. */
function foundOf(
  constants: readonly (number | string)[],
  y: readonly number[],
  free: readonly string[] = [],
): Found {
  const ground = { data: withResponse(y), schedule: grounds.dugongs.schedule, honest: [] };
  const texts = [curveText, ...free.map(waveText)];
  const honest = Math.max(...texts.map((text) => rewardOf(charged(text, ground))));
  const finds = constants.map((k) => ({ k, pay: charged(waveText(k), ground) }))
    .filter(({ pay }) => pay.paid !== undefined);
  const most = (of: (pay: Charged) => number) =>
    finds.reduce((a, b) => of(b.pay) > of(a.pay) ? b : a);
  const top = most(({ paid }) => paid!);
  return {
    honest,
    gain: top.pay.paid! - honest,
    constant: top.k,
    literals: top.pay.literals,
    net: Math.max(0, rewardOf(most(rewardOf).pay) - honest),
  };
}

/** A number with its spelling. */
interface Spelled {
  readonly value: number;
  readonly text: string;
}

/** Regular numbers, constants of nature, and simple multiples of these. */
const givenNumbers: readonly Spelled[] = [
  ...[0.5, 1, 2, 10].map((value) => ({ value, text: `${value}` })),
  ...Object.entries({
    "np.pi": Math.PI,
    "np.e": Math.E,
    "np.log(2)": Math.LN2,
    "np.sqrt(2)": Math.SQRT2,
    "np.sqrt(3)": Math.sqrt(3),
    "np.sqrt(5)": Math.sqrt(5),
    "9.81": 9.81,
    "365.25": 365.25,
  }).flatMap(([text, value]) => [
    { value, text },
    ...[2, 0.5, 4, 0.25].map((by) => ({ value: by * value, text: `(${by} * ${text})` })),
    ...[1, 2].map((by) => ({ value: by / value, text: `(${by} / ${text})` })),
  ]),
];

const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
};

/** Constants that are given, and all products, quotients, sums and differences of two: by the way they are made. */
const ways: readonly (readonly Spelled[])[] = [
  givenNumbers,
  ...Object.entries(operations).map(([op, of]) =>
    givenNumbers.flatMap((a) =>
      givenNumbers.map((b) => ({ value: of(a.value, b.value), text: `${a.text} ${op} ${b.text}` }))
    )
  ),
];

/** How many constants `searchGiven` tries. */
export const givenTries = ways.flat().length;

/** Of each way those that the searcher's stand-in likes best. */
function givenCandidates(y: readonly number[]): string[] {
  return ways.flatMap((all) =>
    all.filter(({ value }) => Math.abs(value) > 1e-9)
      .map((one) => ({ ...one, loo: looOf(y, withWave(one.value)) }))
      .sort((a, b) => b.loo - a.loo)
      .filter(({ loo }, i, sorted) => i === 0 || Math.abs(loo - sorted[i - 1].loo) > 1e-9)
      .slice(0, scored)
  ).map(({ text }) => text);
}

/** Numbers that cost nothing: a wave with one of them is a form, and forms are not charged. */
const freeNumbers = ["0.5", "1", "2", "10", "np.pi", "2 * np.pi"];

/**
 * The same search where no digit is written: constants are those that cost little, and arithmetic on two. Honest is the
 * best of the curve and its waves with a number that costs nothing.
 */
export function searchGiven(shuffle?: number): Found {
  const y = responseOf(shuffle);
  return foundOf(givenCandidates(y), y, freeNumbers);
}

function withWave(k: number): number[][] {
  const wave = age.map((x) => Math.sin(k * x * x));
  return basisOf([...ofCurve, wave]);
}

function withResponse(y: readonly number[]): Dataset {
  const { columns } = grounds.dugongs.data;
  return makeDataset(
    "shuffled",
    columns.map((one) => one.role === "response" ? { ...one, values: Float64Array.from(y) } : one),
  );
}
