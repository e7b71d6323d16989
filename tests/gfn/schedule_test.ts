/** Schedules of the learning rate and of exploration. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { courseAt } from "../../src/gfn/train/course.ts";
import { behavioursAt } from "../../src/gfn/train/exploration.ts";
import { rateAt } from "../../src/gfn/train/schedule.ts";

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

Deno.test("a warm-up multiplies the rate by a ramp until its end, and changes nothing after", () => {
  const plain = { start: 2, schedule: "cosine", end: 0 } as const;
  const warm = { ...plain, warm_up: 0.2 };
  assert.equal(rateAt(warm, 0), 0);
  assert.equal(rateAt(warm, 0.1), rateAt(plain, 0.1) / 2);
  for (const at of [0.2, 0.5, 1]) assert.equal(rateAt(warm, at), rateAt(plain, at));
});

Deno.test("exploration falls linearly until its end and stays there", () => {
  const course = { start: 0.5, end: 0.25, until: 0.5 };
  assert.deepEqual([0, 0.25, 0.5, 1].map((at) => courseAt(course, at)), [0.5, 0.375, 0.25, 0.25]);
  assert.equal(courseAt({ start: 0.5, end: 0.1, until: 0 }, 0), 0.1);
});

Deno.test("the behaviours of a batch always sum to its size, and none is empty", () => {
  const share = fc.double({ min: 0, max: 0.5, noNaN: true });
  fc.assert(fc.property(fc.integer({ min: 1, max: 64 }), share, share, (count, first, second) => {
    const mix = [first, second].map((share) => ({ share, epsilon: 0, temperature: 2 }));
    const behaviours = behavioursAt({ epsilon: 0.1, temperature: 1 }, mix, count, 0.5);
    assert.equal(behaviours.reduce((sum, one) => sum + one.count, 0), count);
    assert.ok(behaviours.every((one) => one.count > 0));
  }));
});
