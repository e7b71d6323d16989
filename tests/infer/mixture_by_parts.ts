/** Mixtures of hand-written posteriors: each component is evaluated by itself. */
import { exp } from "../../src/math/elementary.ts";
import type { LogDensity, PointwiseDensity } from "../../src/math/log_density.ts";
import { logSumExp } from "../../src/math/log_sum_exp.ts";

/** A posterior whose mixtures are still to be written. */
export type WithoutMixture = Omit<PointwiseDensity, "mixture">;

/** Adds `mixture`: the gradient is the mean of the components' by their shares. */
export function withMixture(posterior: WithoutMixture): PointwiseDensity {
  return { ...posterior, mixture: (weights) => mixtureOf(posterior, weights) };
}

function mixtureOf(posterior: WithoutMixture, weights: Float64Array): LogDensity {
  const { dimension, observations } = posterior;
  const parts = Array.from({ length: observations }, (_, u) => posterior.without([u]));
  const terms = new Float64Array(observations + 1);
  const part = new Float64Array(dimension);
  return {
    dimension,
    logDensity(q, g, o) {
      const value = posterior.logDensity(q, g, o);
      posterior.logLikelihood(q, o, terms, 1);
      for (let u = 0; u < observations; u++) terms[u + 1] = weights[u + 1] - terms[u + 1];
      terms[0] = weights[0];
      const total = logSumExp(terms);
      const position = q.subarray(o, o + dimension);
      const whole = exp(terms[0] - total);
      for (let k = 0; k < dimension; k++) g[o + k] *= whole;
      for (let u = 0; u < observations; u++) {
        const share = exp(terms[u + 1] - total);
        if (share === 0) continue;
        parts[u].logDensity(position, part, 0);
        for (let k = 0; k < dimension; k++) g[o + k] += share * part[k];
      }
      return value + total;
    },
  };
}
