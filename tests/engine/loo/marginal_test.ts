/** Posteriors whose latents are integrated out, against closed forms. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { marginalPosterior } from "../../../src/engine/loo/marginal.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { fillNormal } from "../../../src/numerics/math/random_normal.ts";
import { eightSchoolsDensity, eightSchoolsMarginal } from "../mcmc/eight_schools_density.ts";

/** log p(μ, log τ, y) of the first `rows` schools, up to a constant. */
function exactLogDensity(mu: number, logTau: number, rows: number): number {
  const tau = Math.exp(logTau);
  const likelihood = eightSchoolsMarginal(mu, tau).slice(0, rows);
  const prior = -mu * mu / 50 - Math.log1p(tau * tau / 25) + logTau;
  return prior + likelihood.reduce((a, b) => a + b);
}

function points(count: number): Float64Array[] {
  const random = new RandomStream("marginal");
  return Array.from({ length: count }, () => {
    const position = new Float64Array(2);
    fillNormal(random, position);
    return position.map((z, k) => k === 0 ? 5 * z : 1 + z);
  });
}

Deno.test("the marginal posterior of eight schools is that of its closed form", () => {
  const marginal = marginalPosterior(eightSchoolsDensity());
  assert.equal(marginal.dimension, 2);
  const out = new Float64Array(8);
  const slopes = new Float64Array(2);
  const constants = points(40).map((q) => {
    const value = marginal.withLikelihood!(q, slopes, 0, out, 0);
    eightSchoolsMarginal(q[0], Math.exp(q[1])).forEach((wanted, j) => {
      assert.ok(Math.abs(out[j] - wanted) < 1e-6, `${out[j]}, not ${wanted}`);
    });
    return value - exactLogDensity(q[0], q[1], 8);
  });
  for (const constant of constants) assert.ok(Math.abs(constant - constants[0]) < 1e-6);
});

Deno.test("its gradient is good enough to climb by", () => {
  const marginal = marginalPosterior(eightSchoolsDensity());
  const found = new Float64Array(4);
  for (const q of points(10)) {
    marginal.logDensity(Float64Array.of(7, 7, ...q), found, 2);
    [0, 1].forEach((k) => {
      const at = (step: number) =>
        exactLogDensity(q[0] + (k === 0 ? step : 0), q[1] + (k === 1 ? step : 0), 8);
      const wanted = (at(1e-5) - at(-1e-5)) / 2e-5;
      assert.ok(Math.abs(found[2 + k] - wanted) < 0.003, `${found[2 + k]}, not ${wanted}`);
    });
  }
  assert.deepEqual([...found.subarray(0, 2)], [0, 0]);
});

Deno.test("a latent that no observation sees leaves the others as they are", () => {
  const all = eightSchoolsDensity();
  const fewer: PointwiseDensity = {
    ...all,
    ...all.without([7]),
    observations: 7,
    logLikelihood: firstSeven(all.logLikelihood.bind(all)),
    latents: {
      ...all.latents!,
      elementOfRow: Int32Array.of(0, 1, 2, 3, 4, 5, 6),
      logJoint: firstSeven(all.latents!.logJoint),
    },
  };
  const marginal = marginalPosterior(fewer);
  const out = new Float64Array(7);
  const [first, ...rest] = points(10).map((q) =>
    marginal.withLikelihood!(q, new Float64Array(2), 0, out, 0) - exactLogDensity(q[0], q[1], 7)
  );
  for (const constant of rest) assert.ok(Math.abs(constant - first) < 1e-6);
});

function firstSeven(write: PointwiseDensity["logLikelihood"]): PointwiseDensity["logLikelihood"] {
  const eight = new Float64Array(8);
  return (position, offset, out, outOffset) => {
    write(position, offset, eight, 0);
    out.set(eight.subarray(0, 7), outOffset);
  };
}

Deno.test("outside of the support the marginal density is −∞, with no slope", () => {
  const all = eightSchoolsDensity();
  const nowhere: PointwiseDensity = { ...all, logDensity: () => -Infinity };
  const gradient = Float64Array.of(3, 3);
  assert.equal(marginalPosterior(nowhere).logDensity(new Float64Array(2), gradient, 0), -Infinity);
  assert.deepEqual([...gradient], [0, 0]);
});
