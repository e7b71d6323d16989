/** Functions of the generated modules have the bits of src/numerics/math, edges included. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { plainEvaluator } from "../../../src/engine/inference/density/plain.ts";
import type { SimplifyingBuilder } from "../../../src/engine/inference/density/simplify.ts";
import { ByteWriter } from "../../../src/numerics/wasm/byte_writer.ts";
import { wasmEvaluator } from "../../../src/engine/inference/density/wasm/evaluator.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import {
  applyBinary,
  applyUnary,
  binaryOps,
  type UnaryOp,
  unaryOps,
} from "../../../src/engine/language/ir/operations.ts";
import { valuesOf } from "./evaluating.ts";

const edges = [0, -0, 1, -1, 0.5, 2.5, -2.5, 708, -708, 709.7, 710, -745, -746, 5e-324, 2.3e-308]
  .concat([1e-310, 1e308, Infinity, -Infinity, NaN, Math.SQRT2, Math.SQRT1_2, 2147483648])
  .concat([2 ** -31, 2 ** -54, -0.2928932188134524, 0.41421356237309503, -0.9999995, 40, -40])
  .concat([-0.9, 1e-15 - 1, 2 ** -1022, 2 ** -1074, 709.782712893384, 709.7827128933841, -745.2]);

/** Values of a unary operation at these numbers, by one module in one loop. */
function byModule(op: UnaryOp, numbers: readonly number[]): Float64Array {
  const g = new GraphBuilder() as SimplifyingBuilder;
  const x = g.input(0, [numbers.length]);
  return valuesOf(g, [g.map(op, x)], Float64Array.from(numbers), (plan) => wasmEvaluator(plan)!);
}

function assertSameBits(op: UnaryOp, numbers: readonly number[]): void {
  const found = byModule(op, numbers);
  numbers.forEach((x, i) => {
    const wanted = applyUnary[op](x);
    assert.ok(Object.is(found[i] + 0, wanted + 0), `${op}(${x}): ${found[i]}, not ${wanted}`);
  });
}

for (const op of unaryOps) {
  Deno.test(`the module's ${op} has the bits of the plain ${op}`, () => {
    assertSameBits(op, edges);
    for (const x of edges) assertSameBits(op, [x]);
    const moderate = fc.double({ min: -50, max: 50, noNaN: true });
    const near = fc.double({ min: -1, max: 1, noNaN: true });
    const many = { minLength: 20, maxLength: 41 };
    for (const numbers of [fc.double(), moderate, near]) {
      fc.assert(
        fc.property(fc.array(numbers, many), (list) => assertSameBits(op, list)),
        { numRuns: 40, seed: 4 },
      );
    }
  });
}

Deno.test("operations on two numbers have the same bits for every pair of edges", () => {
  const [left, right] = [edges.flatMap((x) => edges.map(() => x)), edges.flatMap(() => edges)];
  for (const op of binaryOps) {
    if (op === "gammainc_shape_slope") continue;
    const g = new GraphBuilder() as SimplifyingBuilder;
    const made = g.map(op, g.input(0, [left.length]), g.input(left.length, [left.length]));
    const position = Float64Array.from([...left, ...right]);
    const found = valuesOf(g, [made], position, (plan) => wasmEvaluator(plan)!);
    const plain = valuesOf(g, [made], position, plainEvaluator);
    left.forEach((x, i) => {
      const wanted = applyBinary[op](x, right[i]);
      const what = `${op}(${x}, ${right[i]}): ${found[i]}, ${plain[i]}, not ${wanted}`;
      assert.ok(Object.is(found[i] + 0, wanted + 0) && Object.is(plain[i] + 0, wanted + 0), what);
    });
  }
});

Deno.test("LEB128 splits numbers into groups of seven bits", () => {
  const bytes = (write: (to: ByteWriter) => void) => {
    const to = new ByteWriter();
    write(to);
    return [...to.take()];
  };
  assert.deepEqual(bytes((to) => to.unsigned(0)), [0]);
  assert.deepEqual(bytes((to) => to.unsigned(127)), [127]);
  assert.deepEqual(bytes((to) => to.unsigned(624485)), [0xe5, 0x8e, 0x26]);
  assert.deepEqual(bytes((to) => to.unsigned(2 ** 32)), [128, 128, 128, 128, 16]);
  assert.deepEqual(bytes((to) => to.signed(-123456)), [0xc0, 0xbb, 0x78]);
  assert.deepEqual(bytes((to) => to.signed(64)), [0xc0, 0]);
});
