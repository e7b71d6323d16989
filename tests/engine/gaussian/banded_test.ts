/** The precision of rows that walk is that of rows at large. */
import assert from "node:assert/strict";
import { bandPlan, precisionByBand } from "../../../src/engine/inference/gaussian/banded.ts";
import { Slopes } from "../../../src/engine/inference/gaussian/slopes.ts";
import { precisionByRows } from "../../../src/engine/inference/gaussian/square_root.ts";

const rows = 40;

/** Slopes of walks: sums of steps, sums of sums, with an intercept before them. */
function walk(times: number, intercept = false, scale = 1): Slopes {
  const slopes = new Slopes(rows, rows + 1);
  for (let i = 0; i < rows; i++) {
    if (intercept) slopes.put(i, 0, 3);
    for (let k = 0; k <= i; k++) {
      slopes.put(i, k + 1, scale * (times === 1 ? 1 : i - k + 1));
    }
  }
  return slopes;
}

const residuals = Float64Array.from({ length: rows }, (_, i) => Math.cos(i * i) + i / 20);
const cases: readonly (readonly [string, () => Slopes, number])[] = [
  ["a walk", () => walk(1), 1],
  ["a walk by small steps", () => walk(1, false, 0.01), 1],
  ["a walk and an intercept", () => walk(1, true), 1],
  ["a walk of slopes", () => walk(2), 2],
  ["effects of their own", () => {
    const slopes = new Slopes(rows, 8);
    for (let i = 0; i < rows; i++) slopes.put(i, Math.floor(i / 5), 1.5);
    return slopes;
  }, 0],
];

for (const [name, slopes, order] of cases) {
  for (const noise of [1e-4, 0.3, 10]) {
    Deno.test(`${name} with noise ${noise} has the precision of rows at large`, () => {
      const own = Float64Array.from({ length: rows }, (_, i) => noise * (1 + (i % 3) / 10));
      const plan = bandPlan(slopes());
      if (order > 0) assert.equal(plan.order, order);
      assert.ok(plan.work < 20 * rows * rows);
      const band = precisionByBand(residuals, own, slopes(), plan)!;
      const whole = precisionByRows(residuals, own, slopes())!;
      const near = (a: number, b: number) =>
        assert.ok(Math.abs(a - b) < 1e-6 * (1e-9 + Math.abs(b)), `${a} ${b}`);
      near(band.logDensity, whole.logDensity);
      for (let i = 0; i < rows; i++) {
        near(band.weighted[i], whole.weighted[i]);
        near(band.diagonal[i], whole.diagonal[i]);
      }
      near(band.entry(3, 4), whole.entry(3, 4));
    });
  }
}
