/** Leave-one-out of rows on random walks: differences of neighbours share little, even where rows share much. */
import { fillNormal, log } from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { Conditionals } from "./in_order.ts";
import type { Slopes } from "./slopes.ts";
import type { Precision } from "./square_root.ts";

/** How often neighbouring rows are taken off one another at most: walks, and walks of slopes. */
const mostDifferences = 2;
/** Squared elements below this part of their sum are left out. */
const leastShare = 1e-34;

/** Differences of rows, and where the columns of their slopes and of their noise go. */
export interface BandPlan {
  /** How often neighbours are taken off one another. */
  readonly order: number;
  /** By column of the slopes, then by row for its noise: the place among all. */
  readonly placeOf: Int32Array;
  /** Multiplications that it takes. */
  readonly work: number;
}

/** Rows with a range of columns each. */
interface Rows {
  /** Where each begins in `data`, and which column stands there `[n]`. */
  readonly offsets: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly data: Float64Array;
}

/** Row i of the k-th differences: 1, −1 or 1, −2, 1 times rows i, i − 1, i − 2. */
function weightsOf(order: number): readonly number[] {
  return [[1], [1, -1], [1, -2, 1]][order];
}

/** Ranges of the columns of A that differences of rows have. */
function differencedRanges({ rows: n, from, to, data, width }: Slopes, order: number) {
  const ranges = { from: new Int32Array(n), to: new Int32Array(n) };
  const [, second = 0, third = 0] = weightsOf(order);
  for (let i = 0; i < n; i++) {
    const [one, two] = [order > 0 && i > 0 ? i - 1 : i, order > 1 && i > 1 ? i - 2 : i];
    const [w1, w2] = [one < i ? second : 0, two < i ? third : 0];
    const begin = Math.min(spanOf(from, to, i), spanOf(from, to, one), spanOf(from, to, two));
    const end = Math.max(to[i], to[one], to[two]);
    const [own, before, earlier] = [i * width, one * width, two * width];
    let first = width;
    let last = 0;
    for (let m = begin; m < end; m++) {
      const a = data[own + m];
      const b = w1 * data[before + m];
      const c = w2 * data[earlier + m];
      const sum = a + b + c;
      if (sum === 0 || Math.abs(sum) <= 1e-14 * (Math.abs(a) + Math.abs(b) + Math.abs(c))) continue;
      if (m < first) first = m;
      last = m + 1;
    }
    if (last > 0) {
      ranges.from[i] = first;
      ranges.to[i] = last;
    }
  }
  return ranges;
}

function spanOf(from: Int32Array, to: Int32Array, i: number): number {
  return from[i] < to[i] ? from[i] : Infinity;
}

/** The plan that takes the least work; that of no differences may be one. */
export function bandPlan(slopes: Slopes): BandPlan {
  const plans = Array.from({ length: mostDifferences + 1 }, (_, order) => planOf(slopes, order));
  return plans.reduce((best, plan) => plan.work < best.work ? plan : best);
}

function planOf(slopes: Slopes, order: number): BandPlan {
  const n = slopes.rows;
  const d = slopes.width;
  const { from, to } = differencedRanges(slopes, order);
  const firstRow = new Int32Array(d + n).fill(n);
  for (let i = n - 1; i >= 0; i--) {
    for (let m = from[i]; m < to[i]; m++) firstRow[m] = i;
    firstRow[d + i] = i;
  }
  const sorted = Array.from(firstRow.keys()).sort((a, b) => firstRow[a] - firstRow[b] || a - b);
  const placeOf = new Int32Array(d + n);
  sorted.forEach((column, place) => placeOf[column] = place);
  const rows = emptyRows(n, d, { from, to }, order, placeOf);
  const { work } = eliminated(rows, n);
  return { order, placeOf, work: work + n * n };
}

