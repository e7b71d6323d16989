/** Proposals: their densities are those of their draws, and fits find shapes. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../../src/base/random.ts";
import {
  fitTriangular,
  standardised,
} from "../../../../src/engine/loo/proposals/fit_triangular.ts";
import { laplaceProposal } from "../../../../src/engine/loo/proposals/laplace_proposal.ts";
import { MixtureProposal } from "../../../../src/engine/loo/proposals/mixture_proposal.ts";
import {
  densitiesAt,
  drawFrom,
  type Proposal,
} from "../../../../src/engine/loo/proposals/proposal.ts";
import { distanceBeyond, fitSplit } from "../../../../src/engine/loo/proposals/split_student.ts";
import { TriangularProposal } from "../../../../src/engine/loo/proposals/triangular.ts";
import { normalised } from "../../../../src/engine/loo/proposals/weights.ts";
import { finish } from "../../../../src/engine/inference/mcmc/sample_chains.ts";
import { columnsOf } from "../../../../src/numerics/wasm/columns.ts";
import { cholesky } from "../../../../src/numerics/math/linalg.ts";
import type { PointwiseLikelihood } from "../../../../src/numerics/math/log_density.ts";
import { fillNormal } from "../../../../src/numerics/math/random_normal.ts";
import { SobolNets } from "../../../../src/numerics/math/sobol_nets.ts";

/** A proposal whose second coordinate bends and widens with the first, which is lopsided. */
const bent = new TriangularProposal({
  centre: Float64Array.of(1, -2),
  scale: Float64Array.of(0.5, 3),
  conditionals: [
    {
      mode: -0.3,
      left: 0.5,
      right: 1.4,
      slopes: Float64Array.of(0.1),
      spreads: new Float64Array(),
    },
    {
      ...{ mode: 0, left: 1, right: 0.7 },
      slopes: Float64Array.of(0, 0.6, -0.4),
      spreads: Float64Array.of(0.5),
    },
  ],
});

const round = laplaceProposal({
  mode: Float64Array.of(1, -2),
  covariance: Float64Array.of(0.5, 0.8, 0.8, 9),
  factor: factorOf([0.5, 0.8, 0.8, 9]),
  evidence: 0,
});

function factorOf(covariance: number[]): Float64Array {
  const factor = Float64Array.from(covariance);
  assert.ok(cholesky(factor, 2));
  return factor;
}

/** ∫ of a proposal's density over a fine grid in two dimensions. */
function mass(proposal: Proposal): number {
  const steps = 1200;
  let sum = 0;
  const row = new Float64Array(2 * steps);
  for (let a = 0; a < steps; a++) {
    for (let b = 0; b < steps; b++) {
      row.set([1 + 30 * (a / steps - 0.5), -2 + 300 * (b / steps - 0.5)], 2 * b);
    }
    sum += densitiesAt(proposal, row).reduce((total, density) => total + density);
  }
  return sum * Math.exp(proposal.logPeak) * (30 / steps) * (300 / steps);
}

Deno.test("densities of proposals integrate to 1", () => {
  for (const proposal of [bent, round, new MixtureProposal(bent, round, 0.25)]) {
    assert.ok(Math.abs(mass(proposal) - 1) < 0.003, `${mass(proposal)}`);
  }
});

Deno.test("draws of proposals have their densities", () => {
  // E_q[p / q] = 1 for any p that q covers, here in both directions.
  const wide = new MixtureProposal(bent, round, 0.5);
  for (const proposal of [bent, round]) {
    const target = logDensityOf(proposal);
    const draws = drawn(wide, target, 20_000);
    const ratios = draws.logWeights.map(Math.exp);
    const mean = ratios.reduce((a, b) => a + b) / 20_000;
    const square = ratios.reduce((a, b) => a + b * b) / 20_000;
    const error = Math.sqrt((square - mean * mean) / 20_000);
    assert.ok(Math.abs(mean - 1) < 4 * error, `${mean} ± ${error}`);
    const inverse = logDensityOf(wide);
    const back = drawn(proposal, inverse, 20_000);
    const share = back.logWeights.filter((w) => w < Math.log(1)).length / 20_000;
    assert.ok(share > 0.3 && share < 1, `${share}`);
  }
});

