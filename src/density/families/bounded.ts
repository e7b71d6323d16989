/** Families on an interval: beta, uniform and the truncated normal. */
import { exp, log, log1p } from "../../math/elementary.ts";
import { digamma, lgamma } from "../../math/gamma.ts";
import { logNormalCdf, normalCdf } from "../../math/normal.ts";
import type { FamilyRule } from "../term.ts";
import { halfLog2Pi } from "./normal.ts";

/** (alpha, beta), 0 <= x <= 1. At an edge only a parameter of 1 has a density. */
export const beta: FamilyRule = {
  normaliser(a, b, _c, _d, slope) {
    if (!(a > 0 && b > 0)) return -Infinity;
    const digammaSum = digamma(a + b);
    slope[1] = digammaSum - digamma(a);
    slope[2] = digammaSum - digamma(b);
    return lgamma(a + b) - lgamma(a) - lgamma(b);
  },
  kernel(x, a, b, _c, _d, slope) {
    slope[1] = x === 0 && a === 1 ? 0 : log(x);
    slope[2] = x === 1 && b === 1 ? 0 : log1p(-x);
    slope[0] = (a === 1 ? 0 : (a - 1) / x) - (b === 1 ? 0 : (b - 1) / (1 - x));
    if (!(x >= 0 && x <= 1) || slope[1] === -Infinity || slope[2] === -Infinity) return -Infinity;
    return (a - 1) * slope[1] + (b - 1) * slope[2];
  },
};

/** (lower, upper), both included. */
export const uniform: FamilyRule = {
  normaliser(lower, upper, _c, _d, slope) {
    slope[1] = 1 / (upper - lower);
    slope[2] = -slope[1];
    return upper > lower ? -log(upper - lower) : -Infinity;
  },
  kernel(x, lower, upper, _c, _d, slope) {
    slope[0] = slope[1] = slope[2] = 0;
    return x >= lower && x <= upper ? 0 : -Infinity;
  },
};

/** (mu, sigma, lower, upper); a bound may be infinite. */
export const truncatedNormal: FamilyRule = {
  normaliser(mu, sigma, lower, upper, slope) {
    if (!(sigma > 0 && upper > lower)) return -Infinity;
    const a = (lower - mu) / sigma;
    const b = (upper - mu) / sigma;
    const logMass = logNormalInterval(a, b);
    const edgeA = edgeDensity(a, logMass);
    const edgeB = edgeDensity(b, logMass);
    slope[1] = (edgeB - edgeA) / sigma;
    slope[2] = ((edgeB === 0 ? 0 : b * edgeB) - (edgeA === 0 ? 0 : a * edgeA) - 1) / sigma;
    slope[3] = edgeA / sigma;
    slope[4] = -edgeB / sigma;
    return -log(sigma) - halfLog2Pi - logMass;
  },
  kernel(x, mu, sigma, lower, upper, slope) {
    const z = (x - mu) / sigma;
    const pull = z / sigma;
    slope[0] = -pull;
    slope[1] = pull;
    slope[2] = z * pull;
    slope[3] = slope[4] = 0;
    return x >= lower && x <= upper ? -0.5 * z * z : -Infinity;
  },
};

/** log(Φ(b) − Φ(a)) for a < b, taken on the side where nothing cancels. */
export function logNormalInterval(a: number, b: number): number {
  if (a > 0) return logNormalInterval(-b, -a);
  if (b > 0) return log1p(-(normalCdf(a) + normalCdf(-b)));
  const logUpper = logNormalCdf(b);
  return a === -Infinity ? logUpper : logUpper + log1p(-exp(logNormalCdf(a) - logUpper));
}

/** φ(z) over the mass between the bounds; zero at an infinite bound. */
function edgeDensity(z: number, logMass: number): number {
  return exp(-0.5 * z * z - halfLog2Pi - logMass);
}
