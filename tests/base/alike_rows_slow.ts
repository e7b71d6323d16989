/** A stand-in for a library that sums as OpenBLAS does with AVX2, and what is made of it. */
import assert from "node:assert/strict";
import type { Blas, Product } from "../../src/numerics/blas/blas.ts";
import { summedAlike } from "../../src/numerics/blas/alike_rows.ts";
import { sumsRowsAlike } from "../../src/numerics/blas/rows_alike.ts";

/** Columns that are packed together. */
const panel = 320;

/** True where sgemm_kernel_8x4_haswell_2.c has sums of even and of odd terms. */
function hasTwoSums(row: number, column: number, { rows, columns }: Product): boolean {
  const whole = rows - rows % 12;
  if (row >= whole) return row < rows - rows % 4;
  const begin = column - column % panel;
  const width = Math.min(panel, columns - begin);
  const last = width - width % 8 - 8;
  const at = column - begin;
  const isEdge = at < 8 || (at >= last && at < last + 8);
  return isEdge && width > 8 && row % 12 < 6;
}

/** One sum in single precision, or two. */
function sumOf(terms: number, count: 1 | 2, term: (k: number) => number): number {
  const sums = [0, 0];
  for (let k = 0; k < terms; k++) {
    sums[k % count] = Math.fround(sums[k % count] + Math.fround(term(k)));
  }
  return Math.fround(sums[0] + sums[1]);
}

/** A library whose results have one sum or two, as a rule has it. */
function standIn(isTwofold: typeof hasTwoSums): Blas {
  const numbers = (memory: ArrayBuffer, values: unknown, address: number) =>
    values === undefined
      ? new Float32Array(memory, address)
      : (values as Float32Array).subarray(address / 4);
  return {
    name: "stand-in",
    multiply(memory, product) {
      const { rows, columns, depth, a, b, c, accumulate } = product;
      const [x, w, y] = [a, b, c].map(({ values, address }) => numbers(memory, values, address));
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          const term = (k: number) => x[row * a.stride + k] * w[column * b.stride + k];
          const sum = sumOf(depth, isTwofold(row, column, product) ? 2 : 1, term);
          const at = row * c.stride + column;
          y[at] = accumulate ? y[at] + sum : sum;
        }
      }
    },
  };
}

/** A library's product of the same matrices, at an offset in memory and with a row stride of its own. */
function productOf(blas: Blas, rows: number, columns: number, accumulate: boolean): Float32Array {
  const depth = 37;
  const memory = new ArrayBuffer(4 * (rows * depth + columns * depth + rows * (columns + 3)));
  const all = new Float32Array(memory).map((_, i) => Math.sin(i * i + 1));
  new Float32Array(memory).set(all);
  const a = { address: 0, stride: depth };
  const b = { address: 4 * rows * depth, stride: depth, transposed: true };
  const c = { address: 4 * (rows + columns) * depth, stride: columns + 3 };
  blas.multiply(memory, { rows, columns, depth, a, b, c, accumulate });
  return new Float32Array(memory, c.address);
}

const mixed = standIn(hasTwoSums);
const plain = standIn(() => false);

Deno.test("a library that has two orders of sums is asked for what has one", () => {
  assert.ok(!sumsRowsAlike(mixed));
  const alike = summedAlike(mixed);
  assert.ok(sumsRowsAlike(alike));
  assert.deepEqual([alike.name, alike.hasBrainFloats], ["stand-in", undefined]);
  assert.equal(summedAlike(mixed), alike);
});

Deno.test("numbers of any size come out as by one sum, and no others are written", () => {
  const alike = summedAlike(mixed);
  for (const rows of [1, 4, 12, 17, 24]) {
    for (const columns of [1, 7, 8, 9, 15, 16, 23, 24, 40, 320, 321, 329, 640]) {
      for (const accumulate of [false, true]) {
        const [found, wanted] = [alike, plain].map((blas) =>
          productOf(blas, rows, columns, accumulate)
        );
        assert.deepEqual(found, wanted, `${rows} × ${columns}, ${accumulate}`);
      }
    }
  }
});

Deno.test("a library that sums alike, and one of which no way is known, stay as they are", () => {
  assert.equal(summedAlike(plain), plain);
  const byPlace = standIn((row) => row % 2 === 0);
  assert.equal(summedAlike(byPlace), byPlace);
});

Deno.test("products with a plain matrix, and in bfloat16, go to the library as they are", () => {
  const asked: Product[] = [];
  const counted: Blas = {
    ...mixed,
    hasBrainFloats: true,
    multiply: (memory, product) => (asked.push(product), mixed.multiply(memory, product)),
  };
  const alike = summedAlike(counted);
  assert.equal(alike.hasBrainFloats, true);
  const memory = new ArrayBuffer(4 * 300);
  const [a, c] = [{ address: 0, stride: 5 }, { address: 800, stride: 2 }];
  const sizes = { rows: 3, columns: 2, depth: 5, a, c, accumulate: false };
  const short = { address: 0, stride: 5, transposed: true, values: new Uint16Array(10) };
  const products = [
    { ...sizes, b: { address: 400, stride: 5 } },
    { ...sizes, b: short },
    { ...sizes, a: { ...a, transposed: true }, b: { ...short, values: undefined } },
  ] as Product[];
  asked.length = 0;
  for (const product of products) alike.multiply(memory, product);
  assert.deepEqual(asked, products);
});
