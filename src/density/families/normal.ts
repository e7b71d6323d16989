/** Normal, half-normal and log-normal. */
import { log } from "../../math/elementary.ts";
import { sumOf } from "../accumulate.ts";
import { sumOfLogs } from "../log_sum.ts";
import type { FamilyRule, FamilyTerm } from "../term.ts";

/** ½ log 2π and ½ log(2 / π). */
export const halfLog2Pi = 0.9189385332046727;
const halfLog2OverPi = -0.22579135264472744;

/** (mu, sigma). */
export const normal: FamilyRule = {
  normaliser(_mu, sigma, _c, _d, slope) {
    slope[1] = 0;
    slope[2] = -1 / sigma;
    return sigma > 0 ? -log(sigma) - halfLog2Pi : -Infinity;
  },
  kernel(x, mu, sigma, _c, _d, slope) {
    const z = (x - mu) / sigma;
    const pull = z / sigma;
    slope[0] = -pull;
    slope[1] = pull;
    slope[2] = z * pull;
    return -0.5 * z * z;
  },
  column(m, g, term) {
    return term.mask1 === 0
      ? normalColumn(m, g, term, term.x, m[term.p1])
      : normalColumnScales(m, g, term, term.x);
  },
};

/** One scale for all rows: one division and one logarithm in total. */
function normalColumn(
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
  x: number,
  sigma: number,
): number {
  if (!(sigma > 0)) return -Infinity;
  const inverse = 1 / sigma;
  const squares = term.mask0 === 0
    ? squaresAroundScalar(m, g, term, x, inverse)
    : squaresAroundVector(m, g, term, x, inverse);
  if (term.free1) g[term.p1] += (squares - term.n) * inverse;
  return -0.5 * squares - term.n * (log(sigma) + halfLog2Pi);
}

function squaresAroundVector(
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
  x: number,
  inverse: number,
): number {
  const { n, p0, free0 } = term;
  const sink = free0 ? p0 : 0;
  const weight = free0 ? inverse : 0;
  let even = 0;
  let odd = 0;
  let i = 0;
  for (; i + 1 < n; i += 2) {
    const z0 = (m[x + i] - m[p0 + i]) * inverse;
    const z1 = (m[x + i + 1] - m[p0 + i + 1]) * inverse;
    even += z0 * z0;
    odd += z1 * z1;
    if (free0) {
      g[sink + i] += z0 * weight;
      g[sink + i + 1] += z1 * weight;
    }
  }
  if (i < n) {
    const z = (m[x + i] - m[p0 + i]) * inverse;
    even += z * z;
    if (free0) g[sink + i] += z * weight;
  }
  return even + odd;
}

function squaresAroundScalar(
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
  x: number,
  inverse: number,
): number {
  const { n, p0, free0 } = term;
  const mu = m[p0];
  let squares = 0;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const z = (m[x + i] - mu) * inverse;
    squares += z * z;
    sum += z;
  }
  if (free0) g[p0] += sum * inverse;
  return squares;
}

/** A scale per row: one division per row, one logarithm per block. */
function normalColumnScales(
  m: Float64Array,
  g: Float64Array,
  term: FamilyTerm,
  x: number,
): number {
  const { n, p0, mask0, free0, p1, free1 } = term;
  const logs = sumOfLogs(m, n, p1);
  let [squares, sum, otherSquares, otherSum] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const inverse = 1 / m[p1 + i];
    const z = (m[x + i] - m[p0 + (i & mask0)]) * inverse;
    const square = z * z;
    const pull = z * inverse;
    if (free0 && mask0 !== 0) g[p0 + i] += pull;
    if (free1) g[p1 + i] += (square - 1) * inverse;
    [squares, otherSquares] = [otherSquares, squares + square];
    [sum, otherSum] = [otherSum, sum + pull];
  }
  if (free0 && mask0 === 0) g[p0] += sum + otherSum;
  return -0.5 * (squares + otherSquares) - logs - n * halfLog2Pi;
}

/** (sigma), x >= 0. */
export const halfNormal: FamilyRule = {
  normaliser(sigma, _b, _c, _d, slope) {
    slope[1] = -1 / sigma;
    return sigma > 0 ? halfLog2OverPi - log(sigma) : -Infinity;
  },
  kernel(x, sigma, _b, _c, _d, slope) {
    const z = x / sigma;
    slope[0] = -z / sigma;
    slope[1] = z * z / sigma;
    return x >= 0 ? -0.5 * z * z : -Infinity;
  },
};

/** (mu, sigma) of the logarithm, x > 0. */
export const logNormal: FamilyRule = {
  normaliser: normal.normaliser,
  kernel(x, mu, sigma, _c, _d, slope) {
    const logX = log(x);
    const z = (logX - mu) / sigma;
    const pull = z / sigma;
    slope[0] = -(1 + pull) / x;
    slope[1] = pull;
    slope[2] = z * pull;
    return x > 0 ? -0.5 * z * z - logX : -Infinity;
  },
  usesLogValue: true,
  column(m, g, term) {
    const ofLog = term.mask1 === 0
      ? normalColumn(m, g, term, term.logX, m[term.p1])
      : normalColumnScales(m, g, term, term.logX);
    return ofLog - sumOf(m, term.n, term.logX);
  },
};
