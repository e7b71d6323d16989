/** Forty planted collapses and forty good policies, on spaces whose truth can be counted. */
import { log } from "../../../src/numerics/math/elementary.ts";
import { RandomStream } from "../../../src/base/random.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import { defaultStrings, stringsEnvironment } from "../../../src/gfn/environments/strings.ts";
import { regressions } from "./regressions.ts";

/** A space, and how many distinct evaluations training on it takes. */
export interface Space {
  readonly name: string;
  readonly training: number;
  readonly make: () => Environment;
}

/** A policy that is made by taking away from the target. */
export interface Plant {
  readonly space: Space;
  readonly what: string;
  readonly seed: number;
  /** log of what the target's weight of an object is multiplied by. */
  readonly change: (object: TerminalObject) => number;
}

const grid = (ndim: number, height: number, r0: number, training: number): Space => ({
  name: `grid ${height}^${ndim} R0 ${r0}`,
  training,
  make: () => hypergridEnvironment({ ndim, height, r0, r1: 0.5, r2: 2 }) as Environment,
});

const regression = (
  name: string,
  rows: number,
  truth: readonly number[],
  correlation: number,
  seed: number,
): Space => ({
  name: `2^14 regressions, ${name}`,
  training: 8000,
  make: () => regressions({ terms: 14, rows, truth, correlation, seed }),
});

const words = (blocks: number, length: number, exponent: number, training: number): Space => ({
  name: `strings ${blocks}^${length}, exponent ${exponent}`,
  training,
  make: () => stringsEnvironment({ ...defaultStrings, blocks, length, exponent }) as Environment,
});

/** The spaces by a short name. */
export const spaces = {
  wide: grid(2, 64, 0.01, 4000),
  sparse: grid(2, 64, 0.0001, 4000),
  cube: grid(3, 16, 0.01, 4000),
  deep: grid(4, 8, 0.01, 4000),
  diffuse: grid(4, 8, 0.1, 4000),
  strong: regression("four strong terms", 60, [0.8, -0.6, 0.5, 0.4], 0.3, 1),
  weak: regression("weak terms", 40, [0.5, -0.3, 0.3], 0.6, 2),
  close: regression("terms of correlation 0.9", 60, [1, 0, 0.5, 0, 0, 0.7], 0.9, 3),
  short: words(6, 5, 10, 6000),
  long: words(5, 6, 20, 8000),
} as const;

/** log 0: the object is removed from the policy. */
const none = -Infinity;

const cellOf = ({ text }: TerminalObject) => text.slice(1, -1).split(", ").map(Number);

/** Cells in which so many coordinates, from the first on, are in the upper half. */
const upper = (height: number, dims: number) => (object: TerminalObject) =>
  cellOf(object).slice(0, dims).every((x) => 2 * x >= height) ? none : 0;

/** Everything but those. */
const onlyLower = (height: number, dims: number) => (object: TerminalObject) =>
  cellOf(object).slice(0, dims).every((x) => 2 * x < height) ? 0 : none;

/** Cells far from the start. */
const beyond = (sum: number) => (object: TerminalObject) =>
  cellOf(object).reduce((a, b) => a + b, 0) > sum ? none : 0;

const has = (j: number) => ({ text }: TerminalObject) => text[j] === "1";
const without = (j: number) => (object: TerminalObject) => has(j)(object) ? none : 0;
const always = (...terms: readonly number[]) => (object: TerminalObject) =>
  terms.every((j) => has(j)(object)) ? 0 : none;
const atMost = (count: number) => ({ text }: TerminalObject) =>
  [...text].filter((bit) => bit === "1").length <= count ? 0 : none;

const withLetter = (letter: string) => ({ text }: TerminalObject) =>
  text.includes(letter) ? none : 0;
const beginning = (letters: string) => ({ text }: TerminalObject) =>
  letters.includes(text[0]) ? 0 : none;

/** Leaves a thousandth of what it takes away. */
const leaking = (change: Plant["change"]): Plant["change"] => (object) =>
  Math.max(change(object), -7);

