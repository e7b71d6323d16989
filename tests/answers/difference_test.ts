/** Errors of differences, compared with models whose expected scores are known in closed form. */
import assert from "node:assert/strict";
import { differenceOf, parametersApart } from "../../src/answers/difference.ts";
import { fillNormal } from "../../src/numerics/math/random_normal.ts";
import { RandomStream } from "../../src/base/random.ts";

const z90 = 1.6448536269514722;

/**
 * Normal rows of spread 1 in k groups of 20, whose means are 0. One model knows that; the other fits
 * a mean of its own to each group, so that it has k parameters more, and a flat prior.
 */
function simulated(k: number, random: RandomStream) {
  const members = 20;
  const rows = new Float64Array(k * members);
  fillNormal(random, rows);
  const log = (y: number, mean: number, variance: number) =>
    -0.5 * Math.log(2 * Math.PI * variance) - (y - mean) ** 2 / (2 * variance);
  const sums = Array.from(
    { length: k },
    (_, g) => rows.slice(g * members, (g + 1) * members).reduce((a, b) => a + b),
  );
  const fitted = rows.map((y, i) =>
    log(y, (sums[Math.floor(i / members)] - y) / (members - 1), 1 + 1 / (members - 1))
  );
  const known = rows.map((y) => log(y, 0, 1));
  // E log N(y*; m, v) for y* ~ N(0, 1) is −½ log 2πv − (1 + m²) / 2v.
  const expected = (mean: number, variance: number) =>
    -0.5 * Math.log(2 * Math.PI * variance) - (1 + mean * mean) / (2 * variance);
  const real = sums.reduce(
    (sum, one) => sum + members * (expected(0, 1) - expected(one / members, 1 + 1 / members)),
    0,
  );
  return { known, fitted, real };
}

for (const k of [1, 2, 5]) {
  Deno.test(`90 % intervals hold a difference of ${k} needless parameters, rows alone do not`, () => {
    const random = new RandomStream("difference", k);
    const sets = 500;
    let [whole, rows, fixed] = [0, 0, 0];
    for (let set = 0; set < sets; set++) {
      const { known, fitted, real } = simulated(k, random);
      const { elpd, se, error } = differenceOf(known, fitted, parametersApart(0, k));
      const off = Math.abs(elpd - real);
      whole += Number(off <= z90 * error) / sets;
      rows += Number(off <= z90 * se) / sets;
      fixed += Number(off <= z90 * Math.sqrt(se * se + 0.2)) / sets;
    }
    const error = Math.sqrt(0.09 / sets);
    assert.ok(whole > 0.9 - 3 * error, `${whole}`);
    // The error over rows alone, and a floor that is too low where k is large, are found out.
    assert.ok(rows < 0.8, `${rows}`);
    if (k > 1) assert.ok(fixed < 0.85, `${fixed}`);
  });
}

Deno.test("answers are half a parameter apart at least", () => {
  assert.equal(parametersApart(3.1, 3.4), 0.5);
  assert.equal(parametersApart(3, 7.5), 4.5);
});
