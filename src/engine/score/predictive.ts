/** Posterior predictive checks and leave-one-out PIT values of a fit. */
import { observedValues } from "../density/recorded_cells.ts";
import { families } from "../distributions/table.ts";
import { sizeOf } from "../ir/shape.ts";
import { looPit, predictiveChecks } from "../predict/checks.ts";
import { type ParameterDraws, replicate } from "../predict/draws.ts";
import type { Predictive } from "./execution.ts";
import type { SampledFit } from "./fit.ts";
import { constrainedDraws } from "./summaries.ts";

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
 * integrated out, it is drawn anew from its prior, for the observation that left out would not have
 * told it. Groups have no PIT value, for their responses are vectors; nor have observations that
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
  if (units.unit === "group" || !scalar || !factorises) return { looPit: [], checks };
  const loose = latent === undefined
    ? replicated
    : replicate(program, dataset, posterior, { key: [...key, "loo"], redraw: latent });
  const pit = looPit(response, loose, (i) => sampled.psis.weights(i));
  return { looPit: [...pit], checks };
}
