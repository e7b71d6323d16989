/** Student's t and the Cauchy law, which is t with one degree of freedom; and their halves. */
import { log, log1p } from "../../math/elementary.ts";
import { digamma, lgamma } from "../../math/gamma.ts";
import { sumOfLogs } from "../log_sum.ts";
import type { FamilyRule, FamilyTerm } from "../term.ts";

const log2 = 0.6931471805599453;
export const logPi = 1.1447298858494002;

/** (nu, mu, sigma). */
export const studentT: FamilyRule = {
  normaliser(nu, _mu, sigma, _d, slope) {
    slope[2] = 0;
    slope[3] = -1 / sigma;
    return sigma > 0 ? shapeNormaliser(nu, slope, 1) - log(sigma) : -Infinity;
  },
  kernel(x, nu, mu, sigma, _d, slope) {
    const z = (x - mu) / sigma;
    const value = tailKernel(z, nu, slope);
    const pull = -slope[0] / sigma;
    slope[0] = -pull;
    slope[1] = slope[4];
    slope[2] = pull;
    slope[3] = z * pull;
    return value;
  },
  column: (m, g, term) => studentColumn(m, g, term, m[term.p0]),
};

/** lgamma((ν+1)/2) − lgamma(ν/2) − ½ log νπ, and its slope in `slope[at]`. */
function shapeNormaliser(nu: number, slope: Float64Array, at: number): number {
  if (!(nu > 0)) return -Infinity;
  slope[at] = 0.5 * (digamma((nu + 1) / 2) - digamma(nu / 2) - 1 / nu);
  return lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * (log(nu) + logPi);
}

/** −(ν+1)/2 · log(1 + z²/ν); slopes by z in `slope[0]` and by ν in `slope[4]`. */
function tailKernel(z: number, nu: number, slope: Float64Array): number {
  const u = z * z / nu;
  const logTail = log1p(u);
  slope[0] = -(nu + 1) * z / (nu + z * z);
  slope[4] = 0.5 * ((nu + 1) * u / (nu + z * z) - logTail);
  return -0.5 * (nu + 1) * logTail;
}

const scratch = new Float64Array(5);
/** Factors 1 + z²/ν of one block of rows, for one logarithm per block. */
let factors = new Float64Array(64);

/** Degrees of freedom and scale without rows, location with or without. */
function studentColumn(m: Float64Array, g: Float64Array, term: FamilyTerm, nu: number): number {
  if (term.mask0 !== 0) return studentColumnGeneral(m, g, term);
  if (!(nu > 0)) return -Infinity;
  const shape = term.free0 ? shapeNormaliser(nu, scratch, 1) : fixedShape(nu);
  if (factors.length < term.n) factors = new Float64Array(2 * term.n);
  const scales = term.mask2 === 0 ? term.n * log(m[term.p2]) : sumOfLogs(m, term.n, term.p2);
  const pulls = addStudentAdjoints(m, g, term, nu);
  const logTails = sumOfLogs(factors, term.n, 0);
  if (term.free0) {
    g[term.p0] += term.n * scratch[1] + 0.5 * ((nu + 1) * pulls / nu - logTails);
  }
  return term.n * shape - scales - 0.5 * (nu + 1) * logTails;
}

let fixedNu = NaN;
let fixedShapeValue = NaN;

/** The normaliser of constant degrees of freedom, remembered from the last call. */
export function fixedShape(nu: number): number {
  if (nu !== fixedNu) [fixedNu, fixedShapeValue] = [nu, shapeNormaliser(nu, scratch, 1)];
  return fixedShapeValue;
}