/** Ranges of [A | D^½] in places, with nothing in them. */
function emptyRows(
  n: number,
  d: number,
  ranges: { readonly from: Int32Array; readonly to: Int32Array },
  order: number,
  placeOf: Int32Array,
): Pick<Rows, "from" | "to"> {
  const from = new Int32Array(n);
  const to = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    let [first, last] = [n + d, 0];
    const include = (place: number) => {
      if (place < first) first = place;
      if (place + 1 > last) last = place + 1;
    };
    for (let m = ranges.from[i]; m < ranges.to[i]; m++) include(placeOf[m]);
    for (let k = 0; k <= order && k <= i; k++) include(placeOf[d + i - k]);
    [from[i], to[i]] = [first, last];
  }
  return { from, to };
}

/** Ranges as elimination widens them, each row's pivot and the last row that it meets, and what it costs. */
function eliminated({ from, to }: Pick<Rows, "from" | "to">, n: number) {
  const lows = from.slice();
  const highs = to.slice();
  const now = from.slice();
  const last = new Int32Array(n);
  // Rows after k begin at `next[k]` or later: there the search may end.
  const next = new Int32Array(n + 1).fill(2 ** 30);
  for (let k = n - 1; k >= 0; k--) next[k] = Math.min(next[k + 1], from[k]);
  let work = 0;
  for (let j = 0; j < n; j++) {
    last[j] = j;
    for (let k = j + 1; k < n && (next[k] < highs[j] || k <= last[j] + 1); k++) {
      if (highs[k] <= now[j] || now[k] >= highs[j]) continue;
      last[j] = k;
      work += 2 * (highs[j] - now[j]);
      lows[k] = Math.min(lows[k], now[j]);
      now[k] = Math.min(now[k], now[j] + 1);
      highs[k] = Math.max(highs[k], highs[j]);
    }
    for (let k = j + 1; k <= last[j]; k++) if (now[k] === now[j]) now[k] = now[j] + 1;
  }
  return { lows, highs, last, pivots: now, work };
}

/**
 * From the triangular factor of the covariance of differences, T with Tᵀ T = G S Gᵀ, one reflection
 * for each row (Householder 1958). Q = Gᵀ T⁻¹ T⁻ᵀ G: sums of squares, whatever the noise.
 * `undefined` where S is singular or not a number.
 *
 * @param noise `[n]`.
 * @param slopes A `[n, d]`.
 */
export function precisionByBand(
  residuals: Float64Array,
  noise: Float64Array,
  slopes: Slopes,
  { order, placeOf }: BandPlan,
): Precision | undefined {
  const n = residuals.length;
  const own = differencedRanges(slopes, order);
  const { lows, highs, last, pivots } = eliminated(
    emptyRows(n, slopes.width, own, order, placeOf),
    n,
  );
  const rows = filled(lows, highs, own, noise, slopes, order, placeOf);
  const factor = factorOf(rows, last, pivots, n);
  if (!factor) return undefined;
  const drawn = placeOf.subarray(0, slopes.width);
  return new BandPrecision(residuals, factor, order, {
    rows,
    placeOf: drawn,
    places: placeOf.length,
  });
}

/** The reflections that made a factor, and where the noise of latents stands in them. */
interface Reflections {
  /** Vectors v_j, each from its pivot on. */
  readonly rows: Rows;
  readonly placeOf: Int32Array;
  readonly places: number;
}

/** Differences of [A | D^½], each row in the range that elimination will need. */
function filled(
  lows: Int32Array,
  highs: Int32Array,
  own: Pick<Rows, "from" | "to">,
  noise: Float64Array,
  { data: given, width, rows: n }: Slopes,
  order: number,
  placeOf: Int32Array,
): Rows {
  const offsets = new Int32Array(n);
  let size = 0;
  for (let i = 0; i < n; i++) {
    offsets[i] = size;
    size += highs[i] - lows[i];
  }
  const data = new Float64Array(size);
  const weights = weightsOf(order);
  for (let i = 0; i < n; i++) {
    const base = offsets[i] - lows[i];
    for (let k = 0; k < weights.length && k <= i; k++) {
      const row = i - k;
      // outside of the range, coefficients cancel up to rounding
      for (let m = own.from[i]; m < own.to[i]; m++) {
        data[base + placeOf[m]] += weights[k] * given[row * width + m];
      }
      data[base + placeOf[width + row]] += weights[k] * noise[row];
    }
  }
  return { offsets, from: lows, to: highs, data };
}

