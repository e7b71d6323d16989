/** Estimates the part of the best program's lead that is due to selection. */
import { normalQuantile, quantile } from "../numerics/math/mod.ts";

/** e^γ, by which the expected place of the largest of N draws lies beyond 1 / N. */
const beyond = 1.781072417990198;

/**
 * Nats that the best of N tries is expected to gain where there is nothing to be found: half the largest of N squares of
 * standard normal draws, the gain in log likelihood of one learnt number per try (Wilks 1938).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { searchBias } from "./winner.ts";
 * assert.equal(searchBias(1), 0);
 * assert.ok(Math.abs(searchBias(1000) - 5.95) < 0.05);
 * ```
 */
export function searchBias(tries: number): number {
  if (tries < 2) return 0;
  return 0.5 * normalQuantile(1 - 1 / (2 * beyond * tries)) ** 2;
}

/** A lead, and its expectation by chance alone. Nats. */
interface Lead {
  /** ELPD of the best program less that of the median one. */
  readonly lead: number;
  /** Expected difference if all programs predicted equally well. */
  readonly byChance: number;
}

/**
 * The difference that the best of K programs has to the median by chance alone: the expected largest
 * of K draws of a normal distribution whose standard deviation is that of the upper half (McLatchie
 * and Vehtari 2024, arXiv:2309.03742, as in `loo_compare` of the R package loo). A lead
 * below it is no sign that the best program is better than others.
 *
 * @param elpd `[programs]`.
 */
export function leadByChance(elpd: Float64Array): Lead {
  const sorted = elpd.slice().sort();
  const median = quantile(sorted, 0.5);
  const lead = sorted[sorted.length - 1] - median;
  const others = sorted.length - 1;
  if (others < 1) return { lead: 0, byChance: 0 };
  const upper = sorted.filter((one) => one >= median);
  const square = upper.reduce((sum, one) => sum + (one - median) ** 2, 0) / upper.length;
  const byChance = Math.max(0, normalQuantile(1 - 1 / (2 * others))) * Math.sqrt(square);
  return { lead, byChance };
}
