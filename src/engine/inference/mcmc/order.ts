/** The order of numbers, kept as a list of their indices: one sort serves ranks, folds and medians. */

let runs = new Uint32Array(0);
let merged = new Uint32Array(0);

/**
 * The indices of `values` in ascending order of value, equal values in order of index: a merge sort
 * from runs of eight. The result is overwritten by the next call. Values must not be NaN.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { orderOf } from "./order.ts";
 * assert.deepEqual([...orderOf(Float64Array.of(3, 1, 2, 1))], [1, 3, 2, 0]);
 * ```
 */
export function orderOf(values: Float64Array): Uint32Array {
  const n = values.length;
  if (runs.length < n) {
    runs = new Uint32Array(n);
    merged = new Uint32Array(n);
  }
  for (let begin = 0; begin < n; begin += 8) insertionSort(values, begin, Math.min(begin + 8, n));
  for (let width = 8; width < n; width *= 2) {
    for (let begin = 0; begin < n; begin += 2 * width) {
      merge(values, begin, Math.min(begin + width, n), Math.min(begin + 2 * width, n));
    }
    [runs, merged] = [merged, runs];
  }
  return runs.subarray(0, n);
}

/** Sorts the indices begin … end − 1 into `runs`. */
function insertionSort(values: Float64Array, begin: number, end: number): void {
  for (let i = begin; i < end; i++) {
    const value = values[i];
    let to = i;
    for (; to > begin && values[runs[to - 1]] > value; to--) runs[to] = runs[to - 1];
    runs[to] = i;
  }
}

/** Merges the runs begin … middle − 1 and middle … end − 1. */
function merge(values: Float64Array, begin: number, middle: number, end: number): void {
  let a = begin;
  let b = middle;
  let to = begin;
  while (a < middle && b < end) {
    const left = runs[a];
    const right = runs[b];
    if (values[left] <= values[right]) {
      merged[to++] = left;
      a++;
    } else {
      merged[to++] = right;
      b++;
    }
  }
  while (a < middle) merged[to++] = runs[a++];
  while (b < end) merged[to++] = runs[b++];
}