/** Draws that are independent: nets of one point. */
function drawn(proposal: Proposal, target: PointwiseLikelihood, count: number) {
  const nets = new SobolNets(new RandomStream("draws"), 1 + proposal.dimension);
  const budget = { used: 0, limit: 1e9 };
  return finish(drawFrom(proposal, target, { count, netSize: 1 }, nets, budget))!;
}

Deno.test("a draw comes with its density", () => {
  const choosers = Float64Array.of(0.01, 0.2, 0.26, 0.4, 0.99);
  const noise = [choosers, choosers.map((u) => 1 - 0.9 * u), choosers.map((u) => u * u)];
  const out = columnsOf(2, 5);
  const own = new Float64Array(5);
  const again = new Float64Array(5);
  const nested = new MixtureProposal(new MixtureProposal(bent, round, 0.25), bent, 0.3);
  for (const proposal of [bent, round, new MixtureProposal(bent, round, 0.25), nested]) {
    proposal.draw(5, noise, out, own);
    proposal.relativeDensities(5, out, again);
    own.forEach((density, s) => assert.ok(Math.abs(again[s] / density - 1) < 1e-12));
  }
});

/** No observations: nothing but a density. */
const none = { observations: 0, logLikelihood: () => {} };

function logDensityOf(proposal: Proposal): PointwiseLikelihood {
  return {
    ...none,
    dimension: proposal.dimension,
    logDensity: (position, _, offset) =>
      proposal.logPeak +
      Math.log(densitiesAt(proposal, position.slice(offset, offset + proposal.dimension))[0]),
  };
}

Deno.test("distances are those of Student's t with eight degrees of freedom", () => {
  // scipy 1.17.1: stats.t.isf(tail / 2, 8)
  const exact = [
    [0.9, 0.1297072715547177],
    [0.5, 0.7063866126448388],
    [0.1, 1.859548037530898],
    [0.01, 3.3553873313333953],
    [1e-6, 13.257135102228196],
    [1e-9, 31.961534475128836],
  ];
  for (const [tail, distance] of exact) {
    assert.ok(Math.abs(distanceBeyond(tail) / distance - 1) < 1e-9, `${tail}`);
  }
  assert.ok(distanceBeyond(1) < 1e-4 && distanceBeyond(1) >= 0);
});

Deno.test("a split distribution has the mean, variance and side of its values", () => {
  const stream = new RandomStream("split");
  const values = new Float64Array(4000);
  fillNormal(stream, values);
  for (let s = 0; s < values.length; s++) values[s] = Math.exp(0.4 * values[s]);
  const weights = new Float64Array(4000).fill(1 / 4000);
  const { mode, left, right } = fitSplit(values, weights, 4000);
  assert.ok(right > 1.8 * left, `${left}, ${right}`);
  const mean = values.reduce((a, b) => a + b) / 4000;
  assert.ok(Math.abs(mode + Math.sqrt(2 / Math.PI) * (right - left) - mean) < 1e-9);
  const symmetric = fitSplit(values, weights, 1e-9);
  assert.ok(Math.abs(symmetric.left - symmetric.right) < 1e-4);
});

Deno.test("a fit bends with a ridge: most of its draws count", () => {
  const ridge: PointwiseLikelihood = {
    ...none,
    dimension: 2,
    logDensity(q, _, o) {
      const rest = q[o + 1] - 0.5 * q[o] * q[o];
      return -0.5 * (q[o] * q[o] + rest * rest / 0.25);
    },
  };
  const normals = new Float64Array(2000);
  fillNormal(new RandomStream("ridge"), normals);
  const positions = normals.map((z, k) => k % 2 ? 0.5 * normals[k - 1] ** 2 + 0.5 * z : z);
  const equal = { weights: new Float64Array(1000).fill(1 / 1000), effective: 1000 };
  const proposal = fitTriangular(standardised(positions, 2, equal)!, equal)!;
  const draws = drawn(proposal, ridge, 4000);
  const { effective } = normalised(draws.logWeights);
  assert.ok(effective > 0.6 * 4000, `${effective}`); // a normal distribution fitted to it: 0.1
});

Deno.test("a coordinate that does not vary cannot be fitted", () => {
  const weights = { weights: new Float64Array(50).fill(1 / 50), effective: 50 };
  assert.equal(standardised(new Float64Array(100).fill(2), 2, weights), undefined);
});
