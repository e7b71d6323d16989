/** Gradients of every node of the graph agree with finite differences. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import {
  binaryOps,
  ternaryOps,
  type UnaryOp,
  unaryOps,
} from "../../../src/engine/language/ir/operations.ts";
import type { Shape } from "../../../src/engine/language/ir/shape.ts";
import { assertGradient, valuesOf } from "./evaluating.ts";

type Builder = (g: SimplifyingBuilder, x: NodeId, y: NodeId) => NodeId;

/** Two inputs of given shapes, a weighted sum of what is built from them, and its gradient. */
function check(
  what: string,
  [first, second]: readonly [Shape, Shape],
  position: readonly number[],
  build: Builder,
): void {
  const g = new SimplifyingBuilder();
  const x = g.input(0, first);
  const y = g.input(first.reduce((a, b) => a * b, 1), second);
  const built = build(g, x, y);
  const size = g.shapeOf(built).reduce((a, b) => a * b, 1);
  const weights = Float64Array.from({ length: size }, (_, i) => 0.7 + 0.3 * ((5 * i) % 7));
  const root = g.sum(g.mul(g.array(weights, g.shapeOf(built)), built));
  assertGradient(g, root, [x, y], Float64Array.from(position), what);
}

/** Where an operation on one number is smooth. */
const domains: { readonly [op in UnaryOp]?: readonly number[] } = {
  log: [0.2, 0.9, 3],
  log1p: [-0.5, 0.1, 3],
  log1mexp: [-3, -0.4, -0.1],
  sqrt: [0.2, 0.9, 3],
  lgamma: [0.3, 1.4, 12],
  digamma: [0.3, 1.4, 12],
  trigamma: [],
  normal_quantile: [0.1, 0.5, 0.93],
  log_i0: [0.4, 2.5, 11],
  bessel_ratio: [0.4, 2.5, 11],
};

Deno.test("slopes of the operations on one number agree with finite differences", () => {
  for (const op of unaryOps) {
    const points = domains[op] ?? [-1.3, 0.4, 1.7];
    for (const x of points) {
      const apply: Builder = (g, a) => g.map(op, a);
      check(`${op}(${x})`, [[2], []], [x, x + 0.01, 1], apply);
    }
  }
});

Deno.test("slopes of the operations on two numbers agree with finite differences", () => {
  for (const op of binaryOps) {
    if (op === "gammainc_shape_slope") continue;
    const shapes: (readonly [Shape, Shape])[] = [[[3], [3]], [[3], []], [[], [3]], [[3], [1]]];
    for (const shape of shapes) {
      const position = [1.3, 0.4, 2.2, 0.6, 1.9, 2.7];
      check(op, shape, position, (g, x, y) => g.map(op, x, y));
    }
  }
});

Deno.test("slopes of the operations on three numbers agree with finite differences", () => {
  for (const op of ternaryOps) {
    if (op === "betainc_a_slope" || op === "betainc_b_slope") continue;
    check(op, [[2], [2]], [1.3, 0.4, 0.6, 0.2], (g, x, y) => {
      if (op === "betainc") return g.map(op, x, g.scalar(2.5), y);
      return g.map(op, g.array(Float64Array.of(1, 0), [2]), x, y);
    });
  }
});

Deno.test("arrays that are broadcast get the sum of what they serve", () => {
  const mul: Builder = (g, x, y) => g.mul(g.exp(x), g.map("sin", y));
  check("rows by columns", [[2, 1], [3]], [0.1, 0.2, 0.3, 0.4, 0.5], mul);
  check("a matrix by a row", [[2, 3], [3]], [1, 2, 3, 4, 5, 6, 7, 8, 9].map((x) => x / 10), mul);
  check("a matrix by a number", [[2, 2], []], [0.1, 0.2, 0.3, 0.4, 0.5], mul);
  check("a block by a matrix", [[2, 1, 2], [2, 1]], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], mul);
});

Deno.test("reductions and scans are differentiated along their axes", () => {
  const position = [1.1, -0.4, 0.7, 2.1, 0.3, -1.6, 0.5];
  for (const op of ["sum", "prod", "max", "min"] as const) {
    for (const axes of [undefined, [0], [1]]) {
      check(`${op} ${axes}`, [[2, 3], []], position, (g, x) => g.reduce(op, g.map("sin", x), axes));
    }
  }
  for (const op of ["cumsum", "cumprod"] as const) {
    for (const axis of [0, 1]) {
      check(`${op} ${axis}`, [[2, 3], []], position, (g, x) => g.scan(op, x, axis));
    }
  }
});

Deno.test("a product with zeros has a gradient", () => {
  const g = new SimplifyingBuilder();
  const x = g.input(0, [3]);
  const slopes = gradientOf(g, g.reduce("prod", x), [x]);
  assert.deepEqual([...valuesOf(g, slopes, Float64Array.of(2, 0, 5))], [0, 10, 0]);
});

Deno.test("what moves elements moves adjoints back", () => {
  const position = [1.1, -0.4, 0.7, 2.1, 0.3, -1.6, 0.5, 0.9];
  const index = Int32Array.of(3, -1, 0, 3, 5);
  check("gather", [[2, 3], [2]], position, (g, x) => g.gather(g.exp(x), index, [5]));
  const into = Int32Array.of(0, 2, 2, -1, 1, 0);
  check("scatter", [[2, 3], [2]], position, (g, x) => g.scatter(g.exp(x), into, [3]));
  check(
    "permutation",
    [[3], [2]],
    position.slice(0, 5),
    (g, x) => g.gather(g.exp(x), Int32Array.of(2, 0, 1), [3]),
  );
  check(
    "take",
    [[2, 3], [2]],
    position,
    (g, x) => g.take(g.exp(x), g.array(Float64Array.of(5, 0, 0), [3])),
  );
  check("join", [[2, 3], [2]], position, (g, x, y) => g.join([g.exp(y), x, y]));
  check("reshape", [[2, 3], [2]], position, (g, x) => g.reshape(g.exp(x), [3, 2]));
});

Deno.test("products, factors and solves of matrices are differentiated", () => {
  const position = [1.7, -0.4, 0.7, 2.1, 0.3, -0.6, 0.5, 0.9];
  check("matmul", [[2, 2], [2, 2]], position, (g, x, y) => g.matmul(x, y));
  const ridge = (g: SimplifyingBuilder, x: NodeId) => {
    const n = g.shapeOf(x)[0];
    const turned = g.gather(
      x,
      Int32Array.from({ length: n * n }, (_, i) => (i % n) * n + Math.floor(i / n)),
      [n, n],
    );
    const eye = Float64Array.from({ length: n * n }, (_, i) => i % (n + 1) === 0 ? 1 : 0);
    return g.add(g.matmul(x, turned), g.array(eye, [n, n]));
  };
  const nine = [0.3, -0.2, 0.5, 0.8, 0.1, -0.7, 0.4, 0.6, 0.2, 0.9, -0.5, 0.7];
  check("cholesky", [[3, 3], [3, 1]], nine, (g, x) => g.cholesky(ridge(g, x)));
  for (const transposed of [false, true]) {
    check(
      "solve",
      [[3, 3], [3, 1]],
      nine,
      (g, x, y) => g.solve(g.cholesky(ridge(g, x)), y, transposed),
    );
  }
});
