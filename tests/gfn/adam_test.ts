/** Adam: the first steps by hand, clipping, and rounding to the parameters' precision. */
import assert from "node:assert/strict";
import { adamStep, clipScale, norm } from "../../src/gfn/policies/adam.ts";
import { makeScalarAdam } from "../../src/gfn/train/scalar_adam.ts";

function steps(gradients: readonly number[], rate: number): number {
  const parameters = Float64Array.of(1);
  const moments = { first: new Float64Array(1), second: new Float64Array(1) };
  gradients.forEach((g, i) => adamStep(parameters, Float64Array.of(g), moments, i + 1, rate, 1));
  return parameters[0];
}

Deno.test("the first step has the size of the learning rate, whatever the gradient", () => {
  for (const g of [1e-3, 1, 1e3]) assert.ok(Math.abs(steps([g], 0.1) - 0.9) < 1e-6);
});

Deno.test("the second step is that of algorithm 1 worked out by hand", () => {
  // m = 0.9·0.1 + 0.1·3 = 0.39, v = 0.999·0.001 + 0.001·9 = 0.009999, after g = 1 and g = 3.
  const second = 0.39 / (1 - 0.81) / (Math.sqrt(0.009999 / (1 - 0.998001)) + 1e-8);
  assert.ok(Math.abs(steps([1, 3], 0.1) - (0.9 - 0.1 * second)) < 1e-8);
});

Deno.test("the scalar Adam of log Z takes the same steps", () => {
  const adam = makeScalarAdam();
  let x = 1;
  for (const g of [1, 3, -2, 0.5]) x += adam.step(g, 0.1);
  assert.ok(Math.abs(x - steps([1, 3, -2, 0.5], 0.1)) < 1e-12);
});

Deno.test("a gradient above the norm is scaled to it, one below is left alone", () => {
  assert.equal(norm(Float64Array.of(3, 4)), 5);
  assert.equal(clipScale(5, 1), 0.2);
  assert.equal(clipScale(5, 10), 1);
  assert.equal(clipScale(5, Infinity), 1);
});
