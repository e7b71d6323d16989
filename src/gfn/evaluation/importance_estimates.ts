/** Estimates log Z, ELBO and EUBO gaps from samples, with their errors, where objects cannot be enumerated. */
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";

/** An estimate and its standard error. */
export interface Estimate {
  /** Estimate, in nats where it is of a logarithm. */
  readonly value: number;
  /** Monte Carlo standard error of `value`. */
  readonly mcse: number;
}

/** Estimates of a target from samples of a policy; ζ = log R + log P_B − log P_F, nats, and w = e^ζ. */
export interface ImportanceEstimates {
  /** log (1/n) Σ e^ζ; its error by the delta method. */
  readonly logZ: Estimate;
  /** (Σ w)² / Σ w², between 1 and n. */
  readonly ess: number;
  /** mean ζ, the evidence lower bound of log Z. */
  readonly elbo: Estimate;
  /** log Ẑ − mean ζ, an estimate of KL(P_F‖π P_B). */
  readonly elboGap: Estimate;
  /** Σ w ζ / Σ w − log Ẑ, the self-normalised estimate of KL(π P_B‖P_F): too small if ESS is. */
  readonly euboGap: Estimate;
}

/**
 * Estimates log Z, effective sample size and gaps from ζ of independent trajectories.
 *
 * @param zeta `[n]`: log R + log P_B − log P_F of trajectories drawn from the policy itself.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { importanceEstimates } from "./importance_estimates.ts";
 * const { logZ, ess, elboGap } = importanceEstimates([1.5, 1.5, 1.5, 1.5]);
 * assert.ok(Math.abs(logZ.value - 1.5) < 1e-12 && logZ.mcse < 1e-12);
 * assert.ok(Math.abs(ess - 4) < 1e-9 && Math.abs(elboGap.value) < 1e-12);
 * ```
 */
export function importanceEstimates(zeta: readonly number[]): ImportanceEstimates {
  const n = zeta.length;
  const total = logSumExp(zeta);
  const logZ = total - log(n);
  const ratios = zeta.map((one) => exp(one - logZ)); // w / mean w
  const weights = zeta.map((one) => exp(one - total));
  const mean = zeta.reduce((sum, x) => sum + x, 0) / n;
  const weighted = weights.reduce((sum, w, i) => sum + w * zeta[i], 0);
  // Influence of each sample on the estimates, to first order.
  const euboInfluence = ratios.map((w, i) => w * (zeta[i] - weighted) - (w - 1));
  const elboInfluence = ratios.map((w, i) => (w - 1) - (zeta[i] - mean));
  return {
    logZ: { value: logZ, mcse: standardError(ratios) },
    ess: 1 / weights.reduce((sum, w) => sum + w * w, 0),
    elbo: { value: mean, mcse: standardError(zeta) },
    elboGap: { value: logZ - mean, mcse: standardError(elboInfluence) },
    euboGap: { value: weighted - logZ, mcse: standardError(euboInfluence) },
  };
}

function standardError(values: readonly number[]): number {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  return n > 1 ? Math.sqrt(squares / (n - 1) / n) : Infinity;
}
