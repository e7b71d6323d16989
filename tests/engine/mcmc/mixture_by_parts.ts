/** Mixtures of hand-written posteriors: each component is evaluated by itself. */
import { exp } from "../../../src/numerics/math/elementary.ts";
import type {
  LogDensity,
  MixtureComponents,
  PointwiseDensity,
} from "../../../src/numerics/math/log_density.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";

/** A posterior whose mixtures are still to be written. */
export type WithoutMixture = Omit<PointwiseDensity, "mixture">;

/** Adds `mixture`: the gradient is the mean of the components' by their shares. */
export function withMixture(posterior: WithoutMixture): PointwiseDensity {
  return { ...posterior, mixture: (components) => mixtureOf(posterior, components) };
}

function mixtureOf(
  posterior: WithoutMixture,
  { whole, tempered, parts }: MixtureComponents,
): LogDensity {
  const { dimension, observations } = posterior;
  const all = Array.from({ length: observations }, (_, i) => i);
  const [prior, ...lacking] = [{ rows: all }, ...parts].map(({ rows }) => posterior.without(rows));
  const likelihood = new Float64Array(observations);
  const terms = new Float64Array(parts.length + 2);
  const part = new Float64Array(dimension);
  return {
    dimension,
    logDensity(q, g, o) {
      const value = posterior.logDensity(q, g, o);
      posterior.logLikelihood(q, o, likelihood, 0);
      terms[0] = whole;
      terms[1] = tempered.logWeight - tempered.power * likelihood.reduce((a, b) => a + b);
      parts.forEach(({ rows, logWeight }, u) => {
        terms[u + 2] = rows.reduce((rest, i) => rest - likelihood[i], logWeight);
      });
      const total = logSumExp(terms);
      const position = q.subarray(o, o + dimension);
      // The tempered posterior's gradient lies between the posterior's and the prior's.
      const heat = exp(terms[1] - total);
      const own = exp(terms[0] - total) + heat * (1 - tempered.power);
      const add = (density: LogDensity, share: number) => {
        density.logDensity(position, part, 0);
        for (let k = 0; k < dimension; k++) g[o + k] += share * part[k];
      };
      for (let k = 0; k < dimension; k++) g[o + k] *= own;
      add(prior, heat * tempered.power);
      lacking.forEach((one, u) => add(one, exp(terms[u + 2] - total)));
      return value + total;
    },
  };
}
