/** Leave-one-out of a normal vector from a triangular factor of its covariance. */
import { cholesky, fillNormal, log, solveLower, solveUpper } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { type Conditionals, conditionalsByLatents } from "./in_order.ts";
import type { Slopes } from "./slopes.ts";

/**
 * Turns rows b_j of `slopes` and a diagonal t into the upper triangular T with Tᵀ T = diag(t)² + B Bᵀ,
 * by one reflection for each row of T (the QR decomposition of [diag(t); Bᵀ]; Householder 1958).
 * Squares are never formed, so that a noise of 10⁻⁴ beside a field of 10² costs no digits. `slopes`
 * are overwritten; t is not negative.
 *
 * @param t `[n]`.
 * @param slopes `[n, d]`.
 * @returns T `[n, n]`, row-major; zeros below its diagonal.
 */
export function triangularFactor(t: Float64Array, slopes: Slopes): Float64Array {
  const n = t.length;
  const { data, from, to, width } = slopes;
  const factor = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const [begin, end] = [j * width + from[j], j * width + to[j]];
    const norm = Math.sqrt(t[j] * t[j] + dotOf(data, begin, data, begin, end - begin));
    factor[j * n + j] = norm;
    if (begin === end || norm === 0) continue;
    const turn = -1 / (norm * (norm + t[j]));
    for (let k = j + 1; k < n; k++) {
      if (to[k] <= from[j] || from[k] >= to[j]) continue;
      const at = k * width + from[j];
      const product = dotOf(data, begin, data, at, end - begin);
      factor[j * n + k] = product / norm;
      addTimes(data, at, begin, end - begin, product * turn);
      if (from[j] < from[k]) from[k] = from[j];
      if (to[j] > to[k]) to[k] = to[j];
    }
  }
  return factor;
}

/** Σ x[a + i] · y[b + i], in four sums. */
function dotOf(x: Float64Array, a: number, y: Float64Array, b: number, count: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  const whole = count - count % 4;
  let i = 0;
  for (; i < whole; i += 4) {
    s0 += x[a + i] * y[b + i];
    s1 += x[a + i + 1] * y[b + i + 1];
    s2 += x[a + i + 2] * y[b + i + 2];
    s3 += x[a + i + 3] * y[b + i + 3];
  }
  for (; i < count; i++) s0 += x[a + i] * y[b + i];
  return (s0 + s1) + (s2 + s3);
}

/** x[to + i] += factor · x[from + i]. */
function addTimes(x: Float64Array, to: number, from: number, count: number, factor: number): void {
  for (let i = 0; i < count; i++) x[to + i] += factor * x[from + i];
}

/** Parts of N(y; m, S) that leave-one-out needs, for the precision Q = S⁻¹. */
export interface Precision {
  /** log N(y; m, S), without −n/2 · log 2π. */
  readonly logDensity: number;
  /** Q (y − m) `[n]`. */
  readonly weighted: Float64Array;
  /** Q_ii `[n]`. */
  readonly diagonal: Float64Array;
  /** Q_ij. */
  readonly entry: (i: number, j: number) => number;
  /** Q x for x `[n]`, in place. */
  readonly solve: (x: Float64Array) => void;
  /** A draw of the noise ε of the latents given y, where the factor at hand determines it. */
  readonly drawLatents?: (random: RandomStream) => Float64Array;
  /** Every row given those before it. */
  readonly inOrder: () => Conditionals;
}

/** Smallest L_ii² / S_ii at which a factor of S keeps seven digits. */
const leastPivot = 1e-8;

/** Matrices `[n, n]` that are written over and over. */
export class DenseWork {
  readonly lower: Float64Array;
  readonly inverse: Float64Array;

  /** @param n rows. */
  constructor(n: number) {
    this.lower = new Float64Array(n * n);
    this.inverse = new Float64Array(n * n);
  }
}

/**
 * From the factor of S itself: S = diag(noise)² + A Aᵀ, with `slopes` A `[n, d]`, which may be
 * overwritten. Good for any noise, also none: where squares would cost digits none are formed.
 * `undefined` where S is singular or not a number.
 *
 * @param work what the result lives in, until it is used again.
 */
export function precisionByRows(
  residuals: Float64Array,
  noise: Float64Array,
  slopes: Slopes,
  work: DenseWork = new DenseWork(residuals.length),
): Precision | undefined {
  const n = residuals.length;
  writeSquare(noise, slopes, work.lower);
  if (!cholesky(work.lower, n, leastPivot)) {
    transpose(triangularFactor(noise, slopes), n, work.lower);
  }
  return precisionOfFactor(residuals, work);
}

/**
 * From S = K + diag(noise)² + A Aᵀ itself; `undefined` where its factor would cost too many digits.
 *
 * @param covariance K `[n, n]`.
 */
