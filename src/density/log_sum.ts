/** Sums of logarithms: factors are multiplied and one logarithm is taken per block. */
import { log } from "../math/elementary.ts";

/** Products stay within these bounds, so that two of them still have a finite product. */
export const productBounds = [1e-150, 1e150] as const;

/**
 * The sum of log m[at + i] over `n` lanes; NaN if one is not positive. Lanes of even and of odd
 * index are multiplied apart; a product that leaves its bounds gives way to its logarithm.
 */
export function sumOfLogs(m: Float64Array, n: number, at: number): number {
  const [low, high] = productBounds;
  let sum = 0;
  let product = 1;
  let other = 1;
  for (let i = 0; i < n; i++) {
    const factor = m[at + i];
    let next = product * factor;
    if (!(next >= low && next <= high)) {
      if (!(factor > 0)) return NaN;
      sum += log(product) + log(factor);
      next = 1;
    }
    product = other;
    other = next;
  }
  return sum + log(product * other);
}
