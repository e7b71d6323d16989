/** Information of outcomes, compared with closed forms and quadrature. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import {
  aboutAnswers,
  aboutEffects,
  leaderChanges,
} from "../../../src/answers/design/information.ts";
import { outcomeGrid } from "../../../src/answers/design/outcome_grid.ts";
import { type ProgramOutcomes, rowOutcomes } from "../../../src/answers/design/program_outcomes.ts";
import { fillNormal } from "../../../src/numerics/math/mod.ts";

const draws = 512;

/** Densities of Normal(mean_s(row), sd) at each point of the grid that these draws have, by program. */
function normals(
  means: readonly ((row: number, s: number) => number)[],
  sds: readonly number[],
  weights: readonly number[],
  rows: number,
  noise: Float64Array,
) {
  const all = means.flatMap((mean, m) =>
    Array.from(
      { length: draws },
      (_, s) =>
        Array.from({ length: rows }, (_, r) =>
          mean(r, s) + sds[m] * noise[(m * draws + s) % noise.length]),
    ).flat()
  );
  const grid = outcomeGrid(Float64Array.from(all), rows, false, 128);
  const programs = means.map((mean, m): ProgramOutcomes => {
    const densities = new Float32Array(rows * draws * grid.points);
    for (let r = 0; r < rows; r++) {
      for (let s = 0; s < draws; s++) {
        for (let k = 0; k < grid.points; k++) {
          const z = (grid.values[r * grid.points + k] - mean(r, s)) / sds[m];
          densities[(r * draws + s) * grid.points + k] = Math.exp(-0.5 * z * z) /
            (sds[m] * Math.sqrt(2 * Math.PI));
        }
      }
    }
    return { weight: weights[m], answers: {}, draws, densities };
  });
  const weightsOf = (row: number) => grid.weights.slice(row * grid.points, (row + 1) * grid.points);
  return { programs, weightsOf };
}

function white(key: string, count: number): Float64Array {
  const out = new Float64Array(count);
  fillNormal(new RandomStream(key), out);
  return out;
}

Deno.test("the information of a normal row about a slope is ½ log(1 + x² τ² / σ²)", () => {
  const xs = Array.from({ length: 25 }, (_, k) => 0.1 * k);
  let held = 0;
  for (let seed = 0; seed < 4; seed++) {
    const slopes = white(`slopes ${seed}`, draws);
    const noise = white(`noise ${seed}`, draws);
    const { programs, weightsOf } = normals([(r, s) => xs[r] * slopes[s]], [0.7], [1], 25, noise);
    xs.forEach((x, r) => {
      const { nats, low, high } = aboutEffects(rowOutcomes(programs, r, weightsOf(r)));
      const exact = 0.5 * Math.log(1 + x * x / 0.49);
      assert.ok(high - low < 0.35, `${x}: ${low} … ${high}`);
      assert.ok(Math.abs(nats - exact) < 0.1, `${x}: ${nats}, ${exact}`);
      if (low - 1e-6 <= exact && exact <= high + 1e-6) held += 1;
    });
  }
  assert.ok(held >= 90, `${held} of 100`);
});

Deno.test("the information about two laws is that of quadrature over both normal mixtures", () => {
  const shifts = [0, 0.3, 1, 2, 4];
  let held = 0;
  for (let seed = 0; seed < 8; seed++) {
    const [a, b] = [white(`a ${seed}`, draws), white(`b ${seed}`, draws)];
    const { programs, weightsOf } = normals(
      [(_, s) => 0.3 * a[s], (r, s) => shifts[r] + 0.3 * b[s]],
      [1, 1],
      [0.6, 0.4],
      shifts.length,
      white(`noise ${seed}`, 2 * draws),
    );
    shifts.forEach((shift, r) => {
      const exact = twoNormals(shift, Math.sqrt(1.09), 0.6);
      const { low, high } = aboutAnswers(rowOutcomes(programs, r, weightsOf(r)));
      assert.ok(high - low < 0.08, `${shift}: ${low} … ${high}`);
      if (low - 1e-3 <= exact && exact <= high + 1e-3) held += 1;
    });
  }
  assert.ok(held >= 36, `${held} of 40`);
});

Deno.test("a leader changes as often as the outcome is likelier under the rival by more than the odds", () => {
  const zero = () => 0;
  const { programs, weightsOf } = normals(
    [zero, () => 2],
    [1, 1],
    [0.6, 0.4],
    1,
    white("noise", 2 * draws),
  );
  // Beyond 1 + ½ log 1.5: SciPy 1.17.1, .6 · sf(1.2027) + .4 · sf(−.7973).
  const changes = leaderChanges(rowOutcomes(programs, 0, weightsOf(0)), [0, 1]);
  assert.ok(Math.abs(changes - 0.38366) < 0.02, `${changes}`);
});

/** The Jensen–Shannon divergence of Normal(0, sd) and Normal(shift, sd), in nats. */
function twoNormals(shift: number, sd: number, weight: number): number {
  const density = (y: number, mean: number) =>
    Math.exp(-0.5 * ((y - mean) / sd) ** 2) / (sd * Math.sqrt(2 * Math.PI));
  let sum = 0;
  for (let y = -8 * sd; y < shift + 8 * sd; y += 0.002) {
    const [p, q] = [density(y, 0), density(y, shift)];
    const mixed = weight * p + (1 - weight) * q;
    sum += 0.002 * (weight * p * Math.log(p / mixed) + (1 - weight) * q * Math.log(q / mixed));
  }
  return sum;
}
