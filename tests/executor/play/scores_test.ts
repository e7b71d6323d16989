/** Tests of scores: errors, skill and its bootstrap. */
import assert from "node:assert/strict";
import { bootstrap, errorOf, skillOf } from "../../../src/executor/play/scores.ts";

Deno.test("errors are squared, absolute or wrong", () => {
  assert.equal(errorOf(3, 1, "squared"), 4);
  assert.equal(errorOf(3, 1, "absolute"), 2);
  assert.equal(errorOf(1, 1, "wrong"), 0);
  assert.equal(errorOf(0, 1, "wrong"), 1);
});

Deno.test("skill is 1 at the oracle, 0 at the constant, and the bootstrap keeps pairs together", () => {
  const episodes = [1, 5, 20].map((constant) => ({ error: 1, oracle: 1, constant: constant + 1 }));
  assert.equal(skillOf(episodes).value, 1);
  assert.equal(skillOf(episodes.map((one) => ({ ...one, error: one.constant }))).value, 0);
  const half = skillOf(episodes.map((one) => ({ ...one, error: 0.5 * (1 + one.constant) })));
  assert.ok(Math.abs(half.value - 0.5) < 1e-12);
  assert.ok(half.high - half.low < 1e-9, "each episode has the same skill");
});

Deno.test("the interval of a mean is that of its standard error", () => {
  const values = Array.from({ length: 100 }, (_, k) => k % 2);
  const { value, low, high } = bootstrap(
    values,
    (some) => some.reduce((a, b) => a + b, 0) / some.length,
  );
  assert.equal(value, 0.5);
  assert.ok(Math.abs(high - low - 2 * 1.96 * 0.05) < 0.03, `${low} ${high}`);
});
