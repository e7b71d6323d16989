/** The precision of rows that walk is that of rows at large. */
import assert from "node:assert/strict";
import { bandPlan, precisionByBand } from "../../../src/engine/inference/gaussian/banded.ts";
import { RandomStream } from "../../../src/base/random.ts";
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
  ["a factor across effects of their own", () => {
    // Rows of one level of the factor lie far apart, with rows between that share nothing with them.
    const slopes = new Slopes(rows, 11);
    for (let i = 0; i < rows; i++) {
      slopes.put(i, Math.floor(i / 5), 1.5);
      slopes.put(i, 8 + Math.floor(i / 10) % 2, 4);
    }
    return slopes;
  }, 0],
];

for (const [name, slopes, order] of cases) {
  for (const noise of [1e-4, 0.3, 10]) {
    Deno.test(`${name} with noise ${noise} has the precision of rows at large`, () => {
      const own = Float64Array.from({ length: rows }, (_, i) => noise * (1 + (i % 3) / 10));
      const plan = bandPlan(slopes());
      if (order > 0) assert.equal(plan.order, order);
      assert.ok(plan.work < 25 * rows * rows);
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

/** Columns of a term of a model: an intercept, blocks of rows, levels in turn or at random, a walk. */
function term(n: number, random: RandomStream): readonly (readonly number[])[] {
  const kind = random.below(5);
  const [levels, scale] = [2 + random.below(6), 10 ** (2 * random.uniform() - 1)];
  const drawn = Array.from({ length: n }, () => random.below(levels));
  const isIn = (i: number, k: number) =>
    [true, Math.floor(i / levels) === k, i % levels === k, drawn[i] === k, i >= k][kind];
  const count = [1, Math.ceil(n / levels), levels, levels, n][kind];
  return Array.from(
    { length: count },
    (_, k) => Array.from({ length: n }, (_, i) => isIn(i, k) ? scale : 0),
  );
}

Deno.test("sums of up to three terms have the precision of rows at large", () => {
  for (let t = 0; t < 300; t++) {
    const random = new RandomStream("banded", t);
    const n = 5 + random.below(40);
    const columns = Array.from({ length: 1 + random.below(3) }, () => term(n, random)).flat();
    const make = () => {
      const slopes = new Slopes(n, columns.length);
      columns.forEach((own, k) => own.forEach((value, i) => value && slopes.put(i, k, value)));
      return slopes;
    };
    const y = Float64Array.from({ length: n }, () => 4 * random.uniform() - 2);
    const noise = Float64Array.from({ length: n }, () => 0.3 + random.uniform());
    const band = precisionByBand(y, noise, make(), bandPlan(make()))!;
    const whole = precisionByRows(y, noise, make())!;
    const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-8 * (1 + Math.abs(b)));
    near(band.logDensity, whole.logDensity);
    for (let i = 0; i < n; i++) {
      near(band.diagonal[i], whole.diagonal[i]);
      near(band.weighted[i], whole.weighted[i]);
      near(band.entry(i, n - 1 - i), whole.entry(i, n - 1 - i));
    }
  }
});

Deno.test("latents are drawn from their distribution given the rows, also where rows share a pivot", () => {
  const draws = 2000;
  // Two rows are turned onto one place.
  const columns: readonly (readonly number[])[] = [[0, 0, 1, 0, 0, 1], [1, 1, 0, 1, 1, 0]];
  const n = 6;
  const make = () => {
    const slopes = new Slopes(n, columns.length);
    columns.forEach((own, k) => own.forEach((value, i) => value && slopes.put(i, k, value)));
    return slopes;
  };
  const noise = new Float64Array(n).fill(0.5);
  const y = Float64Array.from({ length: n }, (_, i) => 3 * Math.cos(i));
  const band = precisionByBand(y, noise, make(), bandPlan(make()))!;
  const { weighted, entry } = precisionByRows(y, noise, make())!;
  const random = new RandomStream("draws of a band");
  const drawn = Array.from({ length: draws }, () => band.drawLatents!(random));
  columns.forEach((own, k) => {
    const mean = own.reduce((sum, value, i) => sum + value * weighted[i], 0);
    const explained = own.flatMap((a, i) => own.map((b, j) => a * b * entry(i, j)));
    const variance = 1 - explained.reduce((sum, value) => sum + value, 0);
    const found = drawn.reduce((sum, own) => sum + own[k] / draws, 0);
    const square = drawn.reduce((sum, own) => sum + (own[k] - found) ** 2 / draws, 0);
    assert.ok(Math.abs(found - mean) < 5 * Math.sqrt(variance / draws), `${k}: ${found}, ${mean}`);
    assert.ok(Math.abs(square / variance - 1) < 5 * Math.sqrt(2 / draws), `${k}: ${square}`);
  });
});
