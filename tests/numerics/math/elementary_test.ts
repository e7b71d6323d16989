/** Elementary functions against correctly rounded values of mpmath, and at the edges. */
import assert from "node:assert/strict";
import {
  cos,
  exp,
  expm1,
  log,
  log1p,
  pow,
  sigmoid,
  sin,
  softplus,
  tanh,
} from "../../../src/numerics/math/elementary.ts";
import { type ElementaryGolden, readGolden, ulpDistance, worstUlp } from "./ulp.ts";

// Ulps beside mpmath 400-bit values; fdlibm promises less than 1 before rounding.
const limits: readonly [string, (x: number) => number, number][] = [
  ["exp", exp, 1],
  ["log", log, 1],
  ["log1p", log1p, 1],
  ["expm1", expm1, 1],
  ["tanh", tanh, 2],
  ["sigmoid", sigmoid, 2],
  ["softplus", softplus, 2],
  ["sin", sin, 1],
  ["cos", cos, 1],
];
for (const [name, f, limit] of limits) {
  Deno.test(`${name}() is within ${limit} ulp of mpmath`, () => {
    assert.ok(worstUlp(f, name) <= limit, `${name}: ${worstUlp(f, name)} ulp`);
  });
}

Deno.test("pow() is within 1 ulp of mpmath", () => {
  const { x, y, z } = readGolden<ElementaryGolden>("elementary.json").pow;
  const worst = x.reduce((w, v, i) => Math.max(w, ulpDistance(pow(v, y[i]), z[i])), 0);
  assert.ok(worst <= 1, `${worst} ulp`);
});

Deno.test("the exponentials have exact values at their edges", () => {
  assert.equal(exp(0), 1);
  assert.equal(exp(Infinity), Infinity);
  assert.equal(exp(-Infinity), 0);
  assert.equal(exp(710), Infinity);
  assert.equal(exp(-746), 0);
  assert.equal(exp(-745), 5e-324);
  assert.ok(Number.isNaN(exp(NaN)));
  assert.equal(expm1(-Infinity), -1);
  assert.equal(expm1(Infinity), Infinity);
  assert.ok(Object.is(expm1(-0), -0));
  assert.ok(Number.isNaN(expm1(NaN)));
  assert.equal(tanh(-Infinity), -1);
  assert.ok(Object.is(tanh(-0), -0));
  assert.ok(Number.isNaN(tanh(NaN)));
  assert.equal(sigmoid(-Infinity), 0);
  assert.equal(sigmoid(Infinity), 1);
  assert.equal(softplus(-Infinity), 0);
  assert.equal(softplus(Infinity), Infinity);
});

Deno.test("the logarithms have exact values at their edges", () => {
  assert.ok(Object.is(log(1), 0));
  assert.equal(log(0), -Infinity);
  assert.equal(log(Infinity), Infinity);
  assert.equal(log(5e-324), -744.4400719213812);
  assert.ok(Number.isNaN(log(-1)) && Number.isNaN(log(NaN)) && Number.isNaN(log(-Infinity)));
  assert.equal(log1p(-1), -Infinity);
  for (let k = 1; k <= 53; k++) assert.equal(log1p(2 ** -k - 1), log(2 ** -k));
  assert.equal(log1p(Infinity), Infinity);
  assert.ok(Object.is(log1p(-0), -0));
  assert.ok(Number.isNaN(log1p(-2)) && Number.isNaN(log1p(NaN)));
});

Deno.test("pow() agrees with IEEE 754 at its edges", () => {
  const special = [0, -0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, Infinity, -Infinity, NaN, 1e300, -1e300];
  for (const x of special) {
    for (const y of special) {
      // ECMAScript departs from IEEE 754 in (±1)^±∞ and 1^NaN.
      const unit = Math.abs(x) === 1 && !(Math.abs(y) < Infinity);
      const wanted = unit && (x === 1 || y === y) ? 1 : x ** y;
      const close = ulpDistance(pow(x, y), wanted) <= (Math.abs(y) === 0.5 ? 1 : 0);
      const sameSign = Object.is(Math.sign(pow(x, y)), Math.sign(wanted));
      assert.ok(close && sameSign, `pow(${x}, ${y}) = ${pow(x, y)}, not ${wanted}`);
    }
  }
});

Deno.test("sin() and cos() have exact values at their edges", () => {
  assert.ok(Object.is(sin(-0), -0));
  assert.equal(cos(0), 1);
  for (const x of [NaN, Infinity, -Infinity]) assert.ok(Number.isNaN(sin(x) + cos(x)));
});
