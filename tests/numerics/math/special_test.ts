/** Gamma and normal functions against mpmath. */
import assert from "node:assert/strict";
import { digamma, lgamma, trigamma } from "../../../src/numerics/math/gamma.ts";
import { erf, erfc, logNormalCdf, normalQuantile } from "../../../src/numerics/math/normal.ts";
import { type ElementaryGolden, readGolden } from "./ulp.ts";

/** The largest relative error beside the golden table; absolute below 1e-290. */
function worstError(f: (x: number) => number, name: string, floor = 1e-290): number {
  const { x, y } = readGolden<ElementaryGolden>("elementary.json").functions[name];
  const error = (v: number, i: number) => Math.abs(f(v) - y[i]) / Math.max(Math.abs(y[i]), floor);
  return x.reduce((worst, v, i) => y[i] === f(v) ? worst : Math.max(worst, error(v, i)), 0);
}

const limits: readonly [string, (x: number) => number, number, number][] = [
  ["lgamma", lgamma, 1e-14, 0.01],
  ["digamma", digamma, 1e-14, 0.01],
  ["trigamma", trigamma, 1e-14, 1e-290],
  ["erf", erf, 1e-15, 1e-290],
  ["erfc", erfc, 2e-15, 1e-290],
  ["logNormalCdf", logNormalCdf, 1e-14, 1e-290],
  ["normalQuantile", normalQuantile, 1e-14, 0.01],
];
for (const [name, f, limit, floor] of limits) {
  Deno.test(`${name}() is within ${limit} of mpmath`, () => {
    const worst = worstError(f, name, floor);
    assert.ok(worst <= limit, `${name}: ${worst}`);
  });
}

Deno.test("special functions have exact values at their edges", () => {
  assert.equal(lgamma(1), 0);
  assert.equal(lgamma(2), 0);
  assert.equal(lgamma(0), Infinity);
  assert.ok(Number.isNaN(lgamma(-1)) && Number.isNaN(digamma(-1)) && Number.isNaN(lgamma(NaN)));
  assert.equal(digamma(0), -Infinity);
  assert.equal(erf(Infinity), 1);
  assert.equal(erfc(-Infinity), 2);
  assert.equal(erfc(Infinity), 0);
  assert.ok(Number.isNaN(erf(NaN)) && Number.isNaN(erfc(NaN)) && Number.isNaN(logNormalCdf(NaN)));
  assert.equal(logNormalCdf(-Infinity), -Infinity);
  assert.ok(Object.is(Math.abs(logNormalCdf(Infinity)), 0));
  assert.equal(normalQuantile(0.5), 0);
  assert.equal(normalQuantile(1), Infinity);
});
