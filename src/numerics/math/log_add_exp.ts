/** The sum of two numbers that are known by their logarithms. */
import { exp, log1p } from "./elementary.ts";

/** log (e^a + e^b); either may be −Infinity. */
export function logAddExp(a: number, b: number): number {
  const [low, high] = a < b ? [a, b] : [b, a];
  return low === -Infinity ? high : high + log1p(exp(low - high));
}
