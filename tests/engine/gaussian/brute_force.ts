/** Leave-one-out of a normal vector by brute force: every row is left out of every integral. */

/** A normal vector given log scales, and the prior of these. */
export interface NormalVector {
  /** Number of log scales, 0 to 2. */
  readonly scales: number;
  /** Where a grid over them begins and ends. */
  readonly ranges: readonly (readonly [number, number])[];
  /** log p(u), Jacobian included. */
  logPrior(u: readonly number[]): number;
  /** Covariance of the rows `[n][n]`; the mean is zero. */
  covariance(u: readonly number[]): number[][];
}

/** Distance of the points of a grid, by the number of its axes. */
const steps = [0, 0.05, 0.12];
/** Rows up to which each is left out by a factor of its own; the others by the inverse of all. */
const fewRows = 12;
/**
 * Nats below the largest posterior at which a point is left out, where rows are many: few ones may all
 * be hit by a field, and the posterior without one of them has its weight elsewhere.
 */
const depth = 250;
const manyRows = 60;

/** log N(y; 0, S) of some rows. */
export function logNormal(y: readonly number[], s: readonly number[][], skip = -1): number {
  const rows = y.map((_, i) => i).filter((i) => i !== skip);
  const n = rows.length;
  const l: number[][] = [];
  const white: number[] = [];
  let sum = 0;
  for (let i = 0; i < n; i++) {
    l.push(new Array(n).fill(0));
    for (let j = 0; j <= i; j++) {
      let rest = s[rows[i]][rows[j]];
      for (let k = 0; k < j; k++) rest -= l[i][k] * l[j][k];
      l[i][j] = i === j ? Math.sqrt(rest) : rest / l[j][j];
    }
    let rest = y[rows[i]];
    for (let k = 0; k < i; k++) rest -= l[i][k] * white[k];
    white.push(rest / l[i][i]);
    sum -= Math.log(l[i][i]) + 0.5 * white[i] ** 2 + 0.5 * Math.log(2 * Math.PI);
  }
  return sum;
}

/** log Σ exp; terms that rounding made NaN are left out: noise of 10⁻⁶ beside a saturated field. */
function logSum(given: readonly number[]): number {
  const values = given.filter((v) => !Number.isNaN(v));
  const top = Math.max(...values);
  return top + Math.log(values.reduce((sum, v) => sum + Math.exp(v - top), 0));
}

function grid({ scales, ranges }: NormalVector): number[][] {
  let points: number[][] = [[]];
  for (const [from, to] of ranges) {
    const count = Math.ceil((to - from) / steps[scales]);
    const axis = Array.from({ length: count + 1 }, (_, k) => from + k * steps[scales]);
    points = points.flatMap((point) => axis.map((u) => [...point, u]));
  }
  return points;
}

/** log p(y_i | y_-i) of every row, from the inverse W of a plain Cholesky factor: Q = Wᵀ W. */
export function leftOutByInverse(y: readonly number[], s: readonly number[][]): number[] {
  const n = y.length;
  const l = new Float64Array(n * n);
  const w = new Float64Array(n * n);
  const [precision, weighted] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let rest = s[i][j];
      for (let k = 0; k < j; k++) rest -= l[i * n + k] * l[j * n + k];
      l[i * n + j] = i === j ? Math.sqrt(rest) : rest / l[j * n + j];
    }
    for (let k = 0; k < i; k++) {
      const factor = l[i * n + k];
      for (let j = 0; j <= k; j++) w[i * n + j] -= factor * w[k * n + j];
    }
    w[i * n + i] = 1;
    let white = 0;
    for (let j = 0; j <= i; j++) {
      w[i * n + j] /= l[i * n + i];
      white += w[i * n + j] * y[j];
    }
    for (let j = 0; j <= i; j++) {
      precision[j] += w[i * n + j] * w[i * n + j];
      weighted[j] += w[i * n + j] * white;
    }
  }
  return y.map((_, i) =>
    0.5 * Math.log(precision[i] / (2 * Math.PI)) - 0.5 * weighted[i] ** 2 / precision[i]
  );
}

/** Σ log p(y_i | y_-i), each the ratio of two integrals over a fine grid of the log scales. */
export function bruteElpd(y: readonly number[], vector: NormalVector): number {
  const points = grid(vector).map((u) => {
    const s = vector.covariance(u);
    const prior = vector.logPrior(u);
    return { prior, s, whole: prior + logNormal(y, s) };
  }).filter(({ whole }) => whole > -Infinity);
  const top = Math.max(...points.map(({ whole }) => whole));
  const near = points.filter(({ whole }) => y.length < manyRows || whole > top - depth);
  const whole = logSum(near.map((one) => one.whole));
  const without = y.length > fewRows
    ? near.map((one) => leftOutByInverse(y, one.s).map((term) => one.whole - term))
    : near.map(({ prior, s }) => y.map((_, i) => prior + logNormal(y, s, i)));
  return y.reduce((sum, _, i) => sum + whole - logSum(without.map((terms) => terms[i])), 0);
}
