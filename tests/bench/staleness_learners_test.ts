/** Tests of the learners "by the walker": returns and ratios by the policy that sampled the batch. */
import assert from "node:assert/strict";
import { learners, objectiveOf } from "../../bench/staleness/learners.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { objectiveNamed } from "../../src/gfn/objectives/built_in_objectives.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Scores } from "../../src/gfn/trajectories/trajectory.ts";

const numbers = environmentNamed("numbers", { max: 9, base: 10 }) as Environment;
const walks = [1, 2, 3].map((digit) => ({ actions: [digit, numbers.exitAction] }));
const batch = makeBatch(numbers, walks, [[-1], [-2], [-4]]);
const scoresOf = (logPf: readonly number[]): Scores => ({
  logPf: Float64Array.from(logPf),
  logExit: new Float64Array(batch.B * batch.T),
  logFlow: new Float64Array(batch.B * batch.T),
  handle: 0,
});
const now = scoresOf([-1, 0, -2, 0, -3, 0]);
const then = scoresOf([-1.5, 0, -1.5, 0, -3, 0]);
const state = { logZ: 0, parameters: { kl: 1, clip: 0.2, epochs: 1, advantage: "mean" } };
const byWalker = (name: string) =>
  learners.find(({ objective, byWalker: is }) => objective === name && is)!;
const gradientOf = (
  name: string,
  walked: Scores,
) => [...objectiveOf(byWalker(name), () => walked).evaluate(now, batch, state).gradients.logPf];

Deno.test("where the policy that learns has walked, nothing is changed", () => {
  for (const name of ["reinforce", "grpo", "ppo"]) {
    const plain = objectiveNamed(name).evaluate(now, batch, state).gradients.logPf;
    assert.deepEqual(gradientOf(name, now), [...plain], name);
  }
});

Deno.test("REINFORCE pays by what the walker said, whatever the policy says now", () => {
  // Returns are log R − Σ log P_F: 0.5, −0.5 and −1; each has the mean of the others as a baseline.
  const advantages = [0.5 + 0.75, -0.5 + 0.25, -1 - 0];
  const wanted = advantages.flatMap((one) => [-one / 3, -one / 3]);
  gradientOf("reinforce", then).forEach((found, at) => {
    assert.ok(Math.abs(found - wanted[at]) < 1e-12, `${at}: ${found} is not ${wanted[at]}`);
  });
});

Deno.test("GRPO counts its steps from the walker: an action that has grown by 20 % has no gradient", () => {
  const found = gradientOf("grpo", then);
  assert.equal(found[0], 0); // e^0.5 times as likely as then, and its return is above the mean
  assert.ok(found[1] < 0 && found[2] === 0); // less likely by more than 20 % already, below the mean
  assert.ok(found[4] > 0); // as likely as then
});
