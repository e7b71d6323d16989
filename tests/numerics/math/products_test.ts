/** Products of columns by generated code are those of plain loops. */
import assert from "node:assert/strict";
import { sharedMemory } from "../../../src/numerics/wasm/memory.ts";
import { productsOfColumns } from "../../../src/numerics/wasm/products.ts";

const columns = (count: number, rows: number) =>
  Array.from({ length: count }, (_, k) => {
    return Float64Array.from({ length: rows }, (_, s) => Math.sin(1 + s * (k + 1)) + k);
  });

Deno.test("any number of columns and rows, from anywhere, also after the memory has grown", () => {
  for (const [count, rows, from] of [[1, 1, 0], [2, 3, 1], [5, 4, 0], [19, 128, 3], [6, 1300, 7]]) {
    const all = columns(count, rows + from);
    const found = productsOfColumns(all, from, from + rows);
    check(found, count, (i, j) => sum(rows, (s) => all[i][from + s] * all[j][from + s]));
    sharedMemory().grow(1);
  }
});

Deno.test("rows are weighted", () => {
  const all = columns(3, 700);
  const weights = Float64Array.from({ length: 700 }, (_, s) => s % 5 === 0 ? 0 : 1 / (s + 1));
  const found = productsOfColumns(all, 0, 700, weights);
  check(found, 3, (i, j) => sum(700, (s) => weights[s] * all[i][s] * all[j][s]));
});

Deno.test("no rows have products of 0", () => {
  assert.deepEqual([...productsOfColumns(columns(2, 5), 3, 3)], [0, 0, 0, 0]);
});

function sum(rows: number, term: (s: number) => number): number {
  let total = 0;
  for (let s = 0; s < rows; s++) total += term(s);
  return total;
}

/** The lower triangle is as wanted, and nothing is above it. */
function check(found: Float64Array, count: number, wanted: (i: number, j: number) => number) {
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      const exact = j <= i ? wanted(i, j) : 0;
      assert.ok(Math.abs(found[i * count + j] - exact) <= 1e-11 * Math.max(1, Math.abs(exact)));
    }
  }
}