export function precisionByCovariance(
  residuals: Float64Array,
  noise: Float64Array,
  covariance: Float64Array,
  slopes: Slopes | undefined,
  work: DenseWork,
): Precision | undefined {
  const n = residuals.length;
  const { lower } = work;
  if (slopes) {
    writeSquare(noise, slopes, lower);
    for (let i = 0; i < lower.length; i++) lower[i] += covariance[i];
  } else {
    lower.set(covariance);
    for (let i = 0; i < n; i++) lower[i * n + i] += noise[i] * noise[i];
  }
  return cholesky(lower, n, leastPivot) ? precisionOfFactor(residuals, work) : undefined;
}

/** From the lower triangular factor L `[n, n]` of S = L Lᵀ, that is in `work`. */
export function precisionOfFactor(
  residuals: Float64Array,
  work: DenseWork,
): Precision | undefined {
  const n = residuals.length;
  const { lower } = work;
  for (let i = 0; i < n; i++) {
    if (!(lower[i * n + i] > 0 && lower[i * n + i] < Infinity)) return undefined;
  }
  return new TriangularPrecision(residuals, work);
}

/** The lower triangle of diag(noise)² + A Aᵀ. */
function writeSquare(noise: Float64Array, slopes: Slopes, out: Float64Array): void {
  const n = noise.length;
  for (let i = 0; i < n; i++) {
    let k = 0;
    for (; k + 3 <= i; k += 4) fourProducts(slopes, i, k, out);
    for (; k <= i; k++) out[i * n + k] = oneProduct(slopes, i, k);
    out[i * n + i] += noise[i] * noise[i];
  }
}

function oneProduct({ data, from, to, width }: Slopes, i: number, k: number): number {
  const begin = Math.max(from[i], from[k]);
  const end = Math.min(to[i], to[k]);
  let sum = 0;
  for (let m = begin; m < end; m++) sum += data[i * width + m] * data[k * width + m];
  return sum;
}

/** Row i times rows k to k + 3: outside of their ranges all are zero. */
function fourProducts(slopes: Slopes, i: number, k: number, out: Float64Array): void {
  const { data, from, to, width, rows: n } = slopes;
  const begin = Math.max(from[i], Math.min(from[k], from[k + 1], from[k + 2], from[k + 3]));
  const end = Math.min(to[i], Math.max(to[k], to[k + 1], to[k + 2], to[k + 3]));
  const own = i * width;
  const first = k * width;
  const second = first + width;
  const third = second + width;
  const fourth = third + width;
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let m = begin; m < end; m++) {
    const x = data[own + m];
    s0 += x * data[first + m];
    s1 += x * data[second + m];
    s2 += x * data[third + m];
    s3 += x * data[fourth + m];
  }
  const at = i * n + k;
  out[at] = s0;
  out[at + 1] = s1;
  out[at + 2] = s2;
  out[at + 3] = s3;
}

function transpose(t: Float64Array, n: number, out: Float64Array): void {
  for (let i = 0; i < n; i++) for (let k = 0; k < n; k++) out[k * n + i] = t[i * n + k];
}

/** Of a factor: its inverse is made when terms are asked for. */
class TriangularPrecision implements Precision {
  readonly logDensity: number;
  readonly #white: Float64Array;
  readonly #work: DenseWork;
  #terms: { readonly weighted: Float64Array; readonly diagonal: Float64Array } | undefined;

