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
const fewRows = 40;
/** Nats below the largest posterior at which a point is left out. */
const depth = 60;

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

function logSum(values: readonly number[]): number {
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

/** log p(y_i | y_-i) of every row, from the inverse of the covariance, by Gauss and Jordan. */
export function leftOutByInverse(y: readonly number[], s: readonly number[][]): number[] {
  const n = y.length;
  const a = s.map((row, i) => [...row, ...row.map((_, j) => i === j ? 1 : 0), y[i]]);
  for (let p = 0; p < n; p++) {
    const pivot = a[p][p];
    for (let c = p; c < a[p].length; c++) a[p][c] /= pivot;
    for (let r = 0; r < n; r++) {
      const factor = r === p ? 0 : a[r][p];
      if (factor === 0) continue;
      for (let c = p; c < a[r].length; c++) a[r][c] -= factor * a[p][c];
    }
  }
  return a.map((row, i) => {
    const [precision, weighted] = [row[n + i], row[2 * n]];
    return 0.5 * Math.log(precision / (2 * Math.PI)) - 0.5 * weighted ** 2 / precision;
  });
}

/** Σ log p(y_i | y_-i), each the ratio of two integrals over a fine grid of the log scales. */
export function bruteElpd(y: readonly number[], vector: NormalVector): number {
  const points = grid(vector).map((u) => {
    const s = vector.covariance(u);
    const prior = vector.logPrior(u);
    return { prior, s, whole: prior + logNormal(y, s) };
  }).filter(({ whole }) => whole > -Infinity);
  const top = Math.max(...points.map(({ whole }) => whole));
  const near = points.filter(({ whole }) => whole > top - depth);
  const whole = logSum(near.map((one) => one.whole));
  const without = y.length > fewRows
    ? near.map((one) => leftOutByInverse(y, one.s).map((term) => one.whole - term))
    : near.map(({ prior, s }) => y.map((_, i) => prior + logNormal(y, s, i)));
  return y.reduce((sum, _, i) => sum + whole - logSum(without.map((terms) => terms[i])), 0);
}
