/** Numbers that are held as they are or as bfloat16: the upper halves of single precision, rounded. */

/** Numbers that never change: single precision, or the bits of bfloat16. */
export type FrozenNumbers = Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>;

/**
 * Writes the nearest bfloat16 of each number, ties to even; NaN stays NaN.
 *
 * @param out At least as many elements as `values`.
 */
function toBrainFloats(values: Float32Array<ArrayBuffer>, out: Uint16Array): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let i = 0; i < bits.length; i++) {
    const one = bits[i];
    const isNone = (one & 0x7fffffff) > 0x7f800000;
    out[i] = isNone ? one >>> 16 | 0x40 : one + 0x7fff + (one >>> 16 & 1) >>> 16;
  }
}

/**
 * The numbers rounded to bfloat16.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { brainFloatsOf, copyWide } from "./brain_floats.ts";
 * const wide = new Float32Array(2);
 * copyWide(brainFloatsOf(Float32Array.of(1 + 2 ** -7, 1 + 2 ** -9)), wide);
 * assert.deepEqual([...wide], [1 + 2 ** -7, 1]); // seven bits behind the point
 * ```
 */
export function brainFloatsOf(values: Float32Array<ArrayBuffer>): Uint16Array<ArrayBuffer> {
  const out = new Uint16Array(values.length);
  toBrainFloats(values, out);
  return out;
}

/**
 * Writes numbers as single precision, which is exact.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { copyWide } from "./brain_floats.ts";
 * const out = new Float32Array(2);
 * copyWide(Uint16Array.of(0x3f80, 0x4000), out);
 * assert.deepEqual([...out], [1, 2]);
 * ```
 */
export function copyWide(from: FrozenNumbers, out: Float32Array<ArrayBuffer>): void {
  if (from instanceof Float32Array) return out.set(from);
  const bits = new Uint32Array(out.buffer, out.byteOffset, from.length);
  for (let i = 0; i < from.length; i++) bits[i] = from[i] << 16;
}

/**
 * The numbers in single precision: themselves, or a copy if they are bfloat16.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { singlesOf } from "./brain_floats.ts";
 * assert.deepEqual([...singlesOf(Uint16Array.of(0x3f80))], [1]);
 * ```
 */
export function singlesOf(values: FrozenNumbers): Float32Array<ArrayBuffer> {
  if (values instanceof Float32Array) return values;
  const out = new Float32Array(values.length);
  copyWide(values, out);
  return out;
}

/** Room for rows that are rounded before a product; grows, and is overwritten each time. */
export class BrainRows {
  #room = new Uint16Array(0);

  /**
   * Rounds `[rows, width]` of a memory, whose rows lie `stride` numbers apart.
   *
   * @returns The rows without gaps, until the next call.
   */
  round(
    memory: ArrayBuffer,
    { address, stride }: { readonly address: number; readonly stride: number },
    rows: number,
    width: number,
  ): Uint16Array<ArrayBuffer> {
    if (this.#room.length < rows * width) this.#room = new Uint16Array(rows * width);
    for (let row = 0; row < rows; row++) {
      const from = new Float32Array(memory, address + 4 * row * stride, width);
      toBrainFloats(from, this.#room.subarray(row * width, (row + 1) * width));
    }
    return this.#room.subarray(0, rows * width);
  }
}
