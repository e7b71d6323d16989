/** log(1 − e^x) without loss at either end. */
import { exp, expm1, log, log1p } from "./elementary.ts";

const ln2 = 0.6931471805599453;

/**
 * log(1 − e^x) for x ≤ 0 (Mächler 2012, "Accurately computing log(1 − exp(−|a|))"): −∞ at 0, NaN
 * above.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { log1mexp } from "./log1mexp.ts";
 * assert.ok(Math.abs(log1mexp(-1e-20) + 46.051701859880914) < 1e-13);
 * ```
 */
export function log1mexp(x: number): number {
  return x > -ln2 ? log(-expm1(x)) : log1p(-exp(x));
}
