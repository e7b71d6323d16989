/** The eight schools posterior, not centred, written by hand (Rubin 1981; posteriordb). */
import { exp, log, log1p } from "../../../src/numerics/math/elementary.ts";
import type { LogDensity, PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { withMixture } from "./mixture_by_parts.ts";

const effects = [28, 8, -3, 7, -1, 1, 18, 12];
const errors = [15, 10, 16, 11, 9, 11, 10, 18];
const halfLog2Pi = 0.9189385332046727;
const logErrors = errors.map(Math.log);

/** log p(y_j | μ, τ), the z_j integrated out: Normal(μ, τ² + σ_j²). */
export function eightSchoolsMarginal(mu: number, tau: number): number[] {
  return effects.map((y, j) => {
    const variance = tau * tau + errors[j] * errors[j];
    return -halfLog2Pi - 0.5 * log(variance) - 0.5 * (y - mu) * (y - mu) / variance;
  });
}

/**
 * y_j ~ Normal(μ + τ z_j, σ_j); z_j ~ Normal(0, 1); μ ~ Normal(0, 5²); τ ~ HalfCauchy(5).
 * Position: μ, log τ, z_1 … z_8.
 */
export function eightSchoolsDensity(): PointwiseDensity {
  const target = (left: readonly number[]): LogDensity => ({
    dimension: 10,
    logDensity(q, g, o) {
      const mu = q[o];
      const tau = exp(q[o + 1]);
      const square = tau * tau / 25;
      let value = -mu * mu / 50 - log1p(square) + q[o + 1];
      g[o] = -mu / 25;
      g[o + 1] = 1 - 2 * square / (1 + square);
      for (let j = 0; j < 8; j++) {
        const z = q[o + 2 + j];
        value -= 0.5 * z * z;
        g[o + 2 + j] = -z;
        if (left.includes(j)) continue;
        const rest = (effects[j] - mu - tau * z) / errors[j];
        value -= 0.5 * rest * rest;
        g[o] += rest / errors[j];
        g[o + 1] += rest / errors[j] * tau * z;
        g[o + 2 + j] += rest / errors[j] * tau;
      }
      return value === value ? value : -Infinity;
    },
  });

  return withMixture({
    ...target([]),
    observations: 8,
    logLikelihood(q, o, out, outOffset) {
      const tau = exp(q[o + 1]);
      for (let j = 0; j < 8; j++) {
        const rest = (effects[j] - q[o] - tau * q[o + 2 + j]) / errors[j];
        out[outOffset + j] = -halfLog2Pi - logErrors[j] - 0.5 * rest * rest;
      }
    },
    without: target,
    latents: {
      offset: 2,
      elements: 8,
      elementOfRow: Int32Array.from(effects, (_, j) => j),
      logPrior(q, o, out, outOffset) {
        for (let j = 0; j < 8; j++) {
          const z = q[o + 2 + j];
          out[outOffset + j] = -halfLog2Pi - 0.5 * z * z;
        }
      },
      logJoint(q, o, out, outOffset) {
        const tau = exp(q[o + 1]);
        for (let j = 0; j < 8; j++) {
          const z = q[o + 2 + j];
          const rest = (effects[j] - q[o] - tau * z) / errors[j];
          out[outOffset + j] = -2 * halfLog2Pi - logErrors[j] - 0.5 * (rest * rest + z * z);
        }
      },
    },
    quantities: ["mu", "tau", ...effects.map((_, j) => `theta[${j}]`)],
    constrain(q, o, out, outOffset) {
      const tau = exp(q[o + 1]);
      out[outOffset] = q[o];
      out[outOffset + 1] = tau;
      for (let j = 0; j < 8; j++) out[outOffset + 2 + j] = q[o] + tau * q[o + 2 + j];
    },
  });
}