/** T by rows: element k of row j at `offsets[j] + k − j`, up to k = `last[j]`. */
interface BandFactor {
  readonly offsets: Int32Array;
  readonly last: Int32Array;
  readonly data: Float64Array;
  /** The place that each row was turned onto `[n]`. */
  readonly pivots: Int32Array;
}

/**
 * Each row is turned onto its pivot, which no later row sees any more: also where it holds a zero there, for
 * later rows, whose ranges were found by these pivots, may not.
 */
function factorOf(
  rows: Rows,
  last: Int32Array,
  pivots: Int32Array,
  n: number,
): BandFactor | undefined {
  const { offsets: begins, from, to, data } = rows;
  const offsets = new Int32Array(n);
  let size = 0;
  for (let j = 0; j < n; j++) {
    offsets[j] = size;
    size += last[j] - j + 1;
  }
  const out = new Float64Array(size);
  for (let j = 0; j < n; j++) {
    const base = begins[j] - from[j];
    const pivot = pivots[j];
    let square = 0;
    for (let m = pivot; m < to[j]; m++) square += data[base + m] * data[base + m];
    if (!(square > 0 && square < Infinity)) return undefined;
    const norm = data[base + pivot] > 0 ? -Math.sqrt(square) : Math.sqrt(square);
    // v = b − norm · e, |v|² = 2 (square − norm · b_pivot).
    data[base + pivot] -= norm;
    const scale = -1 / (norm * data[base + pivot]);
    out[offsets[j]] = norm;
    for (let k = j + 1; k <= last[j]; k++) {
      const other = begins[k] - from[k];
      const begin = Math.max(pivot, from[k]);
      const end = Math.min(to[j], to[k]);
      let product = 0;
      for (let m = begin; m < end; m++) product += data[base + m] * data[other + m];
      if (product !== 0) {
        const factor = product * scale;
        for (let m = begin; m < end; m++) data[other + m] -= factor * data[base + m];
      }
      if (pivot >= from[k] && pivot < to[k]) {
        out[offsets[j] + k - j] = data[other + pivot];
        data[other + pivot] = 0;
      }
    }
  }
  return { offsets, last, data: out, pivots };
}

class BandPrecision implements Precision {
  readonly logDensity: number;
  readonly weighted: Float64Array;
  readonly #factor: BandFactor;
  readonly #weights: readonly number[];
  /** T⁻ᵀ G (y − m). */
  readonly #white: Float64Array;
  readonly #reflections: Reflections;
  #diagonal: Float64Array | undefined;

  constructor(
    residuals: Float64Array,
    factor: BandFactor,
    order: number,
    reflections: Reflections,
  ) {
    const n = residuals.length;
    this.#factor = factor;
    this.#reflections = reflections;
    this.#weights = weightsOf(order);
    const white = this.#differences(residuals);
    this.#solve(white, 0);
    let logDensity = 0;
    for (let i = 0; i < n; i++) {
      logDensity -= log(Math.abs(factor.data[factor.offsets[i]])) + 0.5 * white[i] * white[i];
    }
    this.logDensity = logDensity;
    this.#white = white.slice();
    this.#solveTransposed(white);
    this.weighted = this.#transposedDifferences(white);
  }

