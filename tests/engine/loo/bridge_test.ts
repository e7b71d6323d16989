/** Bridge sampling between normal distributions, whose constants are known. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { bridge } from "../../../src/engine/loo/bridge.ts";
import { monteCarloError } from "../../../src/engine/loo/control_variates.ts";
import { fillNormal } from "../../../src/base/math/random_normal.ts";

/** log L = s q − s²/2 takes N(0, 1) to N(s, 1), and E_a[L] = 1. */
function shifted(shift: number, drawsA: number, drawsB: number, seed: number) {
  const stream = new RandomStream("bridge", seed);
  const a = new Float64Array(drawsA);
  const b = new Float64Array(drawsB);
  fillNormal(stream, a);
  fillNormal(stream, b);
  const logL = (q: number) => shift * q - 0.5 * shift * shift;
  return bridge(a.map(logL), b.map((z) => logL(z + shift)));
}

for (const shift of [0.1, 1, 4]) {
  Deno.test(`bridge() over a shift of ${shift} is calibrated`, () => {
    let square = 0;
    for (let seed = 0; seed < 100; seed++) {
      const found = shifted(shift, 400, 200 + 4 * seed, seed);
      const error = Math.hypot(
        monteCarloError(found.influenceA, 1),
        monteCarloError(found.influenceB, 1),
      );
      square += (found.logRatio / error) ** 2 / 100;
    }
    // A mean of 100 squared z-scores: 1 ± 0.14.
    assert.ok(square > 0.6 && square < 1.5, `mean squared z ${square}`);
  });
}

Deno.test("bridge() solves its equation: the influences have mean 0 and the root is one", () => {
  const found = shifted(2, 100, 100, 1);
  const sum = (values: Float64Array) => values.reduce((p, q) => p + q);
  assert.ok(Math.abs(sum(found.influenceA)) < 1e-10 && Math.abs(sum(found.influenceB)) < 1e-10);
  assert.ok(Math.abs(found.logRatio) < 1);
});
