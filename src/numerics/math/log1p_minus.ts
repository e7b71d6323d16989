/** log(1 + x) − x without cancellation: the exponent of saddle-point forms of densities. */
import { log, log1p } from "./elementary.ts";

/**
 * log(1 + x) − x for x > −1, relative to its value even where it is about −x²/2. In terms of
 * s = x / (2 + x): log(1 + x) = 2 (s + s³/3 + …) and x = 2 s + s x.
 */
export function log1pMinus(x: number): number {
  if (!(x > -0.4 && x < 0.7)) return log1p(x) - x;
  const s = x / (2 + x);
  const z = s * s;
  let sum = 0;
  for (let k = 27; k >= 3; k -= 2) sum = sum * z + 1 / k;
  return s * (2 * z * sum - x);
}

/**
 * log(x / mean) − (x − mean) / mean for positive numbers, `away` = x − mean as it is known best: the
 * exponent of a gamma or beta density in Loader's saddle-point form (2000).
 */
export function logRatioMinus(x: number, mean: number, away: number): number {
  const e = away / mean;
  return e > -0.4 && e < 0.7 ? log1pMinus(e) : log(x / mean) - e;
}
