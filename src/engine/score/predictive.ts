/** Posterior predictive checks and leave-one-out PIT values of a fit. */
import { observedValues } from "../inference/density/recorded_cells.ts";
import { exp, normalCdf } from "../../numerics/math/mod.ts";
import { families } from "../language/distributions/table.ts";
import { sizeOf } from "../language/ir/shape.ts";
import { looPit, predictiveChecks } from "../inference/predict/checks.ts";
import { type ParameterDraws, replicate } from "../inference/predict/draws.ts";
import type { Predictive } from "./execution/execution.ts";
import type { SampledFit } from "./fit.ts";
import { constrainedDraws } from "./summaries.ts";

/** Draws that averages of smooth functions of few coordinates need: a percent of their spread. */
const enoughDraws = 256;

/** Draws of the parameters, each `[draws, …shape]`: the first of the posterior's quantities. */
export function parameterDraws(fit: SampledFit): ParameterDraws {
  const { density, chainSet } = fit.sampled;
  const columns = constrainedDraws(density, chainSet);
  let at = 0;
  const parameters = fit.program.parameters.map(({ shape }) => {
    const size = sizeOf(shape);
    const own = interleaved(columns.slice(at, at + size));
    at += size;
    return own;
  });
  return { draws: chainSet.chains * chainSet.draws, parameters };
}

/** Columns `[size][draws]` as one array `[draws, size]`. */
export function interleaved(columns: readonly Float64Array[]): Float64Array {
  const size = columns.length;
  const draws = columns[0]?.length ?? 0;
  const out = new Float64Array(size * draws);
  for (const [k, column] of columns.entries()) {
    for (let s = 0; s < draws; s++) out[s * size + k] = column[s];
  }
  return out;
}

/**
 * Checks of a fit. PIT values use the importance weights of cross-validation; where a latent was
 * integrated out, it is drawn again from its prior, for without its observation it follows the
 * prior. Groups have no PIT value, for their responses are vectors; nor have observations that
 * share a discrete variable, whose draws know all of them.
 */
export function predictiveOf(fit: SampledFit): Predictive {
  const { program, dataset, estimate, sampled, units, latent } = fit;
  const response = observedValues(program, dataset);
  const posterior = parameterDraws(fit);
  const key = ["checks", program.hash, dataset.digest];
  const replicated = replicate(program, dataset, posterior, { key });
  const discrete = families[program.likelihood.distribution.family].discrete;
  const checks = predictiveChecks(response, replicated, discrete);
  const scalar = estimate.elpdPointwise.length === response.length;
  const factorises = sampled.density.factorises !== false;
  if (units.unit === "group" || !scalar) return { looPit: [], checks };
  if (!sampled.psis) return { looPit: [...normalPit(fit)], checks };
  if (!factorises) return { looPit: [], checks };
  const loose = latent === undefined
    ? replicated
    : replicate(program, dataset, posterior, { key: [...key, "loo"], redraw: latent });
  const { psis } = sampled;
  const pit = looPit(response, loose, (i) => psis.weights(i));
  return { looPit: [...pit], checks };
}

/**
 * Where linear latents were integrated out: Φ((y_i − E) / sd) of the normal distribution of a row given
 * the others, averaged over what remains with weights 1 / L_i.
 */
function normalPit({ estimate, sampled: { chainSet } }: SampledFit): Float64Array {
  const { posterior } = estimate.closedForm!;
  const n = posterior.observations;
  const [below, weights] = [new Float64Array(n), new Float64Array(n)];
  const [terms, scores] = [new Float64Array(n), new Float64Array(n)];
  const at = new Float64Array(posterior.dimension);
  const { positions, dimension } = chainSet;
  const count = posterior.dimension === 0 ? 1 : chainSet.chains * chainSet.draws;
  for (let s = 0; s < count; s += Math.ceil(count / enoughDraws)) {
    posterior.kept.forEach((k, i) => at[i] = positions[s * dimension + k]);
    posterior.logLikelihood(at, 0, terms, 0);
    posterior.standardised(at, 0, scores, 0);
    for (let i = 0; i < n; i++) {
      const weight = exp(estimate.elpdPointwise[i] - terms[i]);
      weights[i] += weight;
      below[i] += weight * normalCdf(scores[i]);
    }
  }
  return below.map((sum, i) => sum / weights[i]);
}
