/** Schedules of the learning rate and of exploration. */
import assert from "node:assert/strict";
import { explorationShare } from "../../src/gfn/exploration.ts";
import { rateAt } from "../../src/gfn/schedule.ts";

Deno.test("a cosine schedule starts and ends where it says and is half way in the middle", () => {
  const rate = { start: 3e-3, schedule: "cosine", end: 1e-3 } as const;
  assert.equal(rateAt(rate, 0), 3e-3);
  assert.ok(Math.abs(rateAt(rate, 0.5) - 2e-3) < 1e-18);
  assert.ok(Math.abs(rateAt(rate, 1) - 1e-3) < 1e-18);
  assert.ok(Math.abs(rateAt(rate, 0.25) - (2e-3 + 1e-3 * Math.SQRT1_2)) < 1e-18);
});

Deno.test("linear and constant schedules are what their names say", () => {
  assert.equal(rateAt({ start: 1, schedule: "linear", end: 0.5 }, 0.5), 0.75);
  assert.equal(rateAt({ start: 1, schedule: "constant", end: 0 }, 1), 1);
  assert.equal(rateAt(0.25, 0.3), 0.25);
});

Deno.test("exploration falls linearly until its end and stays there", () => {
  const schedule = { start: 0.5, end: 0.25, until: 0.5 };
  assert.deepEqual([0, 0.25, 0.5, 1].map((at) => explorationShare(schedule, at)), [
    0.5,
    0.375,
    0.25,
    0.25,
  ]);
  assert.equal(explorationShare({ start: 0.5, end: 0.1, until: 0 }, 0), 0.1);
});
