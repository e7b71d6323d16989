/** Exponentials of arrays have the bits of those of numbers. */
import assert from "node:assert/strict";
import { exp, log } from "../../../src/numerics/math/elementary.ts";
import {
  exponentials,
  sumOfExponentials,
  takeLogs,
} from "../../../src/numerics/math/exponentials.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { sharedMemory } from "../../../src/numerics/wasm/memory.ts";

const edges = [NaN, Infinity, -Infinity, -746, 710, 0, -0, 5e-324];
const numbers = (n: number) =>
  Float64Array.from({ length: n }, (_, i) => i % 37 === 5 ? edges[i % 8] : 400 * Math.sin(i));

Deno.test("every element of an array of any length has the bits of exp", () => {
  for (const n of [0, 1, 15, 16, 17, 511, 512, 513, 1500]) {
    const values = numbers(n);
    const out = new Float64Array(n);
    exponentials(values, 2.5, out);
    const at = out.findIndex((x, i) => !Object.is(x, exp(values[i] - 2.5)));
    assert.equal(at, -1, `${n}: element ${at}`);
    exponentials(values, 2.5, values);
    assert.deepEqual([...values.subarray(0, 9)], [...out.subarray(0, 9)]);
  }
});

Deno.test("every logarithm of an array of any length has the bits of log", () => {
  for (const n of [0, 1, 15, 16, 17, 513, 1500]) {
    const values = numbers(n);
    const out = values.slice();
    takeLogs(out);
    const at = out.findIndex((x, i) => !Object.is(x, log(values[i])));
    assert.equal(at, -1, `${n}: element ${at}`);
  }
});

Deno.test("sums take entries in order, by offset and stride, also after the memory has grown", () => {
  const values = Float64Array.from({ length: 3000 }, (_, i) => Math.sin(i) * 9);
  for (const [offset, length, stride] of [[0, 3000, 1], [3, 999, 3], [10, 7, 2], [5, 0, 1]]) {
    let wanted = 0;
    for (let k = 0; k < length; k++) wanted += exp(values[offset + k * stride] - 1);
    assert.equal(sumOfExponentials(values, 1, offset, length, stride), wanted);
    sharedMemory().grow(1);
  }
  assert.equal(logSumExp(Float64Array.from({ length: 20 }, () => -1e300)), -1e300);
});
