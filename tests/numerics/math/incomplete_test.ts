/** Incomplete gamma and beta functions, Bessel functions and others against mpmath. */
import assert from "node:assert/strict";
import { atan } from "../../../src/numerics/math/arctangent.ts";
import { besselRatio, logI0 } from "../../../src/numerics/math/bessel.ts";
import { digamma, lgamma, trigamma } from "../../../src/numerics/math/gamma.ts";
import {
  betainc,
  betaincASlope,
  betaincBSlope,
} from "../../../src/numerics/math/incomplete_beta.ts";
import {
  gammainc,
  gammaincc,
  gammaincShapeSlope,
} from "../../../src/numerics/math/incomplete_gamma.ts";
import { log1mexp } from "../../../src/numerics/math/log1mexp.ts";
import { log1pMinus } from "../../../src/numerics/math/log1p_minus.ts";
import { cos, sin } from "../../../src/numerics/math/trigonometric.ts";
import { readGolden, ulpDistance } from "./ulp.ts";

interface Table {
  readonly x: number[][];
  readonly y: number[];
}
const { functions } = readGolden<{ readonly functions: Record<string, Table> }>("special.json");

/** The largest error, as `measure` has it, and where it is. */
function worst(
  name: string,
  f: (...x: number[]) => number,
  measure: (ours: number, wanted: number) => number,
): string {
  const { x, y } = functions[name];
  let [most, at] = [0, ""];
  x.forEach((args, i) => {
    const error = measure(f(...args), y[i]);
    if (!(error <= most)) [most, at] = [error, `${name}(${args}) = ${f(...args)}, not ${y[i]}`];
  });
  return most === 0 ? "0" : `${most} at ${at}`;
}

const relative = (a: number, b: number) => Math.abs(a - b) / Math.abs(b);
/** Units in the last place; within 1e-16 absolutely, next to a root, counts as exact. */
const ulps = (a: number, b: number) => Math.abs(a - b) <= 1e-16 ? 0 : ulpDistance(a, b);

const within: readonly [
  string,
  (...x: number[]) => number,
  (a: number, b: number) => number,
  number,
][] = [
  ["lgamma", lgamma, ulps, 2],
  ["digamma", digamma, ulps, 2],
  ["trigamma", trigamma, ulps, 2],
  ["atan", atan, ulpDistance, 1],
  ["tan", (x) => sin(x) / cos(x), ulpDistance, 2], // as graphs have it
  ["log1mexp", log1mexp, ulpDistance, 2],
  ["log1pMinus", log1pMinus, relative, 2e-15],
  ["logI0", logI0, relative, 2e-15],
  ["besselRatio", besselRatio, relative, 2e-15],
  // The requirement: 1e-12 of the value for parameters up to 1e4.
  ["gammainc", gammainc, relative, 1e-12],
  ["gammaincc", gammaincc, relative, 1e-12],
  ["betainc", betainc, relative, 1e-12],
  ["gammaincShapeSlope", gammaincShapeSlope, relative, 1e-10],
  ["betaincASlope", betaincASlope, relative, 1e-10],
  ["betaincBSlope", betaincBSlope, relative, 1e-10],
];
for (const [name, f, measure, limit] of within) {
  const unit = measure === relative ? "of its value" : "ulp";
  Deno.test(`${name}() is within ${limit} ${unit} of mpmath`, () => {
    const found = worst(name, f, measure);
    assert.ok(parseFloat(found) <= limit, found);
  });
}

Deno.test("incomplete functions have exact values at their edges", () => {
  assert.equal(gammainc(2, 0), 0);
  assert.equal(gammaincc(2, 0), 1);
  assert.equal(gammainc(2, Infinity), 1);
  assert.equal(gammaincc(2, Infinity), 0);
  assert.equal(betainc(2, 3, 0), 0);
  assert.equal(betainc(2, 3, 1), 1);
  for (const bad of [gammainc(-1, 1), gammaincc(1, -1), betainc(0, 1, 0.5), betainc(1, 1, 2)]) {
    assert.ok(Number.isNaN(bad));
  }
  assert.equal(log1mexp(0), -Infinity);
  assert.ok(Number.isNaN(log1mexp(1)));
  assert.equal(atan(Infinity), Math.PI / 2);
  assert.equal(logI0(0), 0);
  assert.equal(besselRatio(-2), -besselRatio(2));
});
