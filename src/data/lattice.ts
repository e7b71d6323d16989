/** Lattices that the values of a computed response lie on: z-scores, logarithms, roots, reciprocals. */
import { exp, log } from "../numerics/math/mod.ts";

/** The cell of each different value: the value, and the ends of the interval that was recorded as it. */
type ValueCells = readonly (readonly [value: number, low: number, high: number])[];

/** Cells of values, and the evidence for them. */
export interface FoundLattice {
  /** Width of the narrowest cell. */
  readonly step: number;
  /** Undefined where all are as wide, and centred on their values. */
  readonly cells?: ValueCells;
  /** Evidence in words. */
  readonly shown: string;
}

/** A function that a recorded number may have been put through, and its inverse. */
interface Computed {
  readonly shown: string;
  readonly back: (y: number) => number;
  readonly forth: (u: number) => number;
  readonly slope: (y: number) => number;
}

const computed: readonly Computed[] = [
  { shown: "the values lie", back: (y) => y, forth: (u) => u, slope: () => 1 },
  { shown: "exp of the values lies", back: exp, forth: log, slope: exp },
  {
    shown: "10 to the power of the values lies",
    back: (y) => exp(y * Math.LN10),
    forth: (u) => log(u) / Math.LN10,
    slope: (y) => Math.LN10 * exp(y * Math.LN10),
  },
  {
    shown: "2 to the power of the values lies",
    back: (y) => exp(y * Math.LN2),
    forth: (u) => log(u) / Math.LN2,
    slope: (y) => Math.LN2 * exp(y * Math.LN2),
  },
  {
    shown: "the square of the values lies",
    back: (y) => y < 0 ? NaN : y * y,
    forth: Math.sqrt,
    slope: (y) => 2 * y,
  },
  {
    shown: "the reciprocal of the values lies",
    back: (y) => y > 0 ? 1 / y : NaN,
    forth: (u) => 1 / u,
    slope: (y) => 1 / (y * y),
  },
];

/** Largest probability that numbers lie on a lattice by chance. */
const mostChance = 1e-4;

/** Different values below which every lattice fits. */
const fewest = 4;

/** Sites of a lattice for each different value, at most: a finer one is no sign of rounding. */
const mostSites = 100;

/**
 * The lattice that values lie on by an affine map, or by one of exp, powers of 10 and 2, square and
 * reciprocal after it; undefined where none is seen.
 *
 * @param digits places after the point to which the values are written, or Infinity: how far off the lattice
 * a value may be.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { latticeOf } from "./lattice.ts";
 * const logs = [1, 2, 3, 5, 8, 13, 21].map(Math.log);
 * assert.match(latticeOf(logs)!.shown, /^exp of the values lies on a lattice of step 1/);
 * const scores = [1, 2, 4, 7, 9, 12].map((k) => (k - 5.3) / 3.7);
 * assert.equal(latticeOf(scores)!.step.toFixed(9), (1 / 3.7).toFixed(9));
 * assert.equal(latticeOf([0.12345678901, 0.3456789012, 0.987654321, 1.45612378, 1.7]), undefined);
 * ```
 */
export function latticeOf(values: ArrayLike<number>, digits = Infinity): FoundLattice | undefined {
  const different = [...new Set(Array.from(values))].sort((a, b) => a - b);
  if (different.length < fewest) return undefined;
  for (const by of computed) {
    const found = onLattice(different, digits, by);
    if (found) return found;
  }
  return undefined;
}

function onLattice(different: readonly number[], digits: number, by: Computed) {
  const sites = different.map(by.back).sort((a, b) => a - b);
  if (!sites.every(Number.isFinite)) return undefined;
  const written = Number.isFinite(digits) ? 0.51 * Number(`1e-${digits}`) : 0;
  const slack = different.reduce(
    (most, y) =>
      Math.max(most, Math.abs(by.slope(y)) * written + 16 * Number.EPSILON * Math.abs(by.back(y))),
    64 * Number.EPSILON * (sites[sites.length - 1] - sites[0]),
  );
  const step = stepOf(sites, slack);
  if (step === undefined) return undefined;
  const shown = `${by.shown} on a lattice of step ${Number(step.toPrecision(6))}`;
  if (by === computed[0]) return { step, shown };
  const cells = different.map((y) => {
    const u = by.back(y);
    const [a, b] = [by.forth(Math.max(u - step / 2, u / 2)), by.forth(u + step / 2)];
    return [y, Math.min(a, b), Math.max(a, b)] as const;
  });
  return areCells(cells) ? { step: narrowest(cells), cells, shown } : undefined;
}

/** The widest step of which all distances are multiples, within twice the slack; undefined if none is. */
function stepOf(sites: readonly number[], slack: number): number | undefined {
  const gaps = sites.slice(1).map((site, i) => site - sites[i]);
  const least = gaps.reduce((a, b) => Math.min(a, b));
  for (let parts = 1; parts <= mostParts; parts++) {
    const step = refined(sites, least / parts, slack);
    if (step === undefined) continue;
    const span = (sites[sites.length - 1] - sites[0]) / step;
    const chance = mostParts * (4 * slack / step) ** (sites.length - 2);
    return span <= mostSites * sites.length && chance <= mostChance ? step : undefined;
  }
  return undefined;
}

/** Parts that the least gap may have: values on a lattice may miss every neighbour. */
const mostParts = 12;

/** The step made more exact by farther and farther values; undefined where one is no multiple. */
function refined(sites: readonly number[], start: number, slack: number): number | undefined {
  let step = start;
  let farthest = 0;
  for (const site of sites.slice(1)) {
    const distance = site - sites[0];
    const steps = Math.round(distance / step);
    const error = 2 * slack * (farthest === 0 ? steps : 1 + steps / farthest);
    if (steps < 1 || error > step / 4 || Math.abs(distance - steps * step) > error) {
      return undefined;
    }
    if (steps > farthest) [farthest, step] = [steps, distance / steps];
  }
  return step;
}

/**
 * Cells of values that tie and lie on no lattice: as wide as the gap to the nearest other value; undefined
 * where doubles do not separate their ends.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { cellsOfGaps } from "./lattice.ts";
 * assert.deepEqual(cellsOfGaps([0, 0, 1, 5])!.cells, [[0, -0.5, 0.5], [1, 0.5, 1.5], [5, 3, 7]]);
 * ```
 */
export function cellsOfGaps(values: ArrayLike<number>): FoundLattice | undefined {
  const different = [...new Set(Array.from(values))].sort((a, b) => a - b);
  const cells = different.map((y, i) => {
    const gap = Math.min(y - (different[i - 1] ?? -Infinity), (different[i + 1] ?? Infinity) - y);
    return [y, y - gap / 2, y + gap / 2] as const;
  });
  const shown = "values tie and lie on no lattice: each has the cell up to half its smallest gap";
  return areCells(cells) ? { step: narrowest(cells), cells, shown } : undefined;
}

/** Whether doubles separate the ends of all cells. */
function areCells(cells: ValueCells): boolean {
  return cells.every(([y, low, high]) => low < y && y < high && Number.isFinite(high - low));
}

function narrowest(cells: ValueCells): number {
  return cells.reduce((least, [, low, high]) => Math.min(least, high - low), Infinity);
}
