/** Whether a library's products with numbers outside of the memory are their sums. */
import type { Blas } from "./blas.ts";
import { brainFloatsOf, singlesOf } from "./brain_floats.ts";

/**
 * Largest error, relative to the sum of absolute terms: single precision keeps 2e-7 here, and
 * TensorFloat-32, which a driver may put in its place, no better than 1e-4.
 */
const tolerance = 2e-6;

/** Rows, columns and terms: few and many, odd edges. */
const shapes = [[1, 5, 7], [9, 33, 40], [40, 24, 129]] as const;

/**
 * Empty if products by `[columns, depth]` transposed and by `[depth, columns]` plain, alone and added
 * to C, are right; else the fault.
 *
 * @param precision Precision of the numbers outside of the memory.
 */
export function provesProducts(blas: Blas, precision: "f32" | "bf16"): string {
  const draw = generator();
  for (const [rows, columns, depth] of shapes) {
    for (const transposed of [true, false]) {
      for (const accumulate of [false, true]) {
        const sizes = { rows, columns, depth };
        const error = errorOf(blas, precision, sizes, { transposed, accumulate }, draw);
        if (!(error <= tolerance)) return wrong(precision, sizes, error);
      }
    }
  }
  return "";
}

interface Sizes {
  readonly rows: number;
  readonly columns: number;
  readonly depth: number;
}

function errorOf(
  blas: Blas,
  precision: "f32" | "bf16",
  { rows, columns, depth }: Sizes,
  { transposed, accumulate }: { readonly transposed: boolean; readonly accumulate: boolean },
  draw: () => number,
): number {
  const numbers = (count: number) => Float32Array.from({ length: count }, draw);
  const isShort = precision === "bf16";
  const plain = numbers(columns * depth);
  const held = isShort ? brainFloatsOf(plain) : plain;
  const [left, before] = [numbers(rows * depth), numbers(rows * columns)];
  const memory = new ArrayBuffer(4 * (left.length + before.length));
  new Float32Array(memory).set(left);
  new Float32Array(memory).set(before, left.length);
  const stride = transposed ? depth : columns;
  const b = { address: 0, stride, transposed, values: held };
  const c = { address: 4 * left.length, stride: columns };
  const a = { address: 0, stride: depth };
  blas.multiply(memory, { rows, columns, depth, a, b, c, accumulate });
  const found = new Float32Array(memory, c.address);
  const [x, w] = [isShort ? singlesOf(brainFloatsOf(left)) : left, singlesOf(held)];
  let worst = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let [sum, size] = accumulate ? [before[i * columns + j], 1] : [0, 1e-30];
      for (let k = 0; k < depth; k++) {
        const term = x[i * depth + k] * w[transposed ? j * depth + k : k * columns + j];
        sum += term;
        size += Math.abs(term);
      }
      const error = Math.abs(found[i * columns + j] - sum) / size;
      worst = error <= worst ? worst : error;
    }
  }
  return worst;
}

function wrong(precision: string, { rows, columns, depth }: Sizes, error: number): string {
  const shape = `${rows} × ${depth} times ${depth} × ${columns}`;
  return `products of ${shape} in ${precision} are wrong by ${error.toPrecision(2)} of their terms`;
}

/** Numbers from −1 to 1 with all bits of single precision (Park and Miller 1988). */
function generator(): () => number {
  let state = 20;
  return () => {
    state = state * 48271 % 2147483647;
    return Math.fround(state / 1073741823.5 - 1);
  };
}
