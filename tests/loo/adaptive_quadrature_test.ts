/** Integrals of rough functions against closed forms. */
import assert from "node:assert/strict";
import { integrateLogs } from "../../src/loo/adaptive_quadrature.ts";

/** log of ∫ f over the line for one function. */
function integral(logF: (x: number) => number, centre: number, scale: number): number {
  const logs = (points: Float64Array, out: Float64Array) => void (out[0] = logF(points[0]));
  const level = Float64Array.of(logF(centre));
  return integrateLogs(logs, [0], Float64Array.of(centre), Float64Array.of(scale), level)[0];
}

const halfLog2Pi = 0.9189385332046727;
const cases = [
  ["a normal density, off the centre", (x: number) => -0.5 * (x - 2) * (x - 2) - halfLog2Pi, 0, 1],
  ["a kink at the centre", (x: number) => -Math.abs(x) - Math.LN2, 0, 1],
  ["a kink elsewhere", (x: number) => -Math.abs(x - 1.7) - Math.LN2, 0, 3],
  [
    "a peak a hundred times as narrow as thought",
    (x: number) => -0.5 * x * x * 1e4 - halfLog2Pi + Math.log(100),
    0,
    1,
  ],
  ["a tail like x^-4", (x: number) => Math.log(2 / Math.PI) - 2 * Math.log1p(x * x), 0, 1],
  [
    "two peaks",
    (x: number) =>
      Math.log(0.5 * Math.exp(-0.5 * x * x) + 0.5 * Math.exp(-0.5 * (x - 9) * (x - 9))) -
      halfLog2Pi,
    0,
    1,
  ],
] as const;

for (const [name, logF, centre, scale] of cases) {
  Deno.test(`integrateLogs() of ${name} is 0 to 1e-4`, () => {
    const found = integral(logF, centre, scale);
    assert.ok(Math.abs(found) < 1e-4, `${found}`);
  });
}

Deno.test("integrateLogs() takes several functions at once, each with its own intervals", () => {
  const logs = (points: Float64Array, out: Float64Array) => {
    out[0] = -Math.abs(points[0] - 0.3) - Math.LN2;
    out[1] = NaN; // not asked for
    out[2] = 5 - 0.5 * points[2] * points[2] - halfLog2Pi;
  };
  const centre = new Float64Array(3);
  const scale = new Float64Array(3).fill(1);
  const found = integrateLogs(logs, [0, 2], centre, scale, Float64Array.of(-1, 0, 4));
  assert.ok(Math.abs(found[0]) < 1e-4 && Math.abs(found[1] - 5) < 1e-4, `${found}`);
});
