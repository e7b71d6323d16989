/** Tests of rewrites: the formulas that they make, node for node. */
import assert from "node:assert/strict";
import { reachable } from "../../../src/engine/inference/density/evaluator.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { unguarded } from "../../../src/engine/inference/density/unguarded.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { valuesOf } from "./evaluating.ts";

/** A builder with a scalar and a vector input, a positive scalar, and data. */
function start() {
  const g = new SimplifyingBuilder();
  const s = g.input(0, []);
  const v = g.input(1, [5]);
  const w = g.input(6, [5]);
  const data = g.array(Float64Array.of(1, -2, 0.5, 4, 3), [5]);
  return { g, s, v, w, data, positive: g.exp(s) };
}

const minus = (g: SimplifyingBuilder, x: NodeId) => g.mul(g.scalar(-1), x);

Deno.test("scalar factors stand once, before the array", () => {
  const { g, s, v, w, positive } = start();
  assert.equal(g.mul(g.mul(v, s), positive), g.mul(g.mul(s, positive), v));
  assert.equal(g.mul(g.mul(s, v), g.mul(s, w)), g.mul(g.mul(s, s), g.mul(v, w)));
  assert.equal(g.div(v, s), g.mul(g.div(g.scalar(1), s), v));
  assert.equal(g.div(s, v), g.mul(s, g.div(g.scalar(1), v)));
  assert.equal(g.neg(g.mul(g.scalar(3), v)), g.mul(g.scalar(-3), v));
  assert.equal(g.add(g.mul(s, v), g.mul(s, w)), g.mul(s, g.add(v, w)));
  assert.equal(g.add(v, minus(g, w)), g.sub(v, w));
  assert.equal(g.add(v, v), g.mul(g.scalar(2), v));
});

Deno.test("factors, numbers and data leave sums", () => {
  const { g, s, v, w, data } = start();
  assert.equal(g.sum(g.mul(s, v)), g.mul(s, g.sum(v)));
  assert.equal(g.sum(g.add(v, s)), g.add(g.sum(v), g.mul(g.scalar(5), s)));
  assert.equal(g.sum(g.sub(v, data)), g.sub(g.sum(v), g.scalar(6.5)));
  const condition = g.map("gt", s, g.scalar(0));
  assert.equal(
    g.sum(g.where(condition, v, g.scalar(-Infinity))),
    g.where(condition, g.sum(v), g.scalar(-Infinity)),
  );
  const known = g.array(Float64Array.of(1, 0, 0, 1, 0), [5]);
  const [a, b] = [g.log(g.exp(s)), g.exp(s)];
  assert.equal(
    g.sum(g.where(known, a, b)),
    g.add(g.mul(g.scalar(2), a), g.mul(g.scalar(3), b)),
  );
  const spread = g.sum(g.mul(g.array(Float64Array.from({ length: 15 }, (_, i) => i), [3, 5]), w), [
    1,
  ]);
  assert.ok(g.nodes.some((node) => node.kind === "matmul"));
  assert.deepEqual(g.shapeOf(spread), [3]);
});

Deno.test("sums of gradients stay whole", () => {
  const { g, s, v } = start();
  g.splitsSums = false;
  const sum = g.nodes[g.sum(g.add(v, s))];
  assert.equal(sum.kind, "reduce");
});

Deno.test("logarithms take their stable forms", () => {
  const { g, v, w, data } = start();
  const softplus = (x: NodeId) => g.map("softplus", x);
  const one = g.scalar(1);
  assert.equal(g.log(g.exp(v)), v);
  assert.equal(g.exp(g.log(g.exp(v))), g.exp(v));
  assert.equal(g.log(g.map("sigmoid", v)), g.neg(softplus(g.neg(v))));
  assert.equal(g.log(g.sub(one, g.map("sigmoid", v))), g.neg(softplus(v)));
  assert.equal(g.map("log1p", g.neg(g.map("sigmoid", v))), g.neg(softplus(v)));
  assert.equal(g.map("log1p", g.exp(v)), softplus(v));
  assert.equal(g.log(g.add(one, g.exp(v))), softplus(v));
  assert.equal(g.log(g.sub(one, g.exp(v))), g.map("log1mexp", v));
  assert.equal(g.sub(one, g.map("sigmoid", v)), g.map("sigmoid", g.neg(v)));
  assert.equal(g.log(g.map("sqrt", v)), g.mul(g.scalar(0.5), g.log(v)));
  assert.equal(g.map("sqrt", g.square(v)), g.map("abs", v));
  const either = g.where(g.map("gt", data, g.scalar(0)), softplus(v), softplus(w));
  assert.equal(g.nodes[either].kind === "map" && g.nodes[either].args.length, 1);
});

