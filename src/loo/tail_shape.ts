/** How heavy the tail of importance ratios is. */
import { fitPareto } from "./pareto.ts";
import { quickselect } from "./quickselect.ts";

/** Ratios that are a tail at least. */
const leastTail = 5;

/**
 * Pareto k of independent ratios, ≥ 0: the shape of a generalised Pareto distribution fitted to the
 * ⌊3 √S⌋ largest (Vehtari et al. 2024, arXiv:1507.02646, section 3.2). 0 where they are all equal, ∞
 * where they cannot be fitted. `ratios` are overwritten.
 */
export function tailShape(ratios: Float64Array): number {
  const draws = ratios.length;
  const length = Math.min(Math.floor(draws / 5), Math.floor(3 * Math.sqrt(draws)));
  if (length < leastTail) return Infinity;
  const cut = draws - length - 1;
  quickselect(ratios, draws, cut);
  const tail = ratios.subarray(cut + 1).sort();
  if (!(tail[length - 1] - tail[0] > 0)) return 0;
  for (let s = 0; s < length; s++) tail[s] -= ratios[cut];
  const { k, sigma } = fitPareto(tail);
  return Math.abs(k) < Infinity && sigma > 0 ? k : Infinity;
}
