/** Encodes a data set, however many rows it has, as numbers of predictors, of pairs, and of the whole. */
import { cholesky, log, log1p } from "../../numerics/math/mod.ts";
import type { StandardRows } from "./standard_rows.ts";

/** Numbers of the data, of a predictor, of a pair and of a program. */
export const featureSizes = { data: 8, predictor: 14, pair: 6, program: 9 } as const;

/** A data set as the policy sees it: means over rows of products of predictors and response. */
export interface DataSummary {
  /** Number of rows. */
  readonly rows: number;
  /** Number of predictors. */
  readonly predictors: number;
  /** `[data]`. */
  readonly data: Float64Array;
  /** `[predictors, predictor]`. */
  readonly tokens: Float64Array;
  /** `[predictors, predictors, pair]`. */
  readonly pairs: Float64Array;
  /** `[predictors + 1, predictors + 1]`: correlations, the response last. */
  readonly correlations: Float64Array;
  /** `[2^predictors]`: forecasts of ELPD-LOO, nats, of a family whose flows do not begin with AICc. */
  readonly forecasts?: Float64Array;
}

/**
 * Pools (x, y, x y) and their squares over rows. A predictor is turned so that its correlation with
 * the response is not negative: neither the sign of a predictor nor that of the response is seen.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "./standard_rows.ts";
 * import { summarise } from "./summary.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * const { rows: n, predictors } = summarise(rows);
 * assert.deepEqual([n, predictors], [6, 2]);
 * ```
 */
export function summarise(
  { rows, columns, y }: Pick<StandardRows, "rows" | "columns" | "y">,
): DataSummary {
  const p = columns.length;
  const turned = columns.map((x) =>
    meanOf(rows, (i) => x[i] * y[i]) < 0 ? x.map((one) => -one) : x
  );
  const all = [...turned, y];
  const unit = rows / (rows - 1);
  const correlations = new Float64Array((p + 1) * (p + 1));
  all.forEach((a, j) => {
    all.forEach((b, k) => {
      if (k > j) return;
      const r = j === k ? 1 : unit * meanOf(rows, (i) => a[i] * b[i]);
      correlations[j * (p + 1) + k] = correlations[k * (p + 1) + j] = r;
    });
  });
  const tests = testsOfAll(correlations, p, rows);
  const size = featureSizes;
  const tokens = new Float64Array(p * size.predictor);
  const pairs = new Float64Array(p * p * size.pair);
  turned.forEach((x, j) => {
    tokens.set(
      tokenOf(x, y, rows, correlations[j * (p + 1) + p], tests.single[j]),
      j * size.predictor,
    );
    turned.forEach((other, k) => {
      const r = correlations[j * (p + 1) + k];
      pairs.set(pairOf(x, other, y, rows, r), (j * p + k) * size.pair);
    });
  });
  const data = dataOf(y, rows, p, tests.explained);
  return { rows, predictors: p, data, tokens, pairs, correlations };
}

function meanOf(rows: number, term: (i: number) => number): number {
  let sum = 0;
  for (let i = 0; i < rows; i++) sum += term(i);
  return sum / rows;
}

/** log(1 + |x|) with the sign of x: moments of heavy tails stay within reach. */
export function tamed(x: number): number {
  return x < 0 ? -log1p(-x) : log1p(x);
}

function tokenOf(x: Float64Array, y: Float64Array, rows: number, r: number, test: number) {
  const square = (i: number) => x[i] * x[i];
  const most = x.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  return [
    1,
    r,
    r * r,
    gain(rows, r * r) / 4,
    test / 4,
    tamed(meanOf(rows, (i) => square(i) * y[i] * y[i]) - 1),
    tamed(meanOf(rows, (i) => square(i) * square(i)) - 3),
    Math.abs(tamed(meanOf(rows, (i) => square(i) * x[i]))),
    tamed(meanOf(rows, (i) => x[i] * y[i] * y[i] * y[i]) - 3 * r),
    tamed(meanOf(rows, (i) => square(i) * x[i] * y[i]) - 3 * r),
    Math.abs(tamed(meanOf(rows, (i) => square(i) * y[i]))),
    Math.abs(tamed(meanOf(rows, (i) => x[i] * y[i] * y[i]))),
    most * most / rows,
    log(most),
  ];
}

/** Gain in log likelihood of a share of variance among so many rows, nats, tamed. */
function gain(rows: number, share: number): number {
  return log1p(-0.5 * rows * log(Math.max(1 - share, 1e-12)));
}

function pairOf(x: Float64Array, other: Float64Array, y: Float64Array, rows: number, r: number) {
  const both = (i: number) => x[i] * other[i];
  return [
    r,
    r * r,
    tamed(-log(Math.max(1 - r * r, 1e-4))),
    tamed(meanOf(rows, (i) => both(i) * y[i] * y[i]) - r),
    tamed(meanOf(rows, (i) => both(i) * both(i)) - 1),
    Math.abs(tamed(meanOf(rows, (i) => both(i) * y[i]))),
  ];
}

function dataOf(y: Float64Array, rows: number, predictors: number, explained: number) {
  const most = y.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const cube = meanOf(rows, (i) => y[i] * y[i] * y[i]);
  return Float64Array.of(
    1,
    log(rows) - 4,
    predictors / 6 - 1,
    explained,
    gain(rows, explained) / 4,
    tamed(meanOf(rows, (i) => y[i] * y[i] * y[i] * y[i]) - 3),
    Math.abs(tamed(cube)),
    most * most / rows,
  );
}

/** R² of all predictors, and log(1 + n ΔR² / (1 − R²)) for the share ΔR² that each adds to the others. */
function testsOfAll(correlations: Float64Array, p: number, rows: number) {
  const everything = Array.from({ length: p }, (_, j) => j);
  const explained = explainedBy(correlations, p, everything).share;
  const single = everything.map((j) => {
    const without = explainedBy(correlations, p, everything.filter((k) => k !== j)).share;
    const rest = Math.max(1 - explained, 1e-9);
    return log1p(rows * Math.max(0, explained - without) / rest);
  });
  return { explained, single };
}

/** Added to correlations of predictors with themselves, so that collinear ones have a factor. */
const ridge = 1e-6;

/** The share of the response's variance that some predictors explain, and log |R| of their correlations. */
export function explainedBy(
  correlations: Float64Array,
  p: number,
  chosen: readonly number[],
): { readonly share: number; readonly logDeterminant: number } {
  const k = chosen.length;
  const factor = new Float64Array(k * k);
  chosen.forEach((j, a) => {
    chosen.forEach((other, b) => factor[a * k + b] = correlations[j * (p + 1) + other]);
    factor[a * k + a] += ridge;
  });
  if (!cholesky(factor, k)) return { share: 0, logDeterminant: -14 };
  let [share, logDeterminant] = [0, 0];
  const solved = new Float64Array(k);
  for (let a = 0; a < k; a++) {
    let sum = correlations[chosen[a] * (p + 1) + p];
    for (let b = 0; b < a; b++) sum -= factor[a * k + b] * solved[b];
    solved[a] = sum / factor[a * k + a];
    share += solved[a] * solved[a];
    logDeterminant += 2 * log(factor[a * k + a]);
  }
  return { share: Math.min(Math.max(share, 0), 1 - 1e-9), logDeterminant };
}
