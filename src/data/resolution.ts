/** The step that a response was recorded to: as declared, or as its values show it. */
import { type Column, type Resolution, resolutionOf } from "../base/dataset.ts";
import { type Diagnostic, InputError } from "../base/diagnostic.ts";
import { cellsOfGaps, type FoundLattice, latticeOf } from "./lattice.ts";

/** Share of rows with a value that another row has, from which values on one decimal grid were rounded. */
const leastTies = 1 / 20;
/** Different numbers of steps that are too few to show a common divisor: counts may have one. */
const fewestMultiples = 8;
/** Largest probability that numbers of finer steps all happen to be multiples. */
const mostChance = 1e-4;
/** Decimal places that are looked for, after the point and before it. */
const mostPlaces = 9;
/** Largest distance of a value from its grid, in steps: rounding of binary numbers. */
const slack = 1e-6;

/** Step to which values were rounded, as they show it. */
export interface InferredResolution {
  /** The step: a power of ten, or a multiple of one that all values share. */
  readonly step: number;
  /** Rows with a value that another row has too. */
  readonly ties: number;
}

/**
 * The step of values that all lie on one decimal grid, if at least one in twenty occurs more than once:
 * numbers that were not rounded do not tie. Where all are multiples of several steps of the grid, and
 * so many that last digits would not be by chance, it is that: 0.5 of a scale of halves.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { inferResolution } from "./resolution.ts";
 * assert.deepEqual(inferResolution([1.85, 1.87, 1.77, 1.85]), { step: 0.01, ties: 2 });
 * assert.equal(inferResolution([1.853, 1.87, 1.7712]), undefined);
 * const halves = [2.5, 3, 4.5, 4.5, 5, 6.5, 7, 8.5, 9, 11.5];
 * assert.equal(inferResolution(halves)!.step, 0.5);
 * assert.equal(inferResolution([...halves, 4.6])!.step, 0.1);
 * ```
 */
export function inferResolution(values: ArrayLike<number>): InferredResolution | undefined {
  const all = Array.from(values);
  if (all.length < 2 || !(spreadOf(all) > 0) || !all.every(Number.isFinite)) return undefined;
  const places = Math.max(...all.map(decimalPlaces));
  if (places > mostPlaces) return undefined;
  const ties = tiesOf(all);
  if (ties < leastTies * all.length) return undefined;
  const steps = all.map((value) => Math.round(Number(`${value}e${places}`)));
  return { step: Number(`${commonDivisor(steps)}e${-places}`), ties };
}

/**
 * The greatest number of which all whole numbers are multiples; 1 where they are too few to show it.
 * If last digits are as likely as each other, k different numbers are all multiples of d with chance
 * d^-k: one in ten thousand at most, so that 14 have to be even, and 8 multiples of 5.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { commonDivisor } from "./resolution.ts";
 * assert.equal(commonDivisor([3, 4, 5, 7, 8, 9, 10, 11].map((i) => 25 * i)), 25);
 * assert.equal(commonDivisor([25, 50, 75, 50, 25, 75, 50, 25]), 1);
 * ```
 */
export function commonDivisor(numbers: readonly number[]): number {
  const different = new Set(numbers.map(Math.abs));
  different.delete(0);
  if (different.size < fewestMultiples) return 1;
  const divisor = (a: number, b: number): number => b === 0 ? a : divisor(b, a % b);
  const found = [...different].reduce(divisor, 0);
  return found ** -different.size <= mostChance ? found : 1;
}

/** Digits after the point in the shortest notation; less than 0 for multiples of ten. */
function decimalPlaces(value: number): number {
  if (value === 0) return -mostPlaces;
  const [digits, exponent] = Math.abs(value).toExponential().split("e");
  return (digits.split(".")[1]?.length ?? 0) - Number(exponent);
}

function spreadOf(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
}

/**
 * Faults of a column's resolution: a step larger than the range of the data, or of which some value is
 * no multiple, counted from the first.
 *
 * @param place name of the stage or file with the column, for messages.
 */
export function resolutionFindings(
  place: string,
  name: string,
  values: ArrayLike<number>,
  resolution: Resolution,
): Diagnostic[] {
  if (values.length === 0) return [];
  if (resolution === "continuous") return continuousFindings(place, name, Array.from(values));
  const what = `Cannot use ${place}: column "${name}" with resolution ${resolution}`;
  if (!(resolution > 0) || !Number.isFinite(resolution)) {
    const hint = 'write a step above 0, or "continuous" for values that were not rounded';
    return [finding(`${what}: wanted a step above 0`, hint)];
  }
  const all = Array.from(values);
  const spread = spreadOf(all);
  const found = inferResolution(values);
  const hint = found
    ? `all values lie on a grid of ${found.step}: write resolution = ${found.step}`
    : 'write the step that the values were rounded to, or resolution = "continuous"';
  if (spread > 0 && resolution > spread) {
    return [finding(`${what}: its values spread over ${spread} only`, hint)];
  }
  const row = all.findIndex((value) => !isOnGrid(value - all[0], resolution, Math.abs(value)));
  if (row < 0) return [];
  const message = `${what}: row ${row + 1} is ${all[row]}, which is no multiple of it away from ` +
    `row 1, ${all[0]}`;
  return [finding(message, hint)];
}

