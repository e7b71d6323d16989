/** Normal densities: moments are those of importance draws, integrals 1, and noise that they take off. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../../src/base/random.ts";
import {
  fitNormals,
  logNormalDensities,
} from "../../../../src/engine/loo/proposals/normal_densities.ts";
import { standardised } from "../../../../src/engine/loo/proposals/fit_triangular.ts";
import { fillNormal } from "../../../../src/numerics/math/random_normal.ts";

const draws = 4000;
const positions = new Float64Array(2 * draws);
fillNormal(new RandomStream("normals"), positions);
for (let s = 0; s < draws; s++) {
  positions[2 * s + 1] = 40 + 8 * positions[2 * s] + 3 * positions[2 * s + 1];
  positions[2 * s] = 1e-3 * positions[2 * s] - 2;
}
const equal = new Float64Array(draws).fill(1 / draws);
const tilted = exponentialTilt();
const frame = standardised(positions, 2, { weights: equal, effective: draws })!;

/** Weights by what the first coordinate is. */
function exponentialTilt(): Float64Array {
  const out = Float64Array.from(equal, (_, s) => Math.exp(900 * (positions[2 * s] + 2)));
  const sum = out.reduce((a, b) => a + b);
  return out.map((w) => w / sum);
}

/** Weighted mean of a function of the draws. */
function mean(weights: Float64Array, f: (a: number, b: number) => number): number {
  return weights.reduce((sum, w, s) => sum + w * f(positions[2 * s], positions[2 * s + 1]), 0);
}

Deno.test("the densities are those of the means and covariances, by each of the weights", () => {
  const found = logNormalDensities(fitNormals(frame, [equal, tilted]), positions.subarray(0, 20));
  [equal, tilted].forEach((weights, k) => {
    const [a, b] = [mean(weights, (x) => x), mean(weights, (_, y) => y)];
    const xx = mean(weights, (x) => (x - a) ** 2);
    const xy = mean(weights, (x, y) => (x - a) * (y - b));
    const yy = mean(weights, (_, y) => (y - b) ** 2);
    const det = xx * yy - xy * xy;
    for (let s = 0; s < 10; s++) {
      const [x, y] = [positions[2 * s] - a, positions[2 * s + 1] - b];
      const square = (yy * x * x - 2 * xy * x * y + xx * y * y) / det;
      const wanted = -0.5 * square - Math.log(2 * Math.PI * Math.sqrt(det));
      assert.ok(Math.abs(found[k][s] - wanted) < 1e-4, `${found[k][s]} ${wanted}`); // a ridge of 1e-8
    }
  });
});

Deno.test("the densities integrate to 1", () => {
  const steps = 400;
  const grid = new Float64Array(2 * steps * steps);
  for (let a = 0; a < steps; a++) {
    for (let b = 0; b < steps; b++) {
      const at = 2 * (a * steps + b);
      grid[at] = -2 + 0.016 * (a / steps - 0.5);
      grid[at + 1] = 40 + 140 * (b / steps - 0.5);
    }
  }
  for (const values of logNormalDensities(fitNormals(frame, [equal, tilted]), grid)) {
    const sum = values.reduce((total, value) => total + Math.exp(value), 0);
    assert.ok(Math.abs(sum * (0.016 / steps) * (140 / steps) - 1) < 1e-6, `${sum}`);
  }
});

Deno.test("weights of one draw have no density", () => {
  const one = new Float64Array(draws);
  one[7] = 1;
  assert.equal(fitNormals(frame, [one, equal]).polynomials.length, 1);
});
