/** The mass of the standard normal distribution between two numbers. */
import { log, log1p } from "./elementary.ts";
import { log1mexp } from "./log1mexp.ts";
import { logNormalCdf } from "./normal.ts";

const halfLog2Pi = 0.9189385332046727;
/** Width, times one more than the distance from 0, below which the series has 12 digits. */
const narrow = 1e-3;

/**
 * log(Φ(high) − Φ(low)) for low ≤ high, on the side of the smaller tail; of narrow intervals by the
 * density at their centre and its second derivative, where the difference would have lost its digits.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logNormalInterval } from "./normal_interval.ts";
 * assert.ok(Math.abs(logNormalInterval(-1, 1) + 0.38171514630212616) < 1e-15);
 * ```
 */
export function logNormalInterval(low: number, high: number): number {
  if (low + high > 0) return logNormalInterval(-high, -low);
  const width = high - low;
  if (width * (1 - low) < narrow) {
    const z = 0.5 * (low + high);
    return log(width) - 0.5 * z * z - halfLog2Pi + log1p(width * width * (z * z - 1) / 24);
  }
  const larger = logNormalCdf(high);
  return larger + log1mexp(logNormalCdf(low) - larger);
}
