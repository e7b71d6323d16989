/** Scrambled nets are as even as Sobol' points, and each of their points is uniform. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { mostDimensions, SobolNets } from "../../../src/numerics/math/sobol_nets.ts";

function pointsOf(nets: SobolNets, size: number): Float64Array[] {
  nets.begin(size);
  return Array.from({ length: size }, () => (nets.next(), nets.point.slice()));
}

/**
 * How many of 8 × 8 cells hold one of the first 64 points, for dimension i and each after it; neither
 * scrambling nor shifts change that. scipy 1.17.1: qmc.Sobol(16, scramble=False, bits=30).random(64).
 */
const occupied = [
  [64, 64, 64, 64, 32, 32, 64, 64, 32, 16, 64, 64, 64, 32, 16],
  [64, 64, 64, 64, 64, 32, 32, 32, 64, 32, 64, 16, 16, 32],
  [64, 32, 64, 64, 64, 16, 64, 32, 64, 16, 32, 32, 64],
  [64, 32, 64, 64, 64, 64, 32, 64, 32, 64, 64, 32],
  [64, 64, 32, 32, 64, 64, 64, 32, 32, 32, 64],
  [32, 64, 64, 32, 64, 32, 64, 32, 64, 32],
  [32, 32, 32, 64, 64, 32, 32, 32, 32],
  [32, 16, 32, 32, 64, 64, 64, 32],
  [32, 64, 32, 32, 32, 32, 32],
  [32, 64, 32, 64, 64, 32],
  [32, 64, 64, 32, 32],
  [64, 32, 32, 32],
  [32, 64, 64],
  [32, 32],
  [32],
];

Deno.test("any two dimensions fill as many cells as those of scipy's Sobol' points", () => {
  const nets = new SobolNets(new RandomStream("cells"), mostDimensions);
  for (let repeat = 0; repeat < 3; repeat++) {
    const points = pointsOf(nets, 64);
    const cells = (i: number, j: number) =>
      new Set(points.map((p) => 8 * Math.floor(8 * p[i]) + Math.floor(8 * p[j]))).size;
    const found = occupied.map((row, i) => row.map((_, k) => cells(i, i + 1 + k)));
    assert.deepEqual(found, occupied);
  }
});

Deno.test("each point of a net is uniform, and nets are independent", () => {
  const nets = new SobolNets(new RandomStream("uniform"), 2);
  const firsts = Array.from({ length: 4000 }, () => pointsOf(nets, 8)[5]);
  const mean = (f: (p: Float64Array) => number) => firsts.reduce((s, p) => s + f(p), 0) / 4000;
  const error = 1 / Math.sqrt(12 * 4000);
  for (const j of [0, 1]) {
    assert.ok(Math.abs(mean((p) => p[j]) - 1 / 2) < 4 * error);
    assert.ok(Math.abs(mean((p) => p[j] * p[j]) - 1 / 3) < 4 * error);
  }
  assert.ok(Math.abs(mean((p) => (p[0] - 0.5) * (p[1] - 0.5))) < error);
  const lagged = firsts.slice(1).reduce((s, p, k) => s + (p[0] - 0.5) * (firsts[k][0] - 0.5), 0);
  assert.ok(Math.abs(lagged / 3999) < error);
});

Deno.test("a net of any size holds distinct points, in (0, 1)", () => {
  const nets = new SobolNets(new RandomStream("sizes"), 3);
  for (const size of [1, 2, 3, 200, 65536]) {
    const points = pointsOf(nets, size);
    assert.equal(new Set(points.map((p) => p[2])).size, size);
    assert.ok(points.every((p) => p.every((u) => u > 0 && u < 1)));
  }
});

Deno.test("there are no nets of more dimensions than direction numbers", () => {
  const stream = new RandomStream("too many");
  assert.throws(() => new SobolNets(stream, mostDimensions + 1), /no net of 17 dimensions/);
});

Deno.test("the mean of a smooth function over a net has a variance of about n⁻³", () => {
  const nets = new SobolNets(new RandomStream("smooth"), 2);
  const spread = (size: number) => {
    const means = Array.from({ length: 400 }, () => {
      const points = pointsOf(nets, size);
      return points.reduce((s, [u, v]) => s + Math.exp(u * v) + u * u, 0) / size;
    });
    const mean = means.reduce((a, b) => a + b) / 400;
    return means.reduce((a, b) => a + (b - mean) ** 2, 0) / 400;
  };
  const ratio = spread(16) / spread(256); // 16 times as many points
  assert.ok(ratio > 16 ** 2, `${ratio}`);
});
