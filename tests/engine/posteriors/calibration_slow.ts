/** Simulation-based calibration of ten programs: parameters drawn from the prior have uniform ranks. */
import assert from "node:assert/strict";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { sampleMixed } from "../../../src/engine/loo/mixed_chains.ts";
import { priorDraws } from "../../../src/engine/inference/predict/draws.ts";
import { constrainedDraws } from "../../../src/engine/score/summaries.ts";
import { datasetOf, type GoldenModel, goldenModels } from "./posterior_models.ts";

// Talts, Betancourt, Simpson, Vehtari, Gelman (2018), arXiv:1804.06788, algorithm 1: a draw of the
// prior and of the data that it predicts, the posterior of those data, and the rank of the draw
// among 99 thinned draws of the posterior.

const simulations = 120;
const ranks = 100;
const bins = 10;

const chosen = [
  ...["dugongs_growth", "eight_schools_non_centred", "hierarchical_centred", "logistic"],
  ...["surgical_random_effects", "robust_line", "weibull", "large_scale", "small_scale"],
  "zero_inflated",
];

/** Σ (observed − expected)² / expected over bins of ranks. */
function chiSquare(found: readonly number[]): number {
  const counts = new Float64Array(bins);
  for (const rank of found) counts[Math.floor(rank * bins / ranks)] += 1;
  const expected = found.length / bins;
  return counts.reduce((sum, n) => sum + (n - expected) * (n - expected) / expected, 0);
}

/** Ranks by element of the parameters, and how many posteriors could not be sampled. */
function ranksOf(model: GoldenModel): { byElement: number[][]; failed: number } {
  const data = datasetOf(model);
  const checked = checkProgram(model.text, data, model.name);
  assert.ok(checked.ok);
  const { program } = checked;
  const prior = priorDraws(program, data, simulations, ["calibration", model.name]);
  const sizes = program.parameters.map(({ shape }) => sizeOf(shape));
  const byElement: number[][] = sizes.flatMap((size) => Array.from({ length: size }, () => []));
  let failed = 0;
  for (let n = 0; n < simulations; n++) {
    const rows = data.rows;
    const simulated = datasetOf(model, prior.response.slice(n * rows, (n + 1) * rows));
    const density = compileLogDensity(program, simulated);
    const schedule = { chains: 4, tune: 200, draws: 250, seedKey: ["calibration", model.name, n] };
    const result = finish(sampleMixed(density, schedule, { used: 0, limit: 5e6 }));
    if (result.kind !== "chains") {
      failed += 1;
      continue;
    }
    const columns = constrainedDraws(density, result.chainSet);
    const truth = sizes.flatMap((
      size,
      k,
    ) => [...prior.parameters[k].subarray(n * size, (n + 1) * size)]);
    for (const [element, value] of truth.entries()) {
      byElement[element].push(rankAmong(value, columns[element]));
    }
  }
  return { byElement, failed };
}

/** How many of 99 evenly spaced draws are smaller. */
function rankAmong(value: number, draws: Float64Array): number {
  let rank = 0;
  for (let i = 0; i < ranks - 1; i++) {
    if (draws[Math.floor((i + 0.5) * draws.length / (ranks - 1))] < value) rank += 1;
  }
  return rank;
}

for (const name of chosen) {
  const model = goldenModels.find((one) => one.name === name)!;
  Deno.test(`ranks of the prior's draws are uniform in the posteriors of ${name}`, () => {
    const { byElement, failed } = ranksOf(model);
    assert.ok(failed <= 0.02 * simulations, `${failed} of ${simulations} could not be sampled`);
    const worst = Math.max(...byElement.map(chiSquare));
    // χ² with 9 degrees of freedom exceeds 33.7 once in 10⁴ times; there are about 60 of them.
    assert.ok(worst < 33.7, `largest χ² ${worst} over ${byElement.length} elements`);
  });
}
