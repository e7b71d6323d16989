/** Sums of softplus by one logarithm have the value of the sums. */
import assert from "node:assert/strict";
import { reachable } from "../../../src/engine/inference/density/evaluator.ts";
import { fastSums } from "../../../src/engine/inference/density/fast_sums.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { valuesOf } from "./evaluating.ts";

function start(n: number) {
  const g = new SimplifyingBuilder();
  const x = g.input(0, [n]);
  const y = g.array(Float64Array.from({ length: n }, (_, i) => i % 2), [n]);
  return { g, x, sum: g.sum(g.sub(g.mul(y, x), g.map("softplus", x))) };
}

Deno.test("the logarithm of a product stands for a sum of up to a thousand", () => {
  for (const n of [2, 27, 200, 1000]) {
    const { g, sum } = start(n);
    const [fast] = fastSums(g, [g.mul(g.scalar(2), sum)]);
    assert.notEqual(fast, g.mul(g.scalar(2), sum));
    for (const scale of [0, 1e-8, 1, 30, 1e6]) {
      const position = Float64Array.from({ length: n }, (_, i) => scale * Math.sin(i));
      const [wanted, found] = valuesOf(g, [sum, fast], position);
      const allowed = 5e-15 * n * Math.max(1, scale);
      assert.ok(Math.abs(found - 2 * wanted) <= allowed, `${n}, ${scale}: ${found}, 2 × ${wanted}`);
    }
  }
});

Deno.test("a sum is replaced wherever it is read, and no softplus is left", () => {
  const { g, x, sum } = start(40);
  const roots = [g.log(g.add(g.scalar(1), g.exp(sum))), g.mul(g.exp(sum), g.map("sigmoid", x))];
  const fast = fastSums(g, roots);
  const left = reachable(g.nodes, fast).map((id) => g.nodes[id]);
  const softplus = left.filter((node) => node.kind === "map" && node.op === "softplus");
  assert.ok(softplus.every((node) => node.shape.length === 0));
  const position = Float64Array.from({ length: 40 }, (_, i) => Math.sin(i));
  const [wanted, found] = [valuesOf(g, roots, position), valuesOf(g, fast, position)];
  wanted.forEach((value, i) => assert.ok(Math.abs(found[i] / value - 1) < 1e-13));
});

Deno.test("guards and factors are taken out of the sum", () => {
  const n = 27;
  const g = new SimplifyingBuilder();
  const [x, scale] = [g.input(0, [n]), g.input(n, [])];
  const spread = g.mul(scale, g.exp(x));
  const terms = g.sub(g.mul(g.scalar(-2), g.map("softplus", x)), g.log(spread));
  const guard = g.map("lt", g.scalar(0), spread);
  const sum = g.sum(g.where(guard, g.sub(terms, x), g.scalar(-Infinity)));
  const [fast] = fastSums(g, [sum]);
  const left = reachable(g.nodes, [fast]).map((id) => g.nodes[id]);
  assert.ok(!left.some((node) => node.kind === "map" && node.op === "softplus"));
  for (const factor of [2, 1e-3, 0, -1]) {
    const position = Float64Array.from({ length: n + 1 }, (_, i) => i < n ? Math.sin(i) : factor);
    const [wanted, found] = [valuesOf(g, [sum], position), valuesOf(g, [fast], position)];
    assert.ok(
      Object.is(found[0], wanted[0]) || Math.abs(found[0] - wanted[0]) < 1e-12,
      `${factor}: ${found[0]}, not ${wanted[0]}`,
    );
  }
});

Deno.test("longer sums and sums of other things stay", () => {
  const { g, x, sum } = start(1001);
  assert.deepEqual(fastSums(g, [sum]), [sum]);
  const other = g.sum(g.log(g.exp(g.map("sin", x))));
  assert.deepEqual(fastSums(g, [other]), [other]);
});

Deno.test("numbers outside of the range of doubles stay what they are", () => {
  const { g, sum } = start(3);
  const [fast] = fastSums(g, [sum]);
  assert.equal(
    valuesOf(g, [fast], Float64Array.of(-Infinity, 0, 0))[0],
    valuesOf(g, [sum], Float64Array.of(-Infinity, 0, 0))[0],
  );
  assert.equal(valuesOf(g, [fast], Float64Array.of(-1e308, 0, 0))[0], -2 * Math.LN2);
  assert.ok(Number.isNaN(valuesOf(g, [fast], Float64Array.of(NaN, 0, 0))[0]));
});

Deno.test("the softplus of minus infinity, as beside the last of ordered cutpoints, is nothing", () => {
  const g = new SimplifyingBuilder();
  const sum = g.sum(g.map("softplus", g.input(0, [3])));
  const [fast] = fastSums(g, [sum]);
  const [found] = valuesOf(g, [fast], Float64Array.of(-Infinity, 0, -Infinity));
  assert.ok(Math.abs(found - Math.LN2) < 1e-15);
});