const collapse = (space: Space, what: string, change: Plant["change"]): Plant => {
  return { space, what, seed: 1, change };
};

/** Forty policies that miss part of the target. */
export const collapses: readonly Plant[] = [
  collapse(spaces.wide, "no upper corner", upper(64, 2)),
  collapse(spaces.wide, "no upper half", upper(64, 1)),
  collapse(spaces.wide, "the lower corner alone", onlyLower(64, 2)),
  collapse(spaces.wide, "nothing far", beyond(40)),
  collapse(spaces.sparse, "no upper corner", upper(64, 2)),
  collapse(spaces.sparse, "no upper half", upper(64, 1)),
  collapse(spaces.sparse, "the lower corner alone", onlyLower(64, 2)),
  collapse(spaces.sparse, "the lower half, a thousandth of the rest", leaking(onlyLower(64, 1))),
  collapse(spaces.cube, "no upper corner", upper(16, 3)),
  collapse(spaces.cube, "no upper quarter", upper(16, 2)),
  collapse(spaces.cube, "the lower corner alone", onlyLower(16, 3)),
  collapse(spaces.cube, "nothing far", beyond(20)),
  collapse(spaces.deep, "no upper corner", upper(8, 4)),
  collapse(spaces.deep, "no upper half", upper(8, 1)),
  collapse(spaces.deep, "the lower quarter alone", onlyLower(8, 2)),
  collapse(spaces.deep, "the lower corner alone", onlyLower(8, 4)),
  collapse(spaces.diffuse, "no upper half", upper(8, 1)),
  collapse(spaces.diffuse, "the lower quarter alone", onlyLower(8, 2)),
  collapse(spaces.diffuse, "the lower corner alone", leaking(onlyLower(8, 4))),
  collapse(spaces.strong, "never the second term", without(1)),
  collapse(spaces.strong, "never the tenth term", without(9)),
  collapse(spaces.strong, "always the last two terms", always(12, 13)),
  collapse(spaces.strong, "three terms at most", atMost(3)),
  collapse(spaces.strong, "never the last term, but a thousandth", leaking(without(13))),
  collapse(spaces.weak, "never the third term", without(2)),
  collapse(spaces.weak, "never the last term", without(13)),
  collapse(spaces.weak, "always the first four terms", always(0, 1, 2, 3)),
  collapse(spaces.weak, "two terms at most", atMost(2)),
  collapse(spaces.close, "never the first term", without(0)),
  collapse(spaces.close, "always the first two terms", always(0, 1)),
  collapse(spaces.close, "never the sixth term, but a thousandth", leaking(without(5))),
  collapse(spaces.close, "three terms at most", atMost(3)),
  collapse(spaces.short, "no A", withLetter("A")),
  collapse(spaces.short, "beginning with A, B or C", beginning("ABC")),
  collapse(spaces.short, "beginning with A", beginning("A")),
  collapse(spaces.short, "no F, but a thousandth", leaking(withLetter("F"))),
  collapse(spaces.long, "no A", withLetter("A")),
  collapse(spaces.long, "no E", withLetter("E")),
  collapse(spaces.long, "beginning with B", beginning("B")),
  collapse(spaces.long, "beginning with A or C", beginning("AC")),
];

/** The target with independent log-normal errors of its weights. */
const noisy = (space: Space, sd: number, seed: number): Plant => ({
  space,
  what: `log errors of ${sd}`,
  seed,
  change: ({ text }) => {
    const random = new RandomStream("errors", seed, text);
    const [u, v] = [random.uniform(), random.uniform()];
    return sd * Math.sqrt(-2 * log(u)) * Math.cos(2 * Math.PI * v);
  },
});

/** Forty policies whose total variation is .004 to .04: four of each space. */
export const good: readonly Plant[] = Object.values(spaces).flatMap((space) =>
  [0.01, 0.03, 0.06, 0.1].map((sd, i) => noisy(space, sd, 100 + i))
);
