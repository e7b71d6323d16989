/** Total mass of counts that spread over more whole numbers than can be summed: strata of their logarithm. */
import { RandomStream } from "../../../base/random.ts";
import { exp, log } from "../../../numerics/math/mod.ts";
import type { RowDistributions } from "./distribution_at.ts";

/** A mean with its standard error, for each row. */
interface EstimatedMasses {
  readonly masses: Float64Array;
  readonly errors: Float64Array;
  /** Digits of a log density that doubles lose: it is a difference of terms as large as n log n. */
  readonly rounding: Float64Array;
}

/** Counts from 0 on that are summed one by one. A round number: above, a step of 1 is hardly one. */
const summed = 4_000;

/** Strata, each of two points. A round number: the error of a smooth mass falls with its 3/2th power. */
const strata = 2048;

const epsilon = 2 ** -52;

/** Draws that place the proposal of a row. */
const placing = 257;

/** Evaluations of all rows that one distribution takes. */
export const wideEvaluations: number = placing + summed + 2 * strata;

/**
 * Σ p(n) over n ≥ 0 of each row: the first few thousand terms, and beyond them E[p(⌊x⌉) / q(x)]
 * over x ~ q, which is the sum whatever p is. q is Student's t with 2 degrees of freedom of log x,
 * two points in each of equally likely strata; their differences estimate the error.
 */
export function wideMasses(
  distribution: RowDistributions,
  key: readonly (string | number)[],
): EstimatedMasses {
  const first = firstTerms(distribution);
  const placed = placedProposals(distribution, key);
  const { masses, errors } = beyondFirst(distribution, placed, key);
  const rounding = Float64Array.from(
    placed,
    ({ location }) => 4 * epsilon * exp(location) * location,
  );
  return { masses: masses.map((mass, i) => mass + first[i]), errors, rounding };
}

function firstTerms(distribution: RowDistributions): Float64Array {
  const total = new Float64Array(distribution.rows);
  for (let n = 0; n < summed; n++) {
    const terms = distribution.logDensity(new Float64Array(distribution.rows).fill(n));
    for (let i = 0; i < total.length; i++) total[i] += exp(terms[i]);
  }
  return total;
}

/** Median and half the distance of the quartiles of log x, of a row. */
interface Placed {
  readonly location: number;
  readonly scale: number;
}

function placedProposals(
  distribution: RowDistributions,
  key: readonly (string | number)[],
): Placed[] {
  const random = new RandomStream(...key, "wide proposal");
  const columns: number[][] = Array.from({ length: distribution.rows }, () => []);
  const row = new Float64Array(distribution.rows);
  for (let s = 0; s < placing; s++) {
    distribution.draw(random, row);
    row.forEach((n, i) => n >= summed && n < Infinity && columns[i].push(log(n)));
  }
  return columns.map(placedAt);
}

function placedAt(logs: number[]): Placed {
  const sorted = logs.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? log(summed);
  return { location: at(0.5), scale: Math.max((at(0.75) - at(0.25)) / 2, 1 / summed ** 2) };
}

function beyondFirst(
  distribution: RowDistributions,
  placed: readonly Placed[],
  key: readonly (string | number)[],
): Omit<EstimatedMasses, "rounding"> {
  const random = new RandomStream(...key, "wide counts");
  const [masses, squares] = [new Float64Array(placed.length), new Float64Array(placed.length)];
  for (let k = 0; k < strata; k++) {
    const [a, b] = [0, 1].map(() => ratios(distribution, placed, (k + random.uniform()) / strata));
    for (let i = 0; i < masses.length; i++) {
      masses[i] += (a[i] + b[i]) / (2 * strata);
      squares[i] += ((a[i] - b[i]) / (2 * strata)) ** 2;
    }
  }
  return { masses, errors: squares.map(Math.sqrt) };
}

/** p(⌊x⌉) / q(x) of each row at the value with this share of the proposal below it. */
function ratios(
  distribution: RowDistributions,
  placed: readonly Placed[],
  u: number,
): Float64Array {
  const t = (2 * u - 1) / Math.sqrt(2 * u * (1 - u));
  const values = Float64Array.from(placed, ({ location, scale }) => exp(location + scale * t));
  const counts = values.map((x) => Math.round(Math.min(x, Number.MAX_SAFE_INTEGER)));
  const logs = distribution.logDensity(counts);
  return values.map((x, i) => {
    if (counts[i] < summed || x > Number.MAX_SAFE_INTEGER) return 0;
    return exp(logs[i] - 1.5 * log(2 * u * (1 - u)) + log(placed[i].scale) + log(x));
  });
}
