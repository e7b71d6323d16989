/** Bridge sampling between normal distributions, whose constants are known. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { bridge, bridgedGain } from "../../../src/engine/loo/bridge.ts";
import { monteCarloError } from "../../../src/engine/loo/control_variates.ts";
import { normalCdf } from "../../../src/numerics/math/normal.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";

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

/** log of the mean of a normal density of width s about z over the cell of width h about y. */
function logCell(y: number, h: number, z: number, s: number): number {
  const at = (end: number) => normalCdf((end - z) / s);
  return Math.log((at(y + h / 2) - at(y - h / 2)) / h);
}

/** Prior N(0, 1) of a mean, a datum y with noise s in a cell of width h: the gain of the cell, by draws. */
function gainBySeed(y: number, s: number, h: number, seed: number) {
  const stream = new RandomStream("bridged gain", seed);
  const [a, z] = [new Float64Array(300), new Float64Array(200)];
  fillNormal(stream, a);
  fillNormal(stream, z);
  const variance = s * s / (1 + s * s);
  const b = z.map((one) => y / (1 + s * s) + Math.sqrt(variance) * one);
  const logL = (q: number) => -0.5 * ((y - q) / s) ** 2 - Math.log(s * Math.sqrt(2 * Math.PI));
  const logP = (q: number) => logCell(y, h, q, s);
  return bridgedGain({ a: a.map(logL), b: b.map(logL) }, { a: a.map(logP), b: b.map(logP) });
}

for (const [y, s, h] of [[2, 0.5, 1.5], [0.3, 1, 0.01], [3, 0.4, 0.4]]) {
  Deno.test(`bridgedGain() of a cell of ${h} is the closed form's, y = ${y}, s = ${s}`, () => {
    const spread = Math.sqrt(1 + s * s);
    const density = -0.5 * (y / spread) ** 2 - Math.log(spread * Math.sqrt(2 * Math.PI));
    const exact = logCell(y, h, 0, spread) - density;
    let square = 0;
    for (let seed = 0; seed < 100; seed++) {
      const { value, mcse } = gainBySeed(y, s, h, seed);
      square += ((value - exact) / mcse) ** 2 / 100;
      // Next to nothing beside what is predicted: few draws tell, as cells and densities share their noise.
      if (h === 0.01) assert.ok(mcse < 1e-5 && Math.abs(value) < 1e-4);
    }
    // A mean of 100 squared z-scores: 1 ± 0.14.
    assert.ok(square > 0.6 && square < 1.5, `mean squared z ${square}`);
  });
}
