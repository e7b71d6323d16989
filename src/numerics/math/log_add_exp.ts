/** The sum of two numbers that are known by their logarithms. */
import { exp, log1p } from "./elementary.ts";

/**
 * log (e^a + e^b); either may be −Infinity.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { logAddExp } from "./log_add_exp.ts";
 * assert(Math.abs(logAddExp(0, 0) - Math.LN2) < 1e-14);
 * assert.equal(logAddExp(-Infinity, 3), 3);
 * ```
 */
export function logAddExp(a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return low === -Infinity ? high : high + log1p(exp(low - high));
}