/** A density gives ties the probability 0: values that tie were recorded to some step. */
function continuousFindings(place: string, name: string, all: readonly number[]): Diagnostic[] {
  const ties = tiesOf(all);
  const found = ties === 0 || !(spreadOf(all) > 0) ? undefined : inferCells(all);
  if (!found) return [];
  const message =
    `Cannot use ${place}: column "${name}" with resolution "continuous": ${ties} of ` +
    `${all.length} values tie, which continuous ones do with probability 0`;
  const hint = `leave resolution out: ${found.shown}; or write the step of the measurements`;
  return [finding(message, hint)];
}

function isOnGrid(distance: number, step: number, size: number): boolean {
  const steps = distance / step;
  const rounding = 4 * Number.EPSILON * (size / step + Math.abs(steps));
  return Math.abs(steps - Math.round(steps)) <= slack + rounding;
}

function finding(message: string, hint: string): Diagnostic {
  return { code: "data/resolution", severity: "error", message, hint };
}

/**
 * A response of measurements with its declared step, or the one that its values show.
 *
 * @throws InputError, if the step cannot be that of the values.
 */
export function recordedColumn(place: string, column: Column): Column {
  const { name, role, type, values, resolution } = column;
  if (role !== "response" || type === "category") return column;
  if (resolution !== undefined) {
    const findings = resolutionFindings(place, name, values, resolution);
    if (findings.length > 0) throw new InputError(findings);
    return column;
  }
  const found = type === "real" ? inferCells(values) : undefined;
  if (!found) return column;
  const { step, cells } = found;
  return { ...column, resolution: step, ...(cells && { cells }), resolutionInferred: true };
}

/** Places after the point from which values are computed rather than read off. */
const fewestComputed = 5;

/**
 * The cells in which values were recorded, as they show: a decimal step, the lattice of computed
 * ones, or, where they tie without one, half the gap to the nearest other value. Undefined for values
 * that do not tie and lie on no lattice.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { inferCells } from "./resolution.ts";
 * assert.equal(inferCells([1.85, 1.87, 1.77, 1.85])!.step, 0.01);
 * const logs = [1, 1, 2, 3, 5, 2, 8].map(Math.log);
 * assert.equal(inferCells(logs)!.cells![0][1].toFixed(9), Math.log(0.5).toFixed(9));
 * assert.equal(inferCells([1.853, 1.87, 1.7712]), undefined);
 * ```
 */
export function inferCells(values: ArrayLike<number>): FoundLattice | undefined {
  const all = Array.from(values);
  if (all.length < 2 || !(spreadOf(all) > 0) || !all.every(Number.isFinite)) return undefined;
  const places = Math.max(...all.map(decimalPlaces));
  const decimal = inferResolution(all);
  const grid = (step: number) => ({ step, shown: `all ${all.length} values lie on its grid` });
  if (places < fewestComputed && decimal) return grid(decimal.step);
  const digits = places > 15 ? Infinity : places;
  const found = places < fewestComputed ? undefined : latticeOf(all, digits);
  if (found) return found;
  if (decimal) return grid(decimal.step);
  if (new Set(all).size === all.length) return undefined;
  return places <= mostPlaces ? grid(Number(`1e${-places}`)) : cellsOfGaps(all);
}

/** Rows whose value another row has, too. */
function tiesOf(all: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of all) counts.set(value, (counts.get(value) ?? 0) + 1);
  return all.filter((value) => counts.get(value)! > 1).length;
}

/**
 * Step that a response was recorded to, in words; `undefined` for counts and
 * categories.
 */
export function describeResolution(column: Column): string | undefined {
  if (column.type !== "real") return undefined;
  const step = resolutionOf(column);
  if (step === undefined) {
    return column.resolution === "continuous"
      ? 'resolution "continuous": rewards are not bounded'
      : "no resolution: rewards are not bounded";
  }
  if (!column.resolutionInferred) return `resolution ${step}`;
  const shown = inferCells(column.values)?.shown ?? "as recorded";
  const what = column.cells ? "narrowest cell" : "resolution";
  return `${what} ${Number(step.toPrecision(6))} (inferred: ${shown}, ` +
    `${tiesOf(Array.from(column.values))} of them tie)`;
}
