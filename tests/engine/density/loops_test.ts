/** Loops of generated modules, for every size and kind of access, have the bits of plain kernels. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { plainEvaluator } from "../../../src/engine/inference/density/plain.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { wasmEvaluator } from "../../../src/engine/inference/density/wasm/evaluator.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { valuesOf } from "./evaluating.ts";

type Build = (g: SimplifyingBuilder, x: NodeId, n: number) => NodeId;

const data = (size: number, seed = 1) =>
  Float64Array.from({ length: size }, (_, i) => ((i * 37 + seed * 11) % 101) / 40 - 1.2);

/** Value, sum and gradient of what is built from an input of n numbers. */
function check(what: string, n: number, build: Build): void {
  const g = new SimplifyingBuilder();
  const x = g.input(0, [n]);
  const made = build(g, x, n);
  const weights = g.array(data(sizeOf(g.shapeOf(made)), 5), g.shapeOf(made));
  const root = g.sum(g.mul(weights, made));
  const roots = [made, root, ...gradientOf(g, root, [x])];
  const position = data(n, 2);
  const plain = valuesOf(g, roots, position, plainEvaluator);
  const found = valuesOf(g, roots, position, (plan) => wasmEvaluator(plan)!);
  assert.equal(found.length, plain.length);
  const at = found.findIndex((value, i) => !Object.is(value + 0, plain[i] + 0));
  assert.ok(at < 0, `${what}, ${n}: element ${at} is ${found[at]}, not ${plain[at]}`);
}

const sizes = [2, 3, 4, 7, 8, 33, 64, 65, 130];

Deno.test("elementwise code", () => {
  for (const n of [1, ...sizes]) {
    check("chain", n, (g, x) => g.exp(g.mul(g.map("sin", x), g.array(data(n), [n]))));
    check("shared decay", n, (g, x) => {
      const s = g.map("softplus", g.neg(x));
      return g.add(g.mul(s, g.map("sigmoid", x)), g.map("softplus", x));
    });
    check("choices", n, (g, x) => {
      const c = g.map("and", g.map("lt", x, g.scalar(0.3)), g.map("gt", x, g.scalar(-0.9)));
      return g.add(g.where(c, g.exp(x), g.scalar(2)), c);
    });
  }
});

Deno.test("products of data with coefficients, and their adjoints", () => {
  for (const k of [1, 2, 3, 10, 65, 129]) {
    for (const n of [2, 5, 65, 131]) {
      check(
        `${n} rows`,
        k,
        (g, x) => g.map("sigmoid", g.matmul(g.array(data(n * k), [n, k]), g.reshape(x, [k, 1]))),
      );
      check(
        `${n} rows by broadcasting`,
        k,
        (g, x) => g.exp(g.sum(g.mul(g.array(data(n * k), [n, k]), g.mul(g.scalar(0.1), x)), [1])),
      );
    }
  }
});

Deno.test("products of matrices of parameters", () => {
  check("a square", 9, (g, x) => g.matmul(g.reshape(x, [3, 3]), g.reshape(g.exp(x), [3, 3])));
  check("a row by a column", 5, (g, x) => g.matmul(g.reshape(x, [1, 5]), g.reshape(x, [5, 1])));
  check("several columns", 6, (g, x) => g.matmul(g.array(data(14), [7, 2]), g.reshape(x, [2, 3])));
});

Deno.test("indices, from a vector into rows and back", () => {
  for (const n of sizes) {
    const rows = 3 * n + 1;
    const index = Int32Array.from({ length: rows }, (_, i) => (i * 5) % n);
    const sparse = index.map((at, i) => i % 4 === 1 ? -1 : at);
    check("gather", n, (g, x) => g.exp(g.gather(g.map("sin", x), index, [rows])));
    check("gather with gaps", n, (g, x) => g.exp(g.gather(g.map("sin", x), sparse, [rows])));
    const into = Int32Array.from({ length: n }, (_, i) => (i * 3) % 5 - 1);
    check("scatter", n, (g, x) => g.exp(g.scatter(g.map("sin", x), into, [4])));
    check("gaps around one number", n, (g, x) => {
      const index = Int32Array.from({ length: n }, (_, i) => i % 3 === 1 ? 0 : -1);
      return g.gather(g.exp(g.sum(x)), index, [n]);
    });
    check("an element", n, (g, x) => g.mul(g.gather(x, Int32Array.of(n - 1), []), x));
  }
});

Deno.test("broadcasts and reductions over some axes", () => {
  for (const [n, m] of [[2, 3], [5, 5], [7, 2], [3, 140], [140, 3]]) {
    for (const op of ["sum", "max", "min", "prod"] as const) {
      for (const axis of [0, 1]) {
        check(`${op} over ${axis} of ${n} × ${m}`, n * m, (g, x) => {
          const table = g.reshape(g.map("sin", x), [n, m]);
          return g.mul(g.exp(g.reduce(op, table, [axis])), g.scalar(0.5));
        });
      }
    }
    check("rows by columns", n + m, (g, x) => {
      const row = g.gather(x, Int32Array.from({ length: n }, (_, i) => i), [n, 1]);
      const column = g.gather(x, Int32Array.from({ length: m }, (_, i) => n + i), [m]);
      return g.exp(g.mul(g.map("sin", row), column));
    });
  }
});

Deno.test("scans, joins and steps between loops", () => {
  for (const n of sizes) {
    check("cumsum", n, (g, x) => g.map("tanh", g.scan("cumsum", g.exp(x), 0)));
    check("join", n, (g, x) => g.exp(g.join([g.sum(x), x, g.scalar(0.25), g.map("sin", x)])));
    check("normalised", n, (g, x) => g.div(g.exp(x), g.sum(g.exp(x))));
    check("centred twice", n, (g, x) => {
      const once = g.sub(x, g.reduce("max", x));
      return g.sub(once, g.reduce("min", g.square(once)));
    });
  }
});

Deno.test("arrays without elements", () => {
  for (const n of [1, 4]) {
    check("an empty slice", n, (g, x) => {
      const none = g.exp(g.gather(x, new Int32Array(0), [0]));
      return g.add(g.map("sin", x), g.add(g.sum(none), g.sum(g.join([none, g.square(x)]))));
    });
  }
});

Deno.test("evaluators take turns on the shared memory without disturbing each other", () => {
  const evaluators = [3, 5000, 8].map((n) => {
    const g = new SimplifyingBuilder();
    const x = g.input(0, [n]);
    const root = g.sum(g.mul(g.array(data(n), [n]), g.exp(x)));
    const tasks = [[root, ...gradientOf(g, root, [x])]];
    return { n, run: wasmEvaluator({ nodes: g.nodes, inputSize: n, tasks })! };
  });
  const value = ({ n, run }: typeof evaluators[0]) => {
    const result = run.run(0, data(n, 3), 0);
    return result[run.places(0)[0]];
  };
  const first = evaluators.map(value);
  assert.deepEqual(evaluators.toReversed().map(value), first.toReversed());
});

Deno.test("a graph that is too large for a module is left to the plain back end", () => {
  const g = new SimplifyingBuilder();
  let x = g.input(0, []);
  for (let i = 0; i < 21000; i++) x = g.map("sin", x);
  assert.equal(wasmEvaluator({ nodes: g.nodes, inputSize: 1, tasks: [[x]] }), undefined);
});
