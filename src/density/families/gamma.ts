/** Gamma, inverse gamma, exponential and Weibull. */
import { exp, log } from "../../math/elementary.ts";
import { digamma, lgamma } from "../../math/gamma.ts";
import { sumOfLogs } from "../log_sum.ts";
import { sumOf } from "../accumulate.ts";
import type { FamilyRule, FamilyTerm } from "../term.ts";

/** α log β − lgamma(α), with slopes. */
function gammaNormaliser(alpha: number, beta: number, slope: Float64Array): number {
  if (!(alpha > 0 && beta > 0)) return -Infinity;
  const logBeta = log(beta);
  slope[1] = logBeta - digamma(alpha);
  slope[2] = alpha / beta;
  return alpha * logBeta - lgamma(alpha);
}

/** (alpha, beta): shape and rate, x >= 0. At 0 only alpha = 1 has a density (as PyMC's logpow). */
export const gamma: FamilyRule = {
  normaliser: (alpha, beta, _c, _d, slope) => gammaNormaliser(alpha, beta, slope),
  kernel(x, alpha, beta, _c, _d, slope) {
    const logX = x === 0 && alpha === 1 ? 0 : log(x);
    slope[0] = (alpha - 1) / x - beta;
    slope[1] = logX;
    slope[2] = -x;
    return x > 0 || logX === 0 ? (alpha - 1) * logX - beta * x : -Infinity;
  },
  usesLogValue: true,
  column: gammaColumn,
};

/** Shape without rows; rate with or without. Any other case goes row by row. */
function gammaColumn(m: Float64Array, g: Float64Array, term: FamilyTerm): number {
  const { n, x, logX, p0, mask0, free0, p1, mask1, free1 } = term;
  let logShapes = 0;
  let weighted = 0;
  let rateSum = 0;
  const shape = m[p0];
  const logs = sumOf(m, n, logX);
  const logRates = mask1 === 0 ? n * log(m[p1]) : sumOfLogs(m, n, p1);
  for (let i = 0; i < n; i++) {
    const alpha = m[p0 + (i & mask0)];
    const beta = m[p1 + (i & mask1)];
    weighted += beta * m[x + i];
    const slope = alpha / beta - m[x + i];
    if (free1 && mask1 !== 0) g[p1 + i] += slope;
    rateSum += slope;
    if (mask0 !== 0) logShapes += gammaShapeRow(m, g, term, i);
  }
  if (free1 && mask1 === 0) g[p1] += rateSum;
  if (mask0 !== 0) return logShapes - weighted - logs;
  if (!(shape > 0)) return -Infinity;
  if (free0) g[p0] += logRates - n * digamma(shape) + logs;
  return shape * logRates - n * lgamma(shape) + (shape - 1) * logs - weighted;
}

/** α log(βx) − lgamma(α) of one row, with the adjoint of a shape per row. */
function gammaShapeRow(m: Float64Array, g: Float64Array, term: FamilyTerm, i: number): number {
  const alpha = m[term.p0 + i];
  const beta = m[term.p1 + (i & term.mask1)];
  if (!(alpha > 0 && beta > 0)) return NaN;
  const logRatio = log(beta) + m[term.logX + i];
  if (term.free0) g[term.p0 + i] += logRatio - digamma(alpha);
  return alpha * logRatio - lgamma(alpha);
}

/** (alpha, beta): shape and scale, x > 0. */
export const inverseGamma: FamilyRule = {
  normaliser: (alpha, beta, _c, _d, slope) => gammaNormaliser(alpha, beta, slope),
  kernel(x, alpha, beta, _c, _d, slope) {
    const logX = log(x);
    slope[0] = (beta / x - (alpha + 1)) / x;
    slope[1] = -logX;
    slope[2] = -1 / x;
    return x > 0 ? -(alpha + 1) * logX - beta / x : -Infinity;
  },
};

/** (lam): rate, x >= 0. */
export const exponential: FamilyRule = {
  normaliser(lam, _b, _c, _d, slope) {
    slope[1] = 1 / lam;
    return lam > 0 ? log(lam) : -Infinity;
  },
  kernel(x, lam, _b, _c, _d, slope) {
    slope[0] = -lam;
    slope[1] = -x;
    return x >= 0 ? -lam * x : -Infinity;
  },
};

/** (alpha, beta): shape and scale, x >= 0. At 0 only alpha = 1 has a density. */
export const weibull: FamilyRule = {
  normaliser(alpha, beta, _c, _d, slope) {
    slope[1] = 1 / alpha;
    slope[2] = -1 / beta;
    return alpha > 0 && beta > 0 ? log(alpha) - log(beta) : -Infinity;
  },
  kernel(x, alpha, beta, _c, _d, slope) {
    if (!(x > 0)) return weibullAtZero(x, alpha, beta, slope);
    const logRatio = log(x / beta);
    const power = exp(alpha * logRatio);
    const pull = (alpha - 1 - alpha * power) / x;
    slope[0] = pull;
    slope[1] = logRatio - power * logRatio;
    slope[2] = -pull * x / beta;
    return (alpha - 1) * logRatio - power;
  },
};

function weibullAtZero(x: number, alpha: number, beta: number, slope: Float64Array): number {
  slope[0] = -1 / beta;
  slope[1] = 0;
  slope[2] = 0;
  return x === 0 && alpha === 1 ? 0 : -Infinity;
}