Deno.test("log-sum-exp does not overflow, and keeps infinities", () => {
  const { g, s, v, w } = start();
  const all = g.log(g.sum(g.exp(v)));
  const two = g.log(g.add(g.exp(v), g.exp(w)));
  const at = (x: number, y: number) => Float64Array.of(0, x, x, x, x, x, y, y, y, y, y);
  const big = valuesOf(g, [all, two], at(1000, 1000));
  assert.ok(Math.abs(big[0] - (1000 + Math.log(5))) < 1e-12);
  assert.ok(Math.abs(big[1] - (1000 + Math.log(2))) < 1e-12);
  assert.deepEqual([...valuesOf(g, [all], at(-Infinity, 0))], [-Infinity]);
  assert.equal(valuesOf(g, [two], at(-Infinity, -Infinity))[0], -Infinity);
  assert.equal(valuesOf(g, [two], at(-Infinity, 3))[0], 3);
  assert.equal(g.shapeOf(s).length, 0);
});

Deno.test("powers are products, roots or exponentials", () => {
  const { g, s, v, data, positive } = start();
  assert.equal(g.map("pow", v, g.scalar(3)), g.mul(g.square(v), v));
  assert.equal(g.map("pow", positive, data), g.exp(g.mul(s, data)));
  // A free exponent: zeros are exact, negative bases have no power.
  const power = g.map("pow", data, s);
  const zeros = g.map("pow", g.array(Float64Array.of(0, 2), [2]), s);
  const at = (x: number) => Float64Array.of(x, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  assert.ok(Number.isNaN(valuesOf(g, [power], at(0.5))[1]));
  assert.ok(Math.abs(valuesOf(g, [power], at(0.5))[3] - 2) < 1e-15);
  assert.equal(valuesOf(g, [zeros], at(0.5))[0], 0);
  assert.equal(valuesOf(g, [zeros], at(-0.5))[0], Infinity);
  assert.equal(valuesOf(g, [zeros], at(0))[0], 1);
});

Deno.test("guards are taken off along sums, and only there", () => {
  const { g, s, v, w } = start();
  const guarded = g.where(g.map("gt", v, g.scalar(0)), g.log(v), g.scalar(-Infinity));
  const total = g.add(g.sum(guarded), g.mul(g.scalar(2), s));
  assert.equal(unguarded(g, total), g.add(g.sum(g.log(v)), g.mul(g.scalar(2), s)));
  const inside = g.sum(g.exp(g.add(guarded, w)));
  assert.equal(unguarded(g, inside), inside);
});

Deno.test("the logarithm of a power whose base may be zero is taken of its base alone", () => {
  const g = new SimplifyingBuilder();
  const [x, y, s] = [g.input(0, [3]), g.input(3, []), g.exp(g.input(4, []))];
  const made = g.log(g.mul(s, g.map("pow", x, y)));
  const logarithms = reachable(g.nodes, [made]).filter((id) => {
    const node = g.nodes[id];
    return node.kind === "map" && node.op === "log";
  });
  assert.equal(logarithms.length, 1);
  for (const power of [0.7, 0, -1.5]) {
    const position = Float64Array.of(2, 0, 0.3, power, 0.25);
    const found = valuesOf(g, [made], position);
    const wanted = [2, 0, 0.3].map((base) => 0.25 + Math.log(base ** power));
    wanted.forEach((value, i) =>
      assert.ok(found[i] === value || Math.abs(found[i] - value) < 1e-14, `${found[i]}, ${value}`)
    );
  }
});
