/** Products against plain sums in double precision, and row by row against all rows. */
import assert from "node:assert/strict";
import { summedAlike } from "../../src/numerics/blas/alike_rows.ts";
import { findBlas } from "../../src/numerics/blas/blas_library.ts";
import { sumsRowsAlike } from "../../src/numerics/blas/rows_alike.ts";
import { RandomStream } from "../../src/base/random.ts";
import { DecoderMemory } from "../../src/models/decoder/decoder_memory.ts";
import { Products } from "../../src/models/decoder/products.ts";
import { farthest } from "./checkpoints.ts";

function random(count: number, key: string): Float32Array<ArrayBuffer> {
  const stream = new RandomStream("seed 20", key);
  return Float32Array.from({ length: count }, () => stream.uniform() - 0.5);
}

/** Few rows and many; sums in one stretch and in several; odd edges. */
const shapes = [[1, 11, 36], [2, 8, 600], [7, 11, 600], [24, 1, 36], [33, 21, 36], [40, 300, 600]];

for (const [rows, columns, depth] of shapes) {
  for (const accumulate of [false, true]) {
    const name = `${rows} × ${depth} times ${depth} × ${columns}`;
    Deno.test(`${name} is its sums${accumulate ? ", added to what is there" : ""}`, () => {
      const memory = new DecoderMemory();
      const products = new Products(memory);
      const [a, w, c] = [rows * depth, columns * depth, rows * columns].map((count, i) =>
        random(count, `${name} ${i}`)
      );
      const [x, y] = [memory.place(a), memory.place(c)];
      const at = (address: number, stride: number) => ({ address, stride });
      const sizes = { rows, columns, depth };
      products.affine(at(x, depth), w, at(y, columns), sizes, accumulate);
      const wanted = Array.from(c, (before, i) => {
        const [row, column] = [Math.floor(i / columns), i % columns];
        let sum = accumulate ? before : 0;
        for (let k = 0; k < depth; k++) sum += a[row * depth + k] * w[column * depth + k];
        return sum;
      });
      assert(farthest(memory.f32(y, rows * columns), wanted) < 5e-6);
    });
  }
}

const found = findBlas();
const libraries = [undefined, ...("blas" in found ? [found.blas] : [])];

/** Sizes on both sides of those for which OpenBLAS has kernels of small matrices. */
const widths = [[16, 576], [192, 576], [576, 192], [1536, 16]];

for (const blas of libraries) {
  // Of OpenBLAS's kernels those for processors without AVX (Katmai) are not summed alike.
  const isAlike = blas === undefined || sumsRowsAlike(summedAlike(blas));
  const [most, what] = isAlike ? [0, "bits"] : [1e-5, "value"];
  Deno.test(`a row of a product by ${blas?.name ?? "own kernels"} keeps its ${what} in any company`, () => {
    const products = new Products(new DecoderMemory({ blas }));
    const { memory } = products;
    for (const [columns, depth] of widths) {
      const rowsOfAll = 80;
      const x = memory.place(random(rowsOfAll * depth, `x ${columns}`));
      const y = memory.zeros(rowsOfAll * columns);
      const w = random(columns * depth, `w ${columns}`);
      const first = (rows: number) => {
        const [a, c] = [{ address: x, stride: depth }, { address: y, stride: columns }];
        products.affine(a, w, c, { rows, columns, depth });
        return memory.f32(y, rows * columns).slice();
      };
      const all = first(rowsOfAll);
      for (const rows of [1, 2, 3, 5, 16, 33]) {
        const apart = farthest(first(rows), all);
        assert(apart <= most, `${rows} rows of ${depth} to ${columns}: ${apart}`);
      }
    }
  });
}

Deno.test("more activations than a memory holds are refused with the numbers", () => {
  const memory = new DecoderMemory();
  memory.allocate(1000);
  const message =
    /Cannot compute: 8.00 GB more than 0.00 GB of activations are wanted, 4.29 GB fit$/;
  assert.throws(() => memory.allocate(2e9), message);
  assert(memory.allocate(1000) < 10_000);
});
