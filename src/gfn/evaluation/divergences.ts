/** Divergences between two distributions over the same objects, from their log probabilities. */
import { exp, logAddExp } from "../../numerics/math/mod.ts";

/** All in nats except the total variation, which is in [0, 1]. */
export interface Divergences {
  /** ½ Σ |π − P|. */
  readonly totalVariation: number;
  /** Σ π log (π / P): large where the policy misses mass of the target. */
  readonly klTargetPolicy: number;
  /** Σ P log (P / π): large where the policy puts mass that the target has not. */
  readonly klPolicyTarget: number;
  /** ½ KL(π‖M) + ½ KL(P‖M), M = (π + P) / 2; at most log 2. Not its square root. */
  readonly jensenShannon: number;
  /** 1 − Σ P: mass of the policy outside of the enumerated objects. */
  readonly lostMass: number;
}

const logOf2 = 0.6931471805599453;

/** p (log p − log q), and 0 where p is 0. */
function term(logP: number, logQ: number): number {
  const p = exp(logP);
  return p === 0 ? 0 : p * (logP - logQ);
}

/**
 * Divergences of a policy from a target, exactly, from log π(x) and log P(x) of every object x.
 *
 * @param logTarget `[objects]`, normalised.
 * @param logPolicy `[objects]`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { log } from "../../numerics/math/elementary.ts";
 * import { divergences } from "./divergences.ts";
 * const { totalVariation } = divergences([0.5, 0.5].map(log), [0.75, 0.25].map(log));
 * assert.ok(Math.abs(totalVariation - 0.25) < 1e-15);
 * ```
 */
export function divergences(
  logTarget: ArrayLike<number>,
  logPolicy: ArrayLike<number>,
): Divergences {
  let [distance, mass, forward, reverse, jensenShannon] = [0, 0, 0, 0, 0];
  for (let i = 0; i < logTarget.length; i++) {
    const [a, b] = [logTarget[i], logPolicy[i]];
    const middle = logAddExp(a, b) - logOf2;
    distance += Math.abs(exp(a) - exp(b));
    mass += exp(b);
    forward += term(a, b);
    reverse += term(b, a);
    jensenShannon += (term(a, middle) + term(b, middle)) / 2;
  }
  return {
    totalVariation: distance / 2,
    klTargetPolicy: forward,
    klPolicyTarget: reverse,
    jensenShannon,
    lostMass: 1 - mass,
  };
}

/**
 * exp(−Σ p log p): how many equally likely objects would be as uncertain.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { effectiveNumber } from "./divergences.ts";
 * const even = new Float64Array(8).fill(Math.log(1 / 8));
 * assert(Math.abs(effectiveNumber(even) - 8) < 1e-12);
 * ```
 */
export function effectiveNumber(logP: ArrayLike<number>): number {
  let entropy = 0;
  for (let i = 0; i < logP.length; i++) entropy -= term(logP[i], 0);
  return exp(entropy);
}
