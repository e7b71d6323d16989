/** e^(x − shift) and log x of whole arrays. */
import { exp, log } from "./elementary.ts";
import { batch, batchSize, exponentiate, takeLogarithms } from "../wasm/batches.ts";

/** Numbers below which a call of generated code costs more than it saves. */
const worthwhile = 16;

/**
 * Writes e^(x − shift) of all `values` into `out`, which may be the same array, with the bits of
 * `exp` one by one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { exponentials } from "./exponentials.ts";
 * const out = new Float64Array(2);
 * exponentials([1000, 1001], 1000, out);
 * assert.equal(out[0], 1);
 * assert.ok(Math.abs(out[1] - Math.E) < 5e-16);
 * ```
 */
export function exponentials(values: ArrayLike<number>, shift: number, out: Float64Array): void {
  const { length } = values;
  if (length < worthwhile) {
    for (let i = 0; i < length; i++) out[i] = exp(values[i] - shift);
    return;
  }
  for (let from = 0; from < length; from += batchSize) {
    const count = Math.min(batchSize, length - from);
    const numbers = batch();
    for (let k = 0; k < count; k++) numbers[k] = values[from + k] - shift;
    exponentiate(count);
    for (let k = 0; k < count; k++) out[from + k] = numbers[k];
  }
}

/**
 * Replaces all `values` by their logarithms, with the bits of `log` one by one.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { takeLogs } from "./exponentials.ts";
 * const values = Float64Array.of(1, 0, 4);
 * takeLogs(values);
 * assert.deepEqual([...values], [0, -Infinity, Math.log(4)]);
 * ```
 */
export function takeLogs(values: Float64Array): void {
  const { length } = values;
  if (length < worthwhile) {
    for (let i = 0; i < length; i++) values[i] = log(values[i]);
    return;
  }
  for (let from = 0; from < length; from += batchSize) {
    const count = Math.min(batchSize, length - from);
    const numbers = batch();
    for (let k = 0; k < count; k++) numbers[k] = values[from + k];
    takeLogarithms(count);
    for (let k = 0; k < count; k++) values[from + k] = numbers[k];
  }
}

/** Σ e^(x − shift) over `length` entries from `offset`, `stride` apart, in their order. */
export function sumOfExponentials(
  values: ArrayLike<number>,
  shift: number,
  offset: number,
  length: number,
  stride: number,
): number {
  let sum = 0;
  if (length < worthwhile) {
    for (let k = 0; k < length; k++) sum += exp(values[offset + k * stride] - shift);
    return sum;
  }
  for (let from = 0; from < length; from += batchSize) {
    const count = Math.min(batchSize, length - from);
    const numbers = batch();
    for (let k = 0; k < count; k++) numbers[k] = values[offset + (from + k) * stride] - shift;
    exponentiate(count);
    for (let k = 0; k < count; k++) sum += numbers[k];
  }
  return sum;
}
