/** The evidence of a fit: log p(y), of recorded data by the cells that they were recorded in. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { exp, largest, log } from "../../numerics/math/mod.ts";
import type { Evidence } from "../loo/evidence.ts";
import type { Schedule } from "./execution/execution.ts";
import { type Fit, type FitFailure, type SampledFit, withChains } from "./fit.ts";

/** The evidence, or why there is none to rely on. */
type EvidenceFound =
  | { readonly kind: "evidence"; readonly evidence: Evidence }
  | FitFailure;

/**
 * log p(y) from importance draws, particles or quadrature, whichever scored the program. Of data that were recorded to a
 * step it is log P(every y_i in its cell) − n log step, so that no density between recorded values is paid: the posterior mean of
 * Π P_i / L_i times the evidence of densities. Yields every few dozen gradients.
 */
export function* evidenceOf(fit: Fit, schedule: Schedule): Generator<void, EvidenceFound> {
  const { evidence } = fit.estimate;
  if (!evidence) return refused("evidence/none", withoutWeights(fit), "rank it by ELPD-LOO");
  const sampled = yield* withChains(fit, schedule);
  if (sampled.kind === "failure") return sampled;
  const gain = gainOfCells(sampled);
  const found = {
    value: evidence.value + gain.value,
    error: Math.sqrt(evidence.error ** 2 + gain.error ** 2),
  };
  if (found.error <= schedule.maxMcse && Math.abs(found.value) < Infinity) {
    return { kind: "evidence", evidence: found };
  }
  const message =
    `The evidence ${found.value.toFixed(2)} is no estimate to rely on: its Monte Carlo ` +
    `error is ${found.error.toFixed(2)} nats, more than ${schedule.maxMcse}`;
  return refused(
    "evidence/mcse",
    message,
    "give scales and effects tighter priors, or raise max_mcse",
  );
}

function withoutWeights({ estimate: { method } }: Fit): string {
  return `The evidence of the program is not known: draws of ${method} do not tell it`;
}

function refused(code: string, message: string, hint: string): FitFailure {
  const diagnostic: Diagnostic = { code, severity: "error", message, hint };
  return { kind: "failure", diagnostic };
}

/** log of the posterior mean of Π P_i / L_i; 0 where data were not recorded to a step. */
function gainOfCells({ sampled: { density, chainSet, effective } }: SampledFit): Evidence {
  if (!density.logCells) return { value: 0, error: 0 };
  const { positions, dimension, chains, draws } = chainSet;
  const n = density.observations;
  const [cells, own] = [new Float64Array(n), new Float64Array(n)];
  const logs = Float64Array.from({ length: chains * draws }, (_, s) => {
    density.logCells!(positions, s * dimension, cells, 0);
    density.logLikelihood(positions, s * dimension, own, 0);
    return cells.reduce((sum, cell, i) => sum + cell - own[i], 0);
  });
  const top = largest(logs);
  const weights = logs.map((value) => exp(value - top));
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
  const variance = weights.reduce((sum, one) => sum + (one - mean) ** 2, 0) / weights.length;
  const count = Math.min(effective ?? Infinity, weights.length);
  return { value: top + log(mean), error: Math.sqrt(variance / count) / mean };
}
