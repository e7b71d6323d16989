/** Further families on the real line: Laplace, logistic, Gumbel and the skew normal. */
import { exp, log, log1p, sigmoid } from "../../math/elementary.ts";
import { logNormalCdf, logNormalCdfSlope } from "../../math/normal.ts";
import { sumOfLogs } from "../log_sum.ts";
import type { FamilyRule, FamilyTerm } from "../term.ts";
import { halfLog2Pi } from "./normal.ts";

const log2 = 0.6931471805599453;

/** The normaliser −log scale − `constant` of a location–scale family. */
function locationScale(constant: number): FamilyRule["normaliser"] {
  return (_location, scale, _c, _d, slope) => {
    slope[1] = 0;
    slope[2] = -1 / scale;
    slope[3] = 0;
    return scale > 0 ? -log(scale) - constant : -Infinity;
  };
}

/** Writes slopes by value, location and scale from the slope by z = (x − location) / scale. */
function slopesFromZ(byZ: number, z: number, scale: number, slope: Float64Array): void {
  slope[0] = byZ / scale;
  slope[1] = -slope[0];
  slope[2] = -z * slope[0];
}

/** (mu, b). */
export const laplace: FamilyRule = {
  normaliser: locationScale(log2),
  kernel(x, mu, b, _c, _d, slope) {
    const z = (x - mu) / b;
    slopesFromZ(-Math.sign(z), z, b, slope);
    return -Math.abs(z);
  },
};

/** (mu, s). */
export const logistic: FamilyRule = {
  normaliser: locationScale(0),
  kernel(x, mu, s, _c, _d, slope) {
    const z = (x - mu) / s;
    const size = Math.abs(z);
    slopesFromZ(1 - 2 * sigmoid(z), z, s, slope);
    return -size - 2 * log1p(exp(-size));
  },
  column: logisticColumn,
};

/** Factors 1 + e^−|z| of all rows. */
let factors = new Float64Array(64);

/** One exponential per row and one logarithm per block; the order of sums is by parity of rows. */
function logisticColumn(m: Float64Array, g: Float64Array, term: FamilyTerm): number {
  const { n, x, p0, mask0, free0, p1, mask1, free1 } = term;
  if (factors.length < n) factors = new Float64Array(2 * n);
  const logScales = mask1 === 0 ? n * log(m[p1]) : sumOfLogs(m, n, p1);
  let inverse = 1 / m[p1];
  let [sizes, location, scale] = [0, 0, 0];
  let [otherSizes, otherLocation, otherScale] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    if (mask1 !== 0) inverse = 1 / m[p1 + i];
    const z = (m[x + i] - m[p0 + (i & mask0)]) * inverse;
    const size = Math.abs(z);
    const e = exp(-size);
    const factor = 1 + e;
    factors[i] = factor;
    const t = (1 - e) / factor;
    const pull = (z < 0 ? -t : t) * inverse;
    const stretch = (size * t - 1) * inverse;
    if (free0 && mask0 !== 0) g[p0 + i] += pull;
    if (free1 && mask1 !== 0) g[p1 + i] += stretch;
    [sizes, otherSizes] = [otherSizes, sizes + size];
    [location, otherLocation] = [otherLocation, location + pull];
    [scale, otherScale] = [otherScale, scale + stretch];
  }
  if (free0 && mask0 === 0) g[p0] += location + otherLocation;
  if (free1 && mask1 === 0) g[p1] += scale + otherScale;
  return -(sizes + otherSizes) - 2 * sumOfLogs(factors, n, 0) - logScales;
}

/** (mu, beta): the law of maxima. */
export const gumbel: FamilyRule = {
  normaliser: locationScale(0),
  kernel(x, mu, beta, _c, _d, slope) {
    const z = (x - mu) / beta;
    const tail = exp(-z);
    slopesFromZ(tail - 1, z, beta, slope);
    return -z - tail;
  },
};

/** (mu, sigma, alpha): density 2 φ(z) Φ(αz) / σ (Azzalini 1985). */
export const skewNormal: FamilyRule = {
  normaliser: locationScale(halfLog2Pi - log2),
  kernel(x, mu, sigma, alpha, _d, slope) {
    const z = (x - mu) / sigma;
    const t = alpha * z;
    const hazard = logNormalCdfSlope(t);
    slopesFromZ(alpha * hazard - z, z, sigma, slope);
    slope[3] = z * hazard;
    return -0.5 * z * z + logNormalCdf(t);
  },
};
