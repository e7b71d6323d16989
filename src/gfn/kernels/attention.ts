/** Kernels of attention: causal softmax, its gradient, and attention of one query to a cache. */
import { f32, f32x4, i32, increase, Kernel, range, sequence } from "./assembler.ts";
import type { Code, Local, Statement } from "./assembler.ts";
import { exponential } from "./exponential.ts";
import { laneMax, laneSum } from "./reductions.ts";
import { bytes } from "./packing.ts";

// Rows of scores are padded to a multiple of four. What a position may not see scores far below
// everything else, so that its exponential is exactly 0.

const FAR_BELOW = -1e30;
const { add, sub, mul } = f32x4;
const zero = i32.of(0);

/** The smallest multiple of four that is not below. */
const padded = (count: Code<"i32">): Code<"i32"> => i32.and(i32.add(count, i32.of(3)), i32.of(-4));

/** Softmax of `scale` times the first `seen` numbers at `row`, in place; the padding becomes 0. */
function softmaxRow(
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
    range(j, seen.get, end.get, 1, f32.store(at, f32.of(FAR_BELOW))),
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
 * One query against cached keys and values of the positions so far, for all heads: (query, keys,
 * values, count, heads, size, stride, scratch, out, scale). `size` is that of a head, a multiple of
 * four; `stride` the distance of positions; `scratch` has room for `count` + 3 numbers.
 */
function attendCached(): Kernel {
  const kernel = new Kernel("attendCached", "none");
  const [query, keys, values, count, heads, size, stride, scratch, out] = kernel.integers(9);
  const scale = kernel.parameter("f32");
  const [head, t, k, from] = kernel.locals("i32", 4);
  const sum = kernel.local("v128");
  const at = (base: Local<"i32">) => i32.add(base.get, k.get);
  const score = i32.add(scratch.get, bytes(t.get));
  return kernel.define([
    range(
      head,
      zero,
      heads.get,
      1,
      from.set(keys.get),
      range(
        t,
        zero,
        count.get,
        1,
        sum.set(f32x4.of(0)),
        range(
          k,
          zero,
          bytes(size.get),
          16,
          sum.set(add(sum.get, mul(f32x4.load(at(query)), f32x4.load(at(from))))),
        ),
        f32.store(score, laneSum(sum)),
        increase(from, stride.get),
      ),
      softmaxRow(kernel, scratch, count, scale),
      range(
        k,
        zero,
        bytes(size.get),
        16,
        sum.set(f32x4.of(0)),
        from.set(values.get),
        range(
          t,
          zero,
          count.get,
          1,
          sum.set(add(sum.get, mul(f32x4.loadSplat(score), f32x4.load(at(from))))),
          increase(from, stride.get),
        ),
        f32x4.store(at(out), sum.get),
      ),
      ...[query, keys, values, out].map((one) => increase(one, bytes(size.get))),
    ),
  ]);
}

/** Every kernel of this file. */
export function attentionKernels(): Kernel[] {
  return [softmaxCausal(), softmaxGradient(), attendCached()];
}