  get diagonal(): Float64Array {
    const column = new Float64Array(this.weighted.length);
    return this.#diagonal ??= this.weighted.map((_, i) => {
      const end = this.#writeColumn(i, column);
      let sum = 0;
      for (let k = i; k < end; k++) sum += column[k] * column[k];
      column.fill(0, i, end);
      return sum;
    });
  }

  readonly entry = (i: number, j: number): number => {
    const n = this.weighted.length;
    const [a, b] = [new Float64Array(n), new Float64Array(n)];
    const end = Math.min(this.#writeColumn(i, a), this.#writeColumn(j, b));
    let sum = 0;
    for (let k = Math.max(i, j); k < end; k++) sum += a[k] * b[k];
    return sum;
  };

  readonly solve = (x: Float64Array): void => {
    x.set(this.#differences(x));
    this.#solve(x, 0);
    this.#solveTransposed(x);
    x.set(this.#transposedDifferences(x));
  };

  /**
   * All noise (ε, e) is standard normal with [G A, G D^½] (ε, e) = G (y − m), which reflections turn into
   * Tᵀ w = G (y − m): w is known, all other places are drawn, and turned back.
   */
  readonly drawLatents = (random: RandomStream): Float64Array => {
    const { rows: { offsets, from, to, data }, placeOf, places } = this.#reflections;
    const { pivots, offsets: heads, data: factor } = this.#factor;
    const noise = new Float64Array(places);
    fillNormal(random, noise);
    for (let j = pivots.length - 1; j >= 0; j--) {
      const base = offsets[j] - from[j];
      // A place that was empty again may be the pivot of two rows: each has its own value there.
      noise[pivots[j]] = this.#white[j];
      let product = 0;
      for (let m = pivots[j]; m < to[j]; m++) product += data[base + m] * noise[m];
      product /= -factor[heads[j]] * data[base + pivots[j]];
      for (let m = pivots[j]; m < to[j]; m++) noise[m] -= product * data[base + m];
    }
    return Float64Array.from(placeOf, (place) => noise[place]);
  };

  /** G is lower triangular with ones on its diagonal: G⁻¹ Tᵀ is the factor of S, up to signs. */
  readonly inOrder = (): Conditionals => {
    const { offsets, data } = this.#factor;
    const roots = this.#white.map((_, j) => 1 / data[offsets[j]]);
    return {
      standardised: this.#white.map((white, j) => roots[j] < 0 ? -white : white),
      roots: roots.map(Math.abs),
    };
  };

  /** G x. */
  #differences(x: Float64Array): Float64Array {
    return x.map((_, i) =>
      this.#weights.reduce((sum, w, k) => i >= k ? sum + w * x[i - k] : sum, 0)
    );
  }

  /** Gᵀ x. */
  #transposedDifferences(x: Float64Array): Float64Array {
    return x.map((_, i) =>
      this.#weights.reduce((sum, w, k) => i + k < x.length ? sum + w * x[i + k] : sum, 0)
    );
  }

  /** T⁻ᵀ G e_i into zeros; returns where it ends. */
  #writeColumn(i: number, x: Float64Array): number {
    this.#weights.forEach((w, k) => {
      if (i + k < x.length) x[i + k] = w;
    });
    return this.#solve(x, i);
  }

  /**
   * Solves Tᵀ x = b in place; b is zero before `begin`. Returns where it becomes next to nothing: behind all
   * elements that what is more reaches, for a far row may share more than those between.
   */
  #solve(x: Float64Array, begin: number): number {
    const { offsets, last, data } = this.#factor;
    const own = begin + this.#weights.length;
    let sum = 0;
    let reach = begin;
    let [affected, written] = [begin, begin];
    for (let j = begin; j < x.length; j++) {
      const value = x[j] /= data[offsets[j]];
      sum += value * value;
      const at = offsets[j] - j;
      for (let k = j + 1; k <= last[j]; k++) x[k] -= data[at + k] * value;
      if (begin === 0) continue;
      const isMore = value * value > leastShare * sum;
      if (isMore && last[j] > affected) affected = last[j];
      if (last[j] > written) written = last[j];
      if (j < own) continue;
      if (isMore) reach = j;
      else if (j >= affected && j - reach > last[j] - j + this.#weights.length) {
        x.fill(0, j + 1, written + 1);
        return j + 1;
      }
    }
    return x.length;
  }

  /** Solves T x = b in place. */
  #solveTransposed(x: Float64Array): void {
    const { offsets, last, data } = this.#factor;
    for (let j = x.length - 1; j >= 0; j--) {
      const at = offsets[j] - j;
      for (let k = j + 1; k <= last[j]; k++) x[j] -= data[at + k] * x[k];
      x[j] /= data[offsets[j]];
    }
  }
}
