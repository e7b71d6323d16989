/** Calibration of the reported Monte Carlo error of ELPD over many seeds; takes some seconds. */
import assert from "node:assert/strict";
import { finish } from "../../src/infer/sample_chains.ts";
import { elpdLoo } from "../../src/loo/elpd.ts";
import type { PointwiseDensity } from "../../src/math/log_density.ts";
import { dugongsDensity } from "../infer/dugongs_density.ts";
import { eightSchoolsDensity } from "../infer/eight_schools_density.ts";

/** Mean and spread of ELPD over seeds, and the mean of what each run says of its own error. */
function repeat(density: PointwiseDensity, seeds: number) {
  const schedule = { chains: 4, tune: 100, draws: 125, targetMcse: 0.1 };
  const values: number[] = [];
  let squaredError = 0;
  for (let seed = 0; seed < seeds; seed++) {
    const settings = { ...schedule, seedKey: ["long", seed] };
    const result = finish(elpdLoo(density, settings, { used: 0, limit: 2_000_000 }));
    assert.ok(result.kind === "ok");
    assert.ok(result.mcse <= 0.11 && result.rhatMax < 1.05);
    values.push(result.elpdLoo);
    squaredError += result.mcse * result.mcse / seeds;
  }
  const mean = values.reduce((a, b) => a + b) / seeds;
  const square = values.reduce((a, b) => a + (b - mean) * (b - mean), 0) / (seeds - 1);
  return { mean, sd: Math.sqrt(square), mcse: Math.sqrt(squaredError) };
}

for (
  const [name, density, exact] of [
    ["dugongs", dugongsDensity(), 22.525],
    ["eight schools", eightSchoolsDensity(), -30.742],
  ] as const
) {
  Deno.test(`the reported error of ELPD is the spread over 60 seeds: ${name}`, () => {
    const { mean, sd, mcse } = repeat(density, 60);
    assert.ok(sd < 1.5 * mcse && mcse < 1.5 * sd, `sd ${sd}, reported ${mcse}`);
    // Smoothing has a bias of a few hundredths with 500 draws.
    assert.ok(Math.abs(mean - exact) < 4 * sd / Math.sqrt(60) + 0.06, `mean ${mean}`);
  });
}
