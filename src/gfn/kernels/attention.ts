/** Kernels of attention: causal softmax, its gradient, and attention of one query to a cache. */
import {
  type Code,
  f32,
  f32x4,
  i32,
  increase,
  Kernel,
  type Local,
  range,
  sequence,
  type Statement,
} from "../../numerics/wasm/mod.ts";
import { bytes, laneSum, padded, softmaxRow } from "../../numerics/wasm/kernels/mod.ts";

const { add, sub, mul } = f32x4;
const zero = i32.of(0);

/**
 * Row t of `[T, T]` becomes the softmax of its first t + 1 numbers, and 0 beyond them: (scores,
 * stride, T, scale). `scale` is above 0.
 */
function softmaxCausal(): Kernel {
  const kernel = new Kernel("softmaxCausal", "none");
  const [scores, stride, T] = kernel.integers(3);
  const scale = kernel.parameter("f32");
  const [t, seen, j] = kernel.locals("i32", 3);
  return kernel.define([
    range(
      t,
      zero,
      T.get,
      1,
      seen.set(i32.add(t.get, i32.of(1))),
      softmaxRow(kernel, scores, seen, scale),
      range(
        j,
        bytes(padded(seen.get)),
        stride.get,
        16,
        f32x4.store(i32.add(scores.get, j.get), f32x4.of(0)),
      ),
      increase(scores, stride.get),
    ),
  ]);
}

/**
 * Gradient of the scores, in place of that of the softmax: scale · p (dp − Σ p dp). (p, dp, stride,
 * rows, scale).
 */
function softmaxGradient(): Kernel {
  const kernel = new Kernel("softmaxGradient", "none");
  const [p, dp, stride, rows] = kernel.integers(4);
  const scale = kernel.parameter("f32");
  const [row, j] = kernel.locals("i32", 2);
  const [along, factor] = kernel.locals("v128", 2);
  const probability = f32x4.load(i32.add(p.get, j.get));
  const at = i32.add(dp.get, j.get);
  return kernel.define([
    factor.set(f32x4.splat(scale.get)),
    range(
      row,
      zero,
      rows.get,
      1,
      along.set(f32x4.of(0)),
      range(
        j,
        zero,
        stride.get,
        16,
        along.set(add(along.get, mul(probability, f32x4.load(at)))),
      ),
      along.set(f32x4.splat(laneSum(along))),
      range(
        j,
        zero,
        stride.get,
        16,
        f32x4.store(at, mul(mul(probability, sub(f32x4.load(at), along.get)), factor.get)),
      ),
      ...[p, dp].map((one) => increase(one, stride.get)),
    ),
  ]);
}

/**
 * The last position of one sequence against all of its positions so far, for all heads: (fused,
 * cache, count, heads, size, longest, scratch, out, scale). `fused` holds the query, key and value
 * of the last position side by side; key and value join those of the `count` − 1 positions before
 * in the cache, `[heads, longest, 2 size]`. `size` is a multiple of four; `scratch` has room for
 * `count` + 3 numbers.
 */
function attendCached(): Kernel {
  const kernel = new Kernel("attendCached", "none");
  const [fused, cache, count, heads, size, longest, scratch, out] = kernel.integers(8);
  const scale = kernel.parameter("f32");
  const [head, t, k, from, part, row, last] = kernel.locals("i32", 7);
  const [sum, weight] = kernel.locals("v128", 2);
  const at = (base: Local<"i32">) => i32.add(base.get, k.get);
  const each = (...body: readonly Statement[]) => range(k, zero, part.get, 16, ...body);
  const along = (...body: readonly Statement[]) =>
    sequence(
      from.set(cache.get),
      range(t, zero, count.get, 1, ...body, increase(from, i32.mul(part.get, i32.of(2)))),
    );
  const score = i32.add(scratch.get, bytes(t.get));
  const beside = (times: Code<"i32">) => i32.add(at(fused), i32.mul(row.get, times));
  const behind = i32.add(at(from), part.get);
  return kernel.define([
    part.set(bytes(size.get)),
    row.set(i32.mul(part.get, heads.get)),
    last.set(i32.mul(i32.sub(count.get, i32.of(1)), i32.mul(part.get, i32.of(2)))),
    range(
      head,
      zero,
      heads.get,
      1,
      from.set(i32.add(cache.get, last.get)),
      each(
        f32x4.store(at(from), f32x4.load(beside(i32.of(1)))),
        f32x4.store(behind, f32x4.load(beside(i32.of(2)))),
      ),
      along(
        sum.set(f32x4.of(0)),
        each(sum.set(add(sum.get, mul(f32x4.load(at(fused)), f32x4.load(at(from)))))),
        f32.store(score, laneSum(sum)),
      ),
      softmaxRow(kernel, scratch, count, scale),
      each(f32x4.store(at(out), f32x4.of(0))),
      along(
        weight.set(f32x4.loadSplat(score)),
        each(
          f32x4.store(at(out), add(f32x4.load(at(out)), mul(weight.get, f32x4.load(behind)))),
        ),
      ),
      ...[fused, out].map((one) => increase(one, part.get)),
      increase(cache, i32.mul(longest.get, i32.mul(part.get, i32.of(2)))),
    ),
  ]);
}

/** Every kernel of this file. */
export function attentionKernels(): Kernel[] {
  return [softmaxCausal(), softmaxGradient(), attendCached()];
}
