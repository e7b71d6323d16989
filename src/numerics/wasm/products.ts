/** Products of columns, by generated code: two lanes, and four products at a time. */
import type { Columns } from "./columns.ts";
import { FunctionBody } from "./function_body.ts";
import { type Guest, isGuest, lodge, sharedMemory } from "./memory.ts";
import { assembleModule } from "./module.ts";
import { instanceOf } from "./module_cache.ts";

/** Rows that are in memory at once; columns are then a stretch of it. */
const mostRows = 512;
/** Rows of one round of the loop: columns are filled up with zeros to a multiple. */
const rowsPerRound = 4;
/** Numbers before the columns: both lanes of four products. */
const resultNumbers = 8;

/**
 * Products of any two of the columns over the rows `from .. to`, each weighted if there are weights:
 * the lower triangle of a matrix `[columns, columns]`.
 *
 * @param weights at least 0 `[rows]`.
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { productsOfColumns } from "./products.ts";
 * const columns = [Float64Array.of(1, 2, 3), Float64Array.of(0, 1, 1)];
 * assert.deepEqual([...productsOfColumns(columns, 0, 3)], [14, 0, 5, 2]);
 * ```
 */
export function productsOfColumns(
  columns: Columns,
  from: number,
  to: number,
  weights?: Float64Array,
): Float64Array {
  const out = new Float64Array(columns.length * columns.length);
  for (let begin = from; begin < to; begin += mostRows) {
    addProducts(out, columns, begin, Math.min(to, begin + mostRows), weights);
  }
  return out;
}

/** The memory that columns are copied to. */
class Workplace implements Guest {
  numbers: Float64Array = new Float64Array(0);

  /** Room for so many numbers, from its address on, which is `numbers.byteOffset`. */
  reserve(count: number): Float64Array {
    if (!isGuest(this) || this.numbers.length < count) {
      const begin = lodge(this, 8 * count);
      this.numbers = new Float64Array(sharedMemory().buffer, begin, count);
    }
    return this.numbers;
  }

  /** Nothing in it is needed again. */
  leave(): void {}
}

const workplace = new Workplace();
let code: ((p: number, q: number, bytes: number, out: number) => void) | undefined;

function addProducts(
  out: Float64Array,
  columns: Columns,
  from: number,
  to: number,
  weights: Float64Array | undefined,
): void {
  code ??= instantiate();
  const n = columns.length;
  const stride = rowsPerRound * Math.ceil((to - from) / rowsPerRound);
  const numbers = workplace.reserve(resultNumbers + (n + 1) * stride);
  copyIn(numbers, columns, from, to, stride, weights);
  const address = numbers.byteOffset;
  const first = address + 8 * resultNumbers;
  for (let i = 0; i < n; i += 2) {
    for (let j = 0; j <= i; j += 2) {
      code(first + 8 * i * stride, first + 8 * j * stride, 8 * stride, address);
      for (let k = 0; k < 4; k++) {
        const [row, column] = [i + (k >> 1), j + (k & 1)];
        if (row < n && column <= row) out[row * n + column] += numbers[2 * k] + numbers[2 * k + 1];
      }
    }
  }
}

/** Copies columns, times the roots of the weights; zeros fill up the rows, and one column more. */
function copyIn(
  numbers: Float64Array,
  columns: Columns,
  from: number,
  to: number,
  stride: number,
  weights: Float64Array | undefined,
): void {
  const rows = to - from;
  const roots = weights?.subarray(from, to).map(Math.sqrt);
  columns.forEach((column, k) => {
    const at = resultNumbers + k * stride;
    if (roots) { for (let s = 0; s < rows; s++) numbers[at + s] = roots[s] * column[from + s]; }
    else numbers.set(column.subarray(from, to), at);
    numbers.fill(0, at + rows, at + stride);
  });
  const end = resultNumbers + columns.length * stride;
  numbers.fill(0, end, end + stride);
}

/** Writes the products of the two columns from p on with the two from q on, `bytes` each, to `out`. */
function instantiate() {
  const f = new FunctionBody(["i32", "i32", "i32", "i32"], []);
  const [p, q, bytes, out] = [0, 1, 2, 3];
  const [end, pBelow, qBelow] = [f.local("i32"), f.local("i32"), f.local("i32")];
  f.get(p, bytes).op("i32.add").tee(end).set(pBelow);
  f.get(q, bytes).op("i32.add").set(qBelow);
  const pairs = [[p, q], [p, qBelow], [pBelow, q], [pBelow, qBelow]];
  const sums = pairs.map(() => f.local());
  f.asLongAs(() => f.get(p, end).op("i32.lt_u"), () => {
    for (let offset = 0; offset < 8 * rowsPerRound; offset += 16) {
      const held = new Map([p, pBelow, q, qBelow].map((at) => [at, f.get(at).load(offset).hold()]));
      pairs.forEach(([a, b], k) => {
        f.get(sums[k], held.get(a)!, held.get(b)!).op("f64x2.mul", "f64x2.add").set(sums[k]);
      });
    }
    for (const at of [p, pBelow, q, qBelow]) {
      f.get(at).i32(8 * rowsPerRound).op("i32.add").set(at);
    }
  });
  sums.forEach((sum, k) => f.get(out).get(sum).store(16 * k));
  const module = assembleModule([], [f], [{ name: "products", index: 0 }]);
  return instanceOf(module, { memory: sharedMemory() }).exports.products as NonNullable<
    typeof code
  >;
}
