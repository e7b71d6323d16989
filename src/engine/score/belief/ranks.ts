/** Kolmogorov's test of the ranks of simulated values, which reads no program. */
import { exp } from "../../../numerics/math/mod.ts";

/** Ranks of simulated values among the draws of the posterior, as shares, by quantity `[draws]`. */
export type Ranks = ReadonlyMap<string, readonly number[]>;

/** Result of calibration. */
export interface Calibration {
  /** Least p-value of all quantities, times how many there are; at most 1. */
  readonly p: number;
  /** The quantity that it is of. */
  readonly worst: string;
  /** Ranks that were tested. */
  readonly ranks: Ranks;
}

/**
 * Kolmogorov's test of the ranks of all transcripts.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { calibrationOf } from "./ranks.ts";
 * const even = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100);
 * const { p, worst } = calibrationOf(new Map([["good", even], ["bad", even.map((one) => one / 2)]]));
 * assert.equal(worst, "bad");
 * assert(p < 1e-4);
 * ```
 */
export function calibrationOf(ranks: Ranks): Calibration {
  const found = [...ranks].map(([name, shares]) => ({ name, p: uniformity(shares) }));
  const worst = found.reduce((least, one) => one.p < least.p ? one : least);
  return { p: Math.min(1, worst.p * found.length), worst: worst.name, ranks };
}

/** p-value of Kolmogorov's test that shares are uniform, by an approximation in the number of shares. */
function uniformity(shares: readonly number[]): number {
  const sorted = shares.toSorted((a, b) => a - b);
  const n = sorted.length;
  const distance = sorted.reduce(
    (most, x, i) => Math.max(most, (i + 1) / n - x, x - i / n),
    0,
  );
  const root = Math.sqrt(n);
  return kolmogorov((root + 0.12 + 0.11 / root) * distance);
}

/** P(K > x) of Kolmogorov's distribution. */
function kolmogorov(x: number): number {
  if (x < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k++) {
    const term = exp(-2 * k * k * x * x);
    sum += k % 2 === 1 ? term : -term;
    if (term < 1e-12) break;
  }
  return Math.min(1, Math.max(0, 2 * sum));
}
