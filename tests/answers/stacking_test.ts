/** Stacking against ArviZ, against its bound, and where programs are many or the same. */
import assert from "node:assert/strict";
import { stackingWeights } from "../../src/answers/stacking.ts";
import { leadByChance } from "../../src/answers/winner.ts";
import { RandomStream } from "../../src/base/random.ts";
import { fillNormal } from "../../src/numerics/math/random_normal.ts";
import { readGolden } from "../numerics/math/ulp.ts";

interface Golden {
  readonly cases: readonly {
    readonly name: string;
    readonly models: readonly string[];
    readonly elpd_pointwise: readonly number[][];
    readonly results: {
      readonly stacking: readonly { readonly name: string; readonly weight: number }[];
    };
  }[];
}

function score(pointwise: Float64Array, weights: ArrayLike<number>, rows: number): number {
  let total = 0;
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let k = 0; k < weights.length; k++) sum += weights[k] * Math.exp(pointwise[k * rows + i]);
    total += Math.log(sum);
  }
  return total;
}

for (const { name, models, elpd_pointwise, results } of readGolden<Golden>("compare.json").cases) {
  Deno.test(`stackingWeights() agrees with az.compare on ${name}, and scores no worse`, () => {
    const rows = elpd_pointwise[0].length;
    const pointwise = Float64Array.from(elpd_pointwise.flat());
    const { weights, gap } = stackingWeights(pointwise, rows);
    const theirs = models.map((model) =>
      results.stacking.find((one) => one.name === model)!.weight
    );
    const total = theirs.reduce((a, b) => a + b);
    assert.ok(gap < 1e-7, `${gap}`);
    assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-12);
    // ArviZ finds them by SLSQP to about 1e-3.
    weights.forEach((weight, k) => assert.ok(Math.abs(weight - theirs[k] / total) < 3e-3));
    const arviz = score(pointwise, theirs.map((w) => w / total), rows);
    assert.ok(score(pointwise, weights, rows) >= arviz - 1e-7);
  });
}

Deno.test("stacking of 3,000 programs comes within 1e-7 of the best score of a row", () => {
  const [programs, rows] = [3000, 20];
  const noise = new Float64Array(programs * rows);
  fillNormal(new RandomStream("stacking"), noise);
  const { weights, gap } = stackingWeights(noise.map((one) => 0.4 * one - 1), rows);
  assert.ok(gap < 1e-7, `${gap}`);
  assert.ok(weights.every((one) => one >= 0));
  assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-12);
  assert.ok(weights.filter((one) => one > 0).length <= rows);
});

Deno.test("programs that are the same do not disturb the weights of others", () => {
  const one = [0, -9, -1];
  const other = [-9, 0, -1];
  const plain = stackingWeights(Float64Array.from([one, other].flat()), 3).weights;
  const doubled = stackingWeights(Float64Array.from([one, other, one, other].flat()), 3).weights;
  assert.ok(Math.abs(doubled[0] + doubled[2] - plain[0]) < 1e-9);
});

Deno.test("one program has all the weight", () => {
  assert.deepEqual([...stackingWeights(Float64Array.of(-1, -2), 2).weights], [1]);
});

Deno.test("the lead by chance is that of loo_compare() in R", () => {
  // K = 8 others; upper half {3, 3, 4, 4, 6} around the median 3: qnorm(1 - 1/16, 0, sqrt(11/5)).
  const { lead, byChance } = leadByChance(Float64Array.of(0, 1, 2, 3, 4, 6, 3, 4, 2));
  assert.equal(lead, 3);
  assert.ok(Math.abs(byChance - 1.5341205443525465 * Math.sqrt(11 / 5)) < 1e-9, `${byChance}`);
});
