/** The error of a mean over draws that come in nets, from the spread over the nets. */
import type { NetRange } from "./proposals/proposal.ts";
import { sumRange } from "../../numerics/math/mod.ts";

/**
 * Monte Carlo standard error of the mean of `values` `[draws]`. Nets are independent, and those of one
 * range have the same distribution; so the squared error of a range's sum is the number of its nets times the
 * variance of their sums (L'Ecuyer and Lemieux 2002, section 2).
 */
export function netError(values: Float64Array, nets: readonly NetRange[]): number {
  let square = 0;
  for (const range of nets) square += squaredErrorOfSum(values, range);
  return Math.sqrt(square) / values.length;
}

function squaredErrorOfSum(values: Float64Array, { from, to, size }: NetRange): number {
  const mean = sumRange(values, from, to) / (to - from);
  let square = 0;
  for (let begin = from; begin < to; begin += size) {
    const end = Math.min(to, begin + size); // the last net may be cut off
    const rest = sumRange(values, begin, end) - (end - begin) * mean;
    square += rest * rest;
  }
  const count = Math.ceil((to - from) / size);
  return count > 1 ? square * count / (count - 1) : Infinity;
}

/** The end of a net that is nearest to draw number `at`, which is at most that of the last. */
export function nearestEnd(nets: readonly NetRange[], at: number): number {
  const { from, to, size } = nets.find((range) => at <= range.to)!;
  return Math.min(to, from + size * Math.round((at - from) / size));
}
