/** Small parts of the sampler: rounds of tuning, metric estimates, step size, climb to the mode. */
import assert from "node:assert/strict";
import { climb } from "../../../src/engine/inference/mcmc/bfgs.ts";
import { CovarianceEstimator } from "../../../src/engine/inference/mcmc/covariance.ts";
import { DualAveraging } from "../../../src/engine/inference/mcmc/step_size.ts";
import { tuningRounds } from "../../../src/engine/inference/mcmc/tuning.ts";
import { correlatedNormal } from "./normal_densities.ts";

Deno.test("tuningRounds() are shares of all tuning transitions, and only of a few the last", () => {
  assert.deepEqual(tuningRounds(100), [15, 25, 40, 20]);
  assert.deepEqual(tuningRounds(500), [75, 125, 200, 100]);
  assert.deepEqual(tuningRounds(10), [0, 0, 0, 10]);
});

Deno.test("CovarianceEstimator has Stan's shrunk covariance", () => {
  const estimator = new CovarianceEstimator(2, true);
  const points = [[1, 2], [3, -1], [0, 0], [2, 8]];
  for (const p of points) estimator.add(Float64Array.from(p), 0);
  const [a, b, c, d] = estimator.regularised(Float64Array.of(1, 1));
  // Sample covariance 5/3, 1/2, 65/4; weights 4/9 and 10⁻³ · 5/9.
  assert.ok(Math.abs(a - (4 / 9 * 5 / 3 + 5e-3 / 9)) < 1e-15);
  assert.ok(Math.abs(b - 4 / 9 * 0.5) < 1e-15);
  assert.equal(b, c);
  assert.ok(Math.abs(d - (4 / 9 * 16.25 + 5e-3 / 9)) < 1e-14);
});

Deno.test("CovarianceEstimator without `dense` estimates the same variances", () => {
  const dense = new CovarianceEstimator(2, true);
  const diagonal = new CovarianceEstimator(2, false);
  for (let i = 0; i < 9; i++) {
    const point = Float64Array.of(i * i, (i * 7) % 5);
    dense.add(point, 0);
    diagonal.add(point, 0);
  }
  const [a, , , d] = dense.regularised(Float64Array.of(1, 1));
  assert.deepEqual([...diagonal.regularised(Float64Array.of(1, 1))], [a, d]);
});

Deno.test("DualAveraging settles where the acceptance is the target", () => {
  const averaging = new DualAveraging(0.8);
  averaging.restart(1);
  // An acceptance that falls linearly with the step size is 0.8 at 0.4.
  for (let i = 0; i < 2000; i++) averaging.update(Math.max(0, 1 - 0.5 * averaging.stepSize));
  assert.ok(Math.abs(averaging.averaged() - 0.4) < 0.01);
});

Deno.test("climb() finds the mode of a correlated normal and about its covariance", () => {
  const top = climb(correlatedNormal(5, 0.9), Float64Array.of(9, -9, 9, -9, 9), 400);
  assert.ok(top.converged);
  assert.ok(top.logDensity > -1e-3);
  top.position.forEach((q, i) => assert.ok(Math.abs(q - i - 1) < 0.1 * (i + 1)));
});

Deno.test("climb() says so where there is no mode", () => {
  const slope = {
    dimension: 1,
    logDensity(q: Float64Array, g: Float64Array, o: number) {
      g[o] = 1;
      return q[o];
    },
  };
  assert.equal(climb(slope, Float64Array.of(0), 50).converged, false);
});
