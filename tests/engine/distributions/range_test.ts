/** Ranges of a node's values that are known by construction, and tests that they hold. */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  knownAscending,
  knownAtMost,
  knownBelow,
  knownNonNegative,
  knownPositive,
  rangeOf,
} from "../../../src/engine/language/distributions/range.ts";
import { forward } from "../../../src/engine/language/distributions/transforms.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { evaluate } from "./evaluate.ts";

Deno.test("parameters behind a logarithm, log odds or an interval lie where their prior wants them", () => {
  const g = new GraphBuilder();
  const q = g.input(0, []);
  assert.ok(knownPositive(g, g.exp(q)));
  assert.ok(knownPositive(g, g.map("sigmoid", q)) && knownBelow(g, g.map("sigmoid", q), 1));
  const within = g.add(g.scalar(2), g.mul(g.scalar(3), g.map("sigmoid", q)));
  assert.deepEqual(rangeOf(g, within), { low: 2, high: 5, lowOpen: true, highOpen: true });
  assert.ok(!knownPositive(g, q) && !knownNonNegative(g, g.add(g.exp(q), q)));
});

Deno.test("the probability 1 − e^(−rate · time) is known to be one", () => {
  const g = new GraphBuilder();
  const rate = g.exp(g.input(0, []));
  const time = g.array(Float64Array.of(0.5, 1, 7), [3]);
  const p = g.sub(g.scalar(1), g.exp(g.neg(g.mul(rate, time))));
  assert.ok(knownNonNegative(g, p) && knownAtMost(g, p, 1));
});

Deno.test("ordered cutpoints ascend and the diagonal of a factor is positive, by construction", () => {
  const g = new GraphBuilder();
  const ordered = forward(g, { kind: "ordered" }, g.input(0, [2, 4]));
  assert.ok(knownAscending(g, ordered));
  assert.ok(!knownAscending(g, g.scan("cumsum", g.input(0, [4]), 0)));
  const packed = forward(g, { kind: "cholesky_factor", n: 3 }, g.input(0, [6]));
  const full = g.gather(packed, Int32Array.of(0, -1, -1, 1, 2, -1, 3, 4, 5), [3, 3]);
  assert.ok(knownPositive(g, g.gather(full, Int32Array.of(0, 4, 8), [3])));
  assert.ok(!knownPositive(g, g.gather(full, Int32Array.of(0, 4, 7), [3])));
  assert.ok(!knownPositive(g, g.gather(full, Int32Array.of(0, 1), [2])));
});

/** Builds a node from a tree of operations. */
type Tree = { readonly op: string; readonly of: readonly Tree[] } | number;
const tree: fc.Arbitrary<Tree> = fc.letrec<{ node: Tree }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Tree>(-2, -1, -0.5, 0, 0.5, 1, 3, NaN),
    fc.record({
      op: fc.constantFrom(
        "neg",
        "exp",
        "log",
        "sqrt",
        "abs",
        "sigmoid",
        "softplus",
        "tanh",
        "log1p",
      ),
      of: fc.tuple(tie("node")),
    }),
    fc.record({
      op: fc.constantFrom("add", "sub", "mul", "div", "maximum", "minimum", "pow", "lt"),
      of: fc.tuple(tie("node"), tie("node")),
    }),
  ),
})).node;

/** NaN in a tree stands for the free input. */
function build(g: GraphBuilder, one: Tree): NodeId {
  if (typeof one === "number") return one === one ? g.scalar(one) : g.input(0, []);
  const args = one.of.map((part) => build(g, part));
  const call = g.map as unknown as (op: string, ...args: NodeId[]) => NodeId;
  return call.call(g, one.op, ...args);
}

Deno.test("no value of an expression is outside of its known range", () => {
  fc.assert(
    fc.property(tree, fc.double({ min: -6, max: 6, noNaN: true }), (one, x) => {
      const g = new GraphBuilder();
      const node = build(g, one);
      const [value] = evaluate(g, node, [Float64Array.of(x)]);
      const { low, high, lowOpen } = rangeOf(g, node);
      if (Number.isNaN(value) || value === low || value === high) return;
      const slack = 1e-12 * Math.max(1, Math.abs(value));
      assert.ok(value >= low - slack && value <= high + slack, `${value} in [${low}, ${high}]`);
      if (low === 0 && lowOpen) assert.ok(value >= 0);
    }),
    { numRuns: 3000, seed: 20 },
  );
});