/** Fills `factors`, adds adjoints of location and scale, returns the sum of z² / (ν + z²). */
function addStudentAdjoints(
  m: Float64Array,
  g: Float64Array,
  { n, x, p1, mask1, free1, p2, mask2, free2 }: FamilyTerm,
  nu: number,
): number {
  let inverse = 1 / m[p2];
  // Sums over rows of the parity of i, and over the others.
  let [location, scale, shares] = [0, 0, 0];
  let [otherLocation, otherScale, otherShares] = [0, 0, 0];
  const inverseNu = 1 / nu;
  for (let i = 0; i < n; i++) {
    if (mask2 !== 0) inverse = 1 / m[p2 + i];
    const z = (m[x + i] - m[p1 + (i & mask1)]) * inverse;
    const factor = 1 + z * z * inverseNu;
    factors[i] = factor;
    const ratio = z * inverseNu / factor;
    const share = z * ratio;
    const pull = (nu + 1) * ratio * inverse;
    const stretch = ((nu + 1) * share - 1) * inverse;
    if (free1 && mask1 !== 0) g[p1 + i] += pull;
    if (free2 && mask2 !== 0) g[p2 + i] += stretch;
    [shares, otherShares] = [otherShares, shares + share];
    [location, otherLocation] = [otherLocation, location + pull];
    [scale, otherScale] = [otherScale, scale + stretch];
  }
  if (free1 && mask1 === 0) g[p1] += location + otherLocation;
  if (free2 && mask2 === 0) g[p2] += scale + otherScale;
  return shares + otherShares;
}

/** Degrees of freedom per row: rare, so row by row. */
function studentColumnGeneral(m: Float64Array, g: Float64Array, term: FamilyTerm): number {
  let total = 0;
  for (let i = 0; i < term.n; i++) {
    const nu = term.p0 + (i & term.mask0);
    const mu = term.p1 + (i & term.mask1);
    const sigma = term.p2 + (i & term.mask2);
    total += studentT.normaliser(m[nu], m[mu], m[sigma], 0, scratch);
    if (term.free0) g[nu] += scratch[1];
    if (term.free2) g[sigma] += scratch[3];
    total += studentT.kernel(m[term.x + i], m[nu], m[mu], m[sigma], 0, scratch);
    if (term.free0) g[nu] += scratch[1];
    if (term.free1) g[mu] += scratch[2];
    if (term.free2) g[sigma] += scratch[3];
  }
  return total;
}

/** (nu, sigma), x >= 0. */
export const halfStudentT: FamilyRule = {
  normaliser(nu, sigma, _c, _d, slope) {
    slope[2] = -1 / sigma;
    return sigma > 0 ? log2 + shapeNormaliser(nu, slope, 1) - log(sigma) : -Infinity;
  },
  kernel(x, nu, sigma, _c, _d, slope) {
    const z = x / sigma;
    const value = tailKernel(z, nu, slope);
    slope[0] /= sigma;
    slope[1] = slope[4];
    slope[2] = -z * slope[0];
    return x >= 0 ? value : -Infinity;
  },
};

/** (alpha, beta): location and scale. */
export const cauchy: FamilyRule = {
  normaliser(_alpha, beta, _c, _d, slope) {
    slope[1] = 0;
    slope[2] = -1 / beta;
    return beta > 0 ? -logPi - log(beta) : -Infinity;
  },
  kernel(x, alpha, beta, _c, _d, slope) {
    const z = (x - alpha) / beta;
    const pull = 2 * z / (1 + z * z) / beta;
    slope[0] = -pull;
    slope[1] = pull;
    slope[2] = z * pull;
    return -log1p(z * z);
  },
};

/** (beta), x >= 0. */
export const halfCauchy: FamilyRule = {
  normaliser(beta, _b, _c, _d, slope) {
    slope[1] = -1 / beta;
    return beta > 0 ? log2 - logPi - log(beta) : -Infinity;
  },
  kernel(x, beta, _b, _c, _d, slope) {
    const z = x / beta;
    slope[0] = -2 * z / (1 + z * z) / beta;
    slope[1] = -z * slope[0];
    return x >= 0 ? -log1p(z * z) : -Infinity;
  },
};
