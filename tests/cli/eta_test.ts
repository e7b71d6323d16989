/** The time left of a stage: steps as they went of late, and a large request by itself. */
import assert from "node:assert/strict";
import { RemainingTime } from "../../src/cli/eta.ts";
import type { StageProgress } from "../../src/pipeline/plan/observer.ts";

/** A message of a loop of 100 steps that scores ten programs a second. */
function message(
  step: number,
  secondsElapsed: number,
  batch?: StageProgress["batch"],
): StageProgress {
  const rest = {
    stage: "train",
    steps: 100,
    status: {},
    distinctPrograms: 0,
    executed: 0,
    recalled: 0,
  };
  return { ...rest, step, secondsElapsed, batch, executionsPerSecond: 10 };
}

Deno.test("nothing is known before the first step is done", () => {
  assert.equal(new RemainingTime().observe(message(0, 1)), Infinity);
});

Deno.test("the steps that are left take as long as the last ones did", () => {
  const remaining = new RemainingTime();
  remaining.observe(message(0, 5));
  assert.equal(remaining.observe(message(10, 15)), 90);
});

Deno.test("a small request within a step neither adds to the time nor takes it away", () => {
  const remaining = new RemainingTime();
  remaining.observe(message(0, 0));
  const before = remaining.observe(message(10, 10));
  assert.equal(remaining.observe(message(10, 10.9, { done: 1, total: 32 })), before);
  remaining.observe(message(10, 10.9, { done: 31, total: 32 }));
  assert.equal(Math.round(remaining.observe(message(11, 11))), 89);
});

Deno.test("a large request is counted by its programs, and not as a step", () => {
  const remaining = new RemainingTime();
  remaining.observe(message(0, 0));
  remaining.observe(message(10, 10));
  assert.equal(remaining.observe(message(10, 11, { done: 1000, total: 5000 })), 490);
  remaining.observe(message(10, 400, { done: 5000, total: 5000 }));
  assert.equal(Math.round(remaining.observe(message(11, 401))), 89);
});
