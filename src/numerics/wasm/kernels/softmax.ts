/** Softmax of one row of scores, as a part of kernels. */
import { f32, f32x4, i32, range, sequence } from "../assembler.ts";
import type { Code, Kernel, Local, Statement } from "../assembler.ts";
import { exponential } from "./exponential.ts";
import { bytes } from "./packing.ts";
import { laneMax, laneSum } from "./reductions.ts";

// Rows of scores are padded to a multiple of four. Positions that a row may not see score far below
// all others, so that their exponential is exactly 0.

const farBelow = -1e30;
const { add, sub, mul } = f32x4;
const zero = i32.of(0);

/**
 * The smallest multiple of four that is not below.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, Kernel } from "../assembler.ts";
 * import { padded } from "./softmax.ts";
 * const kernel = new Kernel("paddedOf", "i32");
 * const [count] = kernel.integers(1);
 * kernel.define([], padded(count.get));
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { paddedOf } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(paddedOf(5), 8);
 * ```
 */
export const padded = (count: Code<"i32">): Code<"i32"> =>
  i32.and(i32.add(count, i32.of(3)), i32.of(-4));

/**
 * Softmax of `scale` times the first `seen` numbers at `row`, in place; the padding becomes 0.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, Kernel } from "../assembler.ts";
 * import { softmaxRow } from "./softmax.ts";
 * const kernel = new Kernel("softmax", "none");
 * const [row, seen] = kernel.integers(2);
 * const scale = kernel.parameter("f32");
 * kernel.define([softmaxRow(kernel, row, seen, scale)]);
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const numbers = new Float32Array(host.memory.buffer);
 * numbers.set([0, 0, 9, 9]); // two are seen
 * const { softmax } = made.exports as Record<string, (...of: number[]) => number>;
 * softmax(0, 2, 1);
 * assert.deepEqual([...numbers.subarray(0, 4)], [0.5, 0.5, 0, 0]);
 * ```
 */
export function softmaxRow(
  kernel: Kernel,
  row: Local<"i32">,
  seen: Local<"i32">,
  scale: Local<"f32">,
): Statement {
  const [j, end] = kernel.locals("i32", 2);
  const [largest, sum, x, factor] = kernel.locals("v128", 4);
  const at = i32.add(row.get, bytes(j.get));
  const each = (...body: readonly Statement[]) => range(j, zero, end.get, 4, ...body);
  return sequence(
    end.set(padded(seen.get)),
    range(j, seen.get, end.get, 1, f32.store(at, f32.of(farBelow))),
    largest.set(f32x4.load(row.get)),
    each(largest.set(f32x4.max(largest.get, f32x4.load(at)))),
    largest.set(f32x4.splat(laneMax(largest))),
    sum.set(f32x4.of(0)),
    factor.set(f32x4.splat(scale.get)),
    each(
      x.set(mul(sub(f32x4.load(at), largest.get), factor.get)),
      exponential(kernel, x),
      sum.set(add(sum.get, x.get)),
      f32x4.store(at, x.get),
    ),
    factor.set(f32x4.splat(f32.div(f32.of(1), laneSum(sum)))),
    each(f32x4.store(at, mul(f32x4.load(at), factor.get))),
  );
}
