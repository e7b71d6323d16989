/** Detector of data unlike those that a policy learned from: distance of pooled numbers from theirs. */
import { cholesky, solveLower } from "../../numerics/math/mod.ts";

/** Numbers of a data set that the detector looks at. */
export interface Detected {
  /** Rows of the data set. */
  readonly rows: number;
  /** Predictors of the data set. */
  readonly predictors: number;
  /** Pooled numbers. */
  readonly numbers: readonly number[];
}

/** Training data sets with about as many rows. */
export interface DetectorBin {
  /** Most rows of them. */
  readonly rows: number;
  /** `[numbers]`: means of pooled numbers. */
  readonly mean: readonly number[];
  /** `[numbers, numbers]`: Cholesky factor of their covariance. */
  readonly factor: readonly number[];
  /** `[numbers]` each: 5 %, 50 % and 95 % quantiles. */
  readonly quantiles: readonly (readonly number[])[];
  /** Mahalanobis distance within which 99 % of them lie. */
  readonly threshold: number;
  /** Largest deviation of their numbers from the median that 99 % stay within; 1 is the 5 % or 95 % quantile. */
  readonly reach: number;
}

/** The training distribution, as far as the detector knows it. */
export interface Detector {
  /** Bins by rows, rising, since moments of few rows vary more. */
  readonly bins: readonly DetectorBin[];
  /** Smallest and largest numbers of rows that were seen. */
  readonly rows: readonly [number, number];
  /** Smallest and largest numbers of predictors. */
  readonly predictors: readonly [number, number];
}

/** Verdict of the detector on a data set. */
export interface Likeness {
  /** Mahalanobis distance from training data sets with about as many rows, over its threshold. */
  readonly distance: number;
  /** Largest deviation of a pooled number from its median, over the deviation that 99 % stay within. */
  readonly reach: number;
  /** True if data are like those of training. */
  readonly isLike: boolean;
  /** Why not; empty if they are. */
  readonly reasons: readonly string[];
}

/** Share of training data sets within each threshold. */
const passing = 0.99;

/** Groups of training data sets by rows, of equal size: at most so many, and of at least so many each. */
const [mostGroups, fewest] = [4, 400] as const;

/** Least rows beyond the number of predictors: with fewer the largest programs fit any data. */
const leastSpare = 4;

/**
 * A detector from the numbers of training data sets.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { makeDetector } from "./detector.ts";
 * const random = new RandomStream("data sets");
 * const summaries = Array.from({ length: 200 }, () => {
 *   return { rows: 20 + random.below(30), predictors: 2, numbers: [random.uniform(), random.uniform()] };
 * });
 * assert.deepEqual(makeDetector(summaries).predictors, [2, 2]);
 * ```
 */
export function makeDetector(summaries: readonly Detected[]): Detector {
  const order = [...summaries].sort((a, b) => a.rows - b.rows);
  const groups = Math.max(1, Math.min(mostGroups, Math.floor(order.length / fewest)));
  const size = Math.ceil(order.length / groups);
  const bins = Array.from({ length: groups }, (_, g) => order.slice(g * size, (g + 1) * size))
    .filter((some) => some.length > 0).map(binOf);
  const ends = (of: (one: Detected) => number) => {
    const values = summaries.map(of);
    return [least(values), largest(values)] as const;
  };
  return { bins, rows: ends(({ rows }) => rows), predictors: ends((one) => one.predictors) };
}

const largest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), -Infinity);
const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b), Infinity);

