/** R-hat up to which chains count as mixed, few draws or many. */
import { log } from "../../numerics/math/mod.ts";
import { thresholds } from "./thresholds.ts";

/**
 * R-hat that few draws may have where `limit` is what many should come to: the limit itself in up to
 * 20 coordinates. Squared, it grows with the largest of as many variances between chains, and that
 * with the logarithm of how many there are: for 1.05, 1.06 in 100 and 1.08 in 1,000.
 */
export function rhatOfFewDraws(limit: number, dimension: number): number {
  const { rhatGrowth, rhatDimension } = thresholds;
  return 1 + (limit - 1) * Math.max(1, 1 + rhatGrowth * log(dimension / rhatDimension));
}
