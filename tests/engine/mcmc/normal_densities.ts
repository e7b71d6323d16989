/** Posteriors with known answers: a correlated normal, and the mean of normal observations. */
import { log } from "../../../src/numerics/math/elementary.ts";
import type { LogDensity, PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { withMixture } from "./mixture_by_parts.ts";

/**
 * A normal distribution with means 1, 2, …, standard deviations 1, 2, … and correlation ρ^|i − j|
 * between coordinates: the stationary autoregression, whose inverse covariance has three diagonals.
 */
export function correlatedNormal(dimension: number, rho: number): LogDensity {
  const scaled = new Float64Array(dimension);
  const inner = 1 / (1 - rho * rho);
  return {
    dimension,
    logDensity(q, g, o) {
      for (let i = 0; i < dimension; i++) scaled[i] = (q[o + i] - i - 1) / (i + 1);
      let value = 0;
      for (let i = 0; i < dimension; i++) {
        const ends = (i === 0 ? 1 : 0) + (i === dimension - 1 ? 1 : 0);
        let product = scaled[i] * (ends === 2 ? 1 : ends === 1 ? inner : inner * (1 + rho * rho));
        if (i > 0) product -= rho * inner * scaled[i - 1];
        if (i < dimension - 1) product -= rho * inner * scaled[i + 1];
        value -= 0.5 * scaled[i] * product;
        g[o + i] = -product / (i + 1);
      }
      return value;
    },
  };
}

/** y_i ~ Normal(μ, 1); μ ~ Normal(0, 10²). */
export function normalMeanDensity(y: readonly number[]): PointwiseDensity {
  const target = (left: readonly number[]): LogDensity => ({
    dimension: 1,
    logDensity(q, g, o) {
      const mu = q[o];
      let value = -mu * mu / 200;
      g[o] = -mu / 100;
      for (let i = 0; i < y.length; i++) {
        if (left.includes(i)) continue;
        value -= 0.5 * (y[i] - mu) * (y[i] - mu);
        g[o] += y[i] - mu;
      }
      return value;
    },
  });
  return withMixture({
    ...target([]),
    observations: y.length,
    logLikelihood(q, o, out, outOffset) {
      for (let i = 0; i < y.length; i++) {
        out[outOffset + i] = -0.9189385332046727 - 0.5 * (y[i] - q[o]) * (y[i] - q[o]);
      }
    },
    without: target,
    quantities: ["mu"],
    constrain(q, o, out, outOffset) {
      out[outOffset] = q[o];
    },
  });
}

/** The exact log p(y_i | y_-i) of `normalMeanDensity`. */
export function exactNormalElpd(y: readonly number[]): number[] {
  return y.map((yi, i) => {
    const rest = y.filter((_, j) => j !== i);
    const variance = 1 / (rest.length + 0.01);
    const mean = rest.reduce((a, b) => a + b, 0) * variance;
    const total = 1 + variance;
    return -0.9189385332046727 - 0.5 * log(total) - 0.5 * (yi - mean) * (yi - mean) / total;
  });
}