/** Moments and quantiles of some data sets; eight digits are kept. */
function binOf(some: readonly Detected[]): DetectorBin {
  const all = some.map(({ numbers }) => numbers);
  const kept = (values: ArrayLike<number>) =>
    Array.from(values, (one) => Number(one.toPrecision(8)));
  const mean = kept(all[0].map((_, a) => all.reduce((sum, one) => sum + one[a], 0) / all.length));
  const columns = mean.map((_, a) => all.map((one) => one[a]).sort((x, y) => x - y));
  const quantiles = [0.05, 0.5, 0.95].map((share) =>
    kept(columns.map((column) => column[Math.floor(share * (column.length - 1))]))
  );
  const open = { mean, factor: kept(factorOf(all, mean)), quantiles, threshold: 1, reach: 1 };
  const at = (of: (one: readonly number[]) => number) => {
    const values = all.map(of).sort((a, b) => a - b);
    return values[Math.ceil(passing * (values.length - 1))];
  };
  return {
    ...open,
    rows: largest(some.map(({ rows }) => rows)),
    threshold: at((one) => distanceOf(open, one)),
    reach: at((one) => reachOf(open, one)),
  };
}

function factorOf(all: readonly (readonly number[])[], mean: readonly number[]): Float64Array {
  const size = mean.length;
  const covariance = new Float64Array(size * size);
  for (const one of all) {
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) {
        covariance[a * size + b] += (one[a] - mean[a]) * (one[b] - mean[b]) /
          Math.max(1, all.length - 1);
      }
    }
  }
  for (let a = 0; a < size; a++) covariance[a * size + a] += 1e-4;
  if (cholesky(covariance, size)) return covariance;
  throw new Error("internal: the covariance is not positive definite");
}

/** Mahalanobis distance (Mahalanobis 1936). */
function distanceOf(
  { mean, factor }: Pick<DetectorBin, "mean" | "factor">,
  one: readonly number[],
) {
  const off = Float64Array.from(one, (value, a) => value - mean[a]);
  solveLower(Float64Array.from(factor), mean.length, off);
  return Math.sqrt(off.reduce((sum, value) => sum + value * value, 0));
}

/** Largest deviation of a number from its median: 1 at the 5 % and at the 95 % quantile. */
function reachOf(
  { quantiles: [low, middle, high] }: Pick<DetectorBin, "quantiles">,
  one: readonly number[],
) {
  return largest(one.map((value, a) => {
    const width = value > middle[a] ? high[a] - middle[a] : middle[a] - low[a];
    return Math.abs(value - middle[a]) / (width + 0.01);
  }));
}

/**
 * Verdict of a detector on a data set.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { likeness, makeDetector } from "./detector.ts";
 * const random = new RandomStream("data sets");
 * const summaries = Array.from({ length: 200 }, () => {
 *   return { rows: 20 + random.below(30), predictors: 2, numbers: [random.uniform(), random.uniform()] };
 * });
 * const detector = makeDetector(summaries);
 * const far = { rows: 30, predictors: 2, numbers: [50, -50] };
 * assert(likeness(detector, far).reasons.length > 0);
 * assert.deepEqual(likeness(detector, summaries[0]).reasons, []);
 * ```
 */
export function likeness(
  { bins, rows, predictors }: Detector,
  summary: Detected,
): Likeness {
  const bin = bins.find((one) => summary.rows <= one.rows) ?? bins[bins.length - 1];
  const { numbers } = summary;
  const distance = distanceOf(bin, numbers) / bin.threshold;
  const reach = reachOf(bin, numbers) / bin.reach;
  const reasons: string[] = [];
  const within = (what: string, value: number, [low, high]: readonly [number, number]) => {
    if (value < low || value > high) {
      reasons.push(`${value} ${what}, and it was trained on ${low} to ${high}`);
    }
  };
  within("rows", summary.rows, rows);
  within(summary.predictors === 1 ? "predictor" : "predictors", summary.predictors, predictors);
  if (summary.rows < summary.predictors + leastSpare) {
    reasons.push(
      `${summary.rows} complete rows for ${summary.predictors} predictors, wanted ${leastSpare} more`,
    );
  }
  if (!(distance <= 1 && reach <= 1)) {
    const far = Math.max(distance, reach).toFixed(1);
    reasons.push(
      `shapes or noise unlike those of training (${far} times the distance within which 99 % of those lie)`,
    );
  }
  return { distance, reach, isLike: reasons.length === 0, reasons };
}
