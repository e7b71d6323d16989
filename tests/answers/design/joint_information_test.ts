/** Information about other outcomes, and of several rows together, compared with normal closed forms. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { greedyBatch } from "../../../src/answers/design/batch.ts";
import { outcomeGrid } from "../../../src/answers/design/outcome_grid.ts";
import { aboutOutcome } from "../../../src/answers/design/predictive_information.ts";
import type { ProgramOutcomes } from "../../../src/answers/design/program_outcomes.ts";
import { fillNormal } from "../../../src/numerics/math/mod.ts";

const draws = 768;
const noise = 0.8;

/** A line y = a + b x with standard normal a and b, at these x. */
function lineAt(xs: readonly number[], seed: number) {
  const [a, b, e] = ["a", "b", "e"].map((name) => {
    const out = new Float64Array(draws);
    fillNormal(new RandomStream(name, seed), out);
    return out;
  });
  const mean = (r: number, s: number) => a[s] + b[s] * xs[r];
  const all = Array.from({ length: draws }, (_, s) => xs.map((_, r) => mean(r, s) + noise * e[s]))
    .flat();
  const grid = outcomeGrid(
    Float64Array.from(all),
    xs.length,
    false,
    64,
  );
  const densities = new Float32Array(xs.length * draws * grid.points);
  xs.forEach((_, r) => {
    for (let s = 0; s < draws; s++) {
      for (let k = 0; k < grid.points; k++) {
        const z = (grid.values[r * grid.points + k] - mean(r, s)) / noise;
        densities[(r * draws + s) * grid.points + k] = Math.exp(-0.5 * z * z) /
          (noise * Math.sqrt(2 * Math.PI));
      }
    }
  });
  const program: ProgramOutcomes = { weight: 1, answers: {}, draws, densities };
  const rowOf = (row: number) => ({
    row,
    weights: grid.weights.slice(row * grid.points, (row + 1) * grid.points),
  });
  return { program, grid, rowOf };
}

Deno.test("the information about another outcome is −½ log(1 − ρ²) of two normal ones", () => {
  const xs = [-1, 0, 2];
  let held = 0;
  for (let seed = 0; seed < 6; seed++) {
    const { program, rowOf } = lineAt(xs, seed);
    for (const [r, t] of [[0, 1], [1, 2], [0, 2]] as const) {
      const cov = 1 + xs[r] * xs[t];
      const variance = (x: number) => 1 + x * x + noise * noise;
      const exact = -0.5 * Math.log(1 - cov * cov / (variance(xs[r]) * variance(xs[t])));
      const { nats, low, high } = aboutOutcome([program], rowOf(r), rowOf(t));
      assert.ok(Math.abs(nats - exact) < 0.08, `${xs[r]}, ${xs[t]}: ${nats}, ${exact}`);
      if (low - 2e-3 <= exact && exact <= high + 2e-3) held += 1;
    }
  }
  assert.ok(held >= 16, `${held} of 18`);
});

Deno.test("rows of a batch are worth ½ log det(1 + X Xᵀ / σ²) together, and no row is taken twice", () => {
  const xs = [-2, -1, 0, 1, 2];
  const { program, grid } = lineAt(xs, 1);
  const steps = greedyBatch([program], grid.weights, xs.length, 2, new RandomStream("batch"));
  assert.equal(new Set(steps.map(({ row }) => row)).size, 2);
  // The two ends: det [[1 + 5/.64, −3/.64], [−3/.64, 1 + 5/.64]].
  assert.deepEqual(steps.map(({ row }) => Math.abs(xs[row])), [2, 2]);
  const [one, other] = [1 + 5 / 0.64, -3 / 0.64];
  const exact = 0.5 * Math.log(one * one - other * other);
  assert.ok(Math.abs(steps[1].joint - exact) < 0.12, `${steps[1].joint}, ${exact}`);
});
