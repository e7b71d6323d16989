/** Loops that are parted keep the bits of the plain kernels. */
import assert from "node:assert/strict";
import { gradientOf } from "../../../src/engine/inference/density/differentiate.ts";
import { plainEvaluator } from "../../../src/engine/inference/density/plain.ts";
import { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { wasmEvaluator } from "../../../src/engine/inference/density/wasm/evaluator.ts";
import { Roles, scheduleOf } from "../../../src/engine/inference/density/wasm/schedule.ts";
import { splitLoops } from "../../../src/engine/inference/density/wasm/split_loops.ts";
import type { NodeId } from "../../../src/engine/language/ir/node.ts";
import { valuesOf } from "./evaluating.ts";

const column = (n: number, j: number) =>
  Float64Array.from({ length: n }, (_, i) => ((i * (7 + j) + 3 * j) % 101) / 50 - 0.9);

/** Value and slopes of a logistic regression, coefficient by coefficient or by a matrix. */
function regression(n: number, k: number, asMatrix: boolean) {
  const g = new SimplifyingBuilder();
  const columns = Array.from({ length: k }, (_, j) => column(n, j));
  const inputs: NodeId[] = [];
  let eta: NodeId;
  if (asMatrix) {
    inputs.push(g.input(0, [k]));
    const rows = Float64Array.from({ length: n * k }, (_, i) => columns[i % k][Math.floor(i / k)]);
    eta = g.reshape(g.matmul(g.array(rows, [n, k]), g.reshape(inputs[0], [k, 1])), [n]);
  } else {
    for (let j = 0; j < k; j++) inputs.push(g.input(j, []));
    const terms = columns.map((values, j) => g.mul(inputs[j], g.array(values, [n])));
    eta = terms.reduce((sum, term) => g.add(sum, term));
  }
  const y = g.array(column(n, k).map((x) => x > 0 ? 1 : 0), [n]);
  const value = g.sum(g.sub(g.mul(y, eta), g.map("softplus", eta)));
  return { g, roots: [value, ...gradientOf(g, value, inputs)] };
}

Deno.test("predictors, their functions and the slopes of coefficients are loops of their own", () => {
  const { g, roots } = regression(64, 25, false);
  const roles = new Roles(g.nodes);
  const { levels, stored } = splitLoops(roles, scheduleOf(roles, roots));
  const long = levels[0].loops.filter(({ count }) => count === 64);
  const sums = long.map(({ nodes }) => nodes.filter((id) => roles.of(id) === "reduction").length);
  assert.deepEqual(sums, [0, 1, 10, 10, 5]);
  const [first] = long;
  assert.deepEqual(first.nodes.filter((id) => stored.has(id)), [first.nodes.at(-1)]);
});

Deno.test("short loops, and loops without costly functions, stay whole", () => {
  for (const { g, roots } of [regression(63, 10, false), regression(64, 5, false)]) {
    const roles = new Roles(g.nodes);
    const schedule = scheduleOf(roles, roots);
    assert.deepEqual(splitLoops(roles, schedule), schedule);
  }
});

for (const asMatrix of [false, true]) {
  Deno.test(`parts of ${asMatrix ? "matrix products" : "sums of products"} have equal bits`, () => {
    for (const [n, k] of [[64, 6], [65, 10], [127, 11], [130, 23], [401, 10]]) {
      const { g, roots } = regression(n, k, asMatrix);
      const position = Float64Array.from({ length: k }, (_, j) => Math.sin(j));
      const plain = valuesOf(g, roots, position, plainEvaluator);
      const found = valuesOf(g, roots, position, (plan) => wasmEvaluator(plan)!);
      const at = found.findIndex((value, i) => !Object.is(value, plain[i]));
      assert.ok(at < 0, `${n} × ${k}: element ${at} is ${found[at]}, not ${plain[at]}`);
    }
  });
}