  constructor(residuals: Float64Array, work: DenseWork) {
    const n = residuals.length;
    const { lower } = work;
    this.#white = Float64Array.from(residuals);
    solveLower(lower, n, this.#white);
    this.#work = work;
    let logDensity = 0;
    for (let i = 0; i < n; i++) {
      logDensity -= log(lower[i * n + i]) + 0.5 * this.#white[i] * this.#white[i];
    }
    this.logDensity = logDensity;
  }

  get weighted(): Float64Array {
    return this.#inverted().weighted;
  }

  get diagonal(): Float64Array {
    return this.#inverted().diagonal;
  }

  readonly entry = (i: number, j: number): number => {
    const n = this.#white.length;
    this.#inverted();
    const { inverse } = this.#work;
    let sum = 0;
    for (let k = Math.max(i, j); k < n; k++) sum += inverse[k * n + i] * inverse[k * n + j];
    return sum;
  };

  readonly solve = (x: Float64Array): void => {
    solveLower(this.#work.lower, x.length, x);
    solveUpper(this.#work.lower, x.length, x);
  };

  readonly inOrder = (): Conditionals => {
    const n = this.#white.length;
    const roots = this.#white.map((_, i) => 1 / this.#work.lower[i * n + i]);
    return { standardised: this.#white, roots };
  };

  #inverted() {
    if (this.#terms) return this.#terms;
    const n = this.#white.length;
    const { lower, inverse } = this.#work;
    invertLower(lower, n, inverse);
    const weighted = new Float64Array(n);
    const diagonal = new Float64Array(n);
    for (let k = 0; k < n; k++) {
      for (let i = 0; i <= k; i++) {
        const w = inverse[k * n + i];
        weighted[i] += w * this.#white[k];
        diagonal[i] += w * w;
      }
    }
    return this.#terms = { weighted, diagonal };
  }
}

/** The inverse of a lower triangular `[n, n]` without zeros on its diagonal. */
function invertLower(l: Float64Array, n: number, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let m = 0;
    for (; m + 3 < i; m += 4) takeFour(l, n, row, m, out);
    for (; m < i; m++) addTimes(out, row, m * n, m + 1, -l[row + m]);
    const factor = 1 / l[row + i];
    for (let k = 0; k < i; k++) out[row + k] *= factor;
    out[row + i] = factor;
  }
}

/** Takes multiples of rows m to m + 3 off a row. */
function takeFour(l: Float64Array, n: number, row: number, m: number, out: Float64Array): void {
  const first = m * n;
  const second = first + n;
  const third = second + n;
  const fourth = third + n;
  const l0 = l[row + m];
  const l1 = l[row + m + 1];
  const l2 = l[row + m + 2];
  const l3 = l[row + m + 3];
  for (let k = 0; k <= m + 3; k++) {
    out[row + k] -= l0 * out[first + k] + l1 * out[second + k] +
      (l2 * out[third + k] + l3 * out[fourth + k]);
  }
}

/** Vectors of few latents and many rows that are written over and over. */
export class LatentWork {
  /** Residuals over noise, Q (y − m), Q_ii `[n]`. */
  readonly white: Float64Array;
  readonly weighted: Float64Array;
  readonly diagonal: Float64Array;
  /** U `[n, d]`. */
  readonly rows: Float64Array;
  /** A diagonal of ones `[d]`. */
  readonly ones: Float64Array;

  /** @param n rows; `d` latents. */
  constructor(n: number, d: number) {
    [this.white, this.weighted, this.diagonal] = [n, n, n].map((size) => new Float64Array(size));
    this.rows = new Float64Array(n * d);
    this.ones = new Float64Array(d).fill(1);
  }
}

/** 1 − h_i below which a leverage h_i is too near 1 for Q_ii = (1 − h_i) / noise_i². */
const leastFreedom = 1e-6;

/**
 * From the factor of I + Wᵀ W for W = diag(noise)⁻¹ A: for few latents and many rows (Woodbury's
 * identity). Q = diag(noise)⁻¹ (I − U Uᵀ) diag(noise)⁻¹ with U = W R⁻¹. `undefined` where a row's
 * leverage |u_i|² is so near 1 that digits are lost, and where something is no number.
 *
 * @param noise `[n]`, positive.
 * @param columns the columns of A as rows `[d, n]`; overwritten.
 * @param slopes A `[n, d]`; overwritten.
 * @param work what the result lives in, until it is used again.
 */
export function precisionByLatents(
  residuals: Float64Array,
  noise: Float64Array,
  slopes: Slopes,
  columns: Slopes,
  work: LatentWork = new LatentWork(slopes.rows, slopes.width),
): Precision | undefined {
  const [n, d] = [slopes.rows, slopes.width];
  for (let i = 0; i < n; i++) slopes.scale(i, 1 / noise[i]);
  for (let k = 0; k < d; k++) {
    columns.from[k] = 0;
    columns.to[k] = n;
    for (let i = 0; i < n; i++) columns.data[k * n + i] = slopes.data[i * d + k];
  }
  const factor = triangularFactor(work.ones, columns);
  const { white, weighted, diagonal, rows } = work;
  rows.fill(0);
  for (let i = 0; i < n; i++) white[i] = residuals[i] / noise[i];
  const along = new Float64Array(d);
  for (let i = 0; i < n; i++) {
    let leverage = 0;
    for (let k = slopes.from[i]; k < slopes.to[i]; k++) rows[i * d + k] = slopes.data[i * d + k];
    for (let m = slopes.from[i]; m < d; m++) {
      const u = rows[i * d + m] / factor[m * d + m];
      rows[i * d + m] = u;
      if (u === 0) continue;
      leverage += u * u;
      along[m] += u * white[i];
      for (let k = m + 1; k < d; k++) rows[i * d + k] -= u * factor[m * d + k];
    }
    if (!(1 - leverage > leastFreedom)) return undefined;
    diagonal[i] = (1 - leverage) / (noise[i] * noise[i]);
  }
  // The latents' posterior mean R⁻¹ Uᵀ r.
  const mean = along;
  solveFactor(factor, d, mean);
  let logDensity = 0;
  for (let m = 0; m < d; m++) logDensity -= log(factor[m * d + m]) + 0.5 * mean[m] * mean[m];
  for (let i = 0; i < n; i++) {
    let rest = white[i];
    for (let k = slopes.from[i]; k < slopes.to[i]; k++) rest -= slopes.data[i * d + k] * mean[k];
    logDensity -= log(noise[i]) + 0.5 * rest * rest;
    weighted[i] = rest / noise[i];
  }
  const entry = (i: number, j: number) => {
    let sum = i === j ? 1 : 0;
    for (let k = 0; k < d; k++) sum -= rows[i * d + k] * rows[j * d + k];
    return sum / (noise[i] * noise[j]);
  };
  const solve = (x: Float64Array) => {
    const own = x.map((value, i) => value / noise[i]);
    const shared = new Float64Array(d);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < d; k++) shared[k] += rows[i * d + k] * own[i];
    }
    for (let i = 0; i < n; i++) {
      let sum = own[i];
      for (let k = 0; k < d; k++) sum -= rows[i * d + k] * shared[k];
      x[i] = sum / noise[i];
    }
  };
  const inOrder = () => conditionalsByLatents(white, noise, slopes);
  // R⁻¹ (Qᵀ r + z) for normal z.
  const drawLatents = (random: RandomStream) => {
    const drawn = new Float64Array(d);
    fillNormal(random, drawn);
    solveFactor(factor, d, drawn);
    return drawn.map((x, k) => mean[k] + x);
  };
  return { logDensity, weighted, diagonal, entry, solve, drawLatents, inOrder };
}

/** Rows given others. */
interface RowsByLatents {
  /** log N of the others, without −n/2 · log 2π. */
  readonly logDensity: number;
  /** How far each is from its mean given the others. */
  readonly away: Float64Array;
  /** Its standard deviation given the others. */
  readonly spreads: Float64Array;
}

/**
 * Some rows given the others, from the factor R of I + Wᵀ W over these: the latents' posterior has the mean
 * R⁻¹ R⁻ᵀ Wᵀ r and the covariance R⁻¹ R⁻ᵀ. No squares are formed.
 *
 * @param noise `[n]`, positive.
 * @param slopes A `[n, d]`.
 * @param columns `[d, n]`; overwritten.
 */
export function rowsByLatents(
  residuals: Float64Array,
  noise: Float64Array,
  slopes: Slopes,
  columns: Slopes,
  rows: readonly number[],
): RowsByLatents {
  const [n, d] = [slopes.rows, slopes.width];
  const isOther = new Uint8Array(n).fill(1);
  for (const i of rows) isOther[i] = 0;
  const others = Array.from(isOther, (_, i) => i).filter((i) => isOther[i] === 1);
  columns.from.fill(0);
  columns.to.fill(others.length);
  const mean = new Float64Array(d);
  for (let k = 0; k < d; k++) {
    for (let j = 0; j < others.length; j++) {
      const i = others[j];
      const white = slopes.data[i * d + k] / noise[i];
      columns.data[k * n + j] = white;
      mean[k] += white * residuals[i] / noise[i];
    }
  }
  const factor = triangularFactor(new Float64Array(d).fill(1), columns);
  solveTransposed(factor, d, mean);
  solveFactor(factor, d, mean);
  let logDensity = 0;
  for (let m = 0; m < d; m++) logDensity -= log(factor[m * d + m]) + 0.5 * mean[m] * mean[m];
  for (const i of others) {
    const rest = (residuals[i] - slopes.times(i, mean)) / noise[i];
    logDensity -= log(noise[i]) + 0.5 * rest * rest;
  }
  const away = Float64Array.from(rows, (i) => residuals[i] - slopes.times(i, mean));
  const spreads = Float64Array.from(rows, (i) => {
    const own = slopes.data.slice(i * d, (i + 1) * d);
    solveTransposed(factor, d, own);
    return Math.sqrt(own.reduce((sum, u) => sum + u * u, noise[i] * noise[i]));
  });
  return { logDensity, away, spreads };
}

/** Solves Tᵀ x = b in place for an upper triangular T `[d, d]`. */
function solveTransposed(factor: Float64Array, d: number, x: Float64Array): void {
  for (let m = 0; m < d; m++) {
    x[m] /= factor[m * d + m];
    for (let k = m + 1; k < d; k++) x[k] -= factor[m * d + k] * x[m];
  }
}

/** Solves T x = b in place, for the first rows and columns of an upper triangular T `[width, width]`. */
export function solveFactor(factor: Float64Array, width: number, x: Float64Array): void {
  for (let m = x.length - 1; m >= 0; m--) {
    for (let k = m + 1; k < x.length; k++) x[m] -= factor[m * width + k] * x[k];
    x[m] /= factor[m * width + m];
  }
}
