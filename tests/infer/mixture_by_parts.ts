/** Mixtures of hand-written posteriors: each component is evaluated by itself. */
import { exp } from "../../src/math/elementary.ts";
import type { LogDensity, MixturePart, PointwiseDensity } from "../../src/math/log_density.ts";
import { logSumExp } from "../../src/math/log_sum_exp.ts";

/** A posterior whose mixtures are still to be written. */
export type WithoutMixture = Omit<PointwiseDensity, "mixture">;

/** Adds `mixture`: the gradient is the mean of the components' by their shares. */
export function withMixture(posterior: WithoutMixture): PointwiseDensity {
  return { ...posterior, mixture: (whole, parts) => mixtureOf(posterior, whole, parts) };
}

function mixtureOf(
  posterior: WithoutMixture,
  whole: number,
  parts: readonly MixturePart[],
): LogDensity {
  const { dimension, observations } = posterior;
  const lacking = parts.map(({ rows }) => posterior.without(rows));
  const likelihood = new Float64Array(observations);
  const terms = new Float64Array(parts.length + 1);
  const part = new Float64Array(dimension);
  return {
    dimension,
    logDensity(q, g, o) {
      const value = posterior.logDensity(q, g, o);
      posterior.logLikelihood(q, o, likelihood, 0);
      terms[0] = whole;
      parts.forEach(({ rows, logWeight }, u) => {
        terms[u + 1] = rows.reduce((rest, i) => rest - likelihood[i], logWeight);
      });
      const total = logSumExp(terms);
      const position = q.subarray(o, o + dimension);
      for (let k = 0; k < dimension; k++) g[o + k] *= exp(terms[0] - total);
      lacking.forEach((one, u) => {
        const share = exp(terms[u + 1] - total);
        one.logDensity(position, part, 0);
        for (let k = 0; k < dimension; k++) g[o + k] += share * part[k];
      });
      return value + total;
    },
  };
}
