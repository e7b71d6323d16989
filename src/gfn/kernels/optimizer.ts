/** Kernels over flat vectors of parameters: Adam, the norm of a gradient, averages. */
import {
  type Code,
  f32,
  f32x4,
  f64,
  i32,
  Kernel,
  type Local,
  range,
  when,
} from "../../numerics/wasm/mod.ts";
import { bytes } from "../../numerics/wasm/kernels/mod.ts";

// Counts are multiples of four: vectors are padded with zeros, which stay zeros.

const { add, sub, mul, div } = f32x4;
const zero = i32.of(0);

/** Σ x² in double precision, in the order of x: (x, count). */
function sumOfSquares(): Kernel {
  const kernel = new Kernel("sumOfSquares", "f64");
  const [x, count] = kernel.integers(2);
  const j = kernel.local("i32");
  const sum = kernel.local("f64");
  const one = f64.promote(f32.load(i32.add(x.get, j.get)));
  return kernel.define([
    range(j, zero, bytes(count.get), 4, sum.set(f64.add(sum.get, f64.mul(one, one)))),
  ], sum.get);
}

const beta1 = 0.9;
const beta2 = 0.999;
const epsilon = 1e-8;

/**
 * One step of Algorithm 1 of Kingma and Ba 2015, then a zero gradient: (parameters, gradient,
 * first, second, factors or 0, count, scale, correction1, correction2, learningRate). Corrections
 * are 1 − βⁿ; `scale` multiplies the gradient, a factor the learning rate of one parameter.
 */
function adam(): Kernel {
  const kernel = new Kernel("adam", "none");
  const [parameters, gradient, first, second, factors, count] = kernel.integers(6);
  const [scale, correction1, correction2, rate] = [0, 1, 2, 3].map(() => kernel.parameter("f32"));
  const j = kernel.local("i32");
  const [g, m, v, step] = kernel.locals("v128", 4);
  const at = (base: Local<"i32">) => i32.add(base.get, j.get);
  const load = (base: Local<"i32">) => f32x4.load(at(base));
  const mix = (keep: number, old: Code<"v128">, fresh: Code<"v128">) =>
    add(mul(f32x4.of(keep), old), mul(f32x4.of(1 - keep), fresh));
  const root = f32x4.sqrt(div(v.get, f32x4.splat(correction2.get)));
  const direction = div(
    div(m.get, f32x4.splat(correction1.get)),
    add(root, f32x4.of(epsilon)),
  );
  return kernel.define([
    range(
      j,
      zero,
      bytes(count.get),
      16,
      g.set(mul(load(gradient), f32x4.splat(scale.get))),
      m.set(mix(beta1, load(first), g.get)),
      v.set(mix(beta2, load(second), mul(g.get, g.get))),
      step.set(mul(direction, f32x4.splat(rate.get))),
      when(factors.get, step.set(mul(step.get, load(factors)))),
      f32x4.store(at(parameters), sub(load(parameters), step.get)),
      f32x4.store(at(first), m.get),
      f32x4.store(at(second), v.get),
      f32x4.store(at(gradient), f32x4.of(0)),
    ),
  ]);
}

/** target ← target + share (source − target): (target, source, count, share). */
function moveTowards(): Kernel {
  const kernel = new Kernel("moveTowards", "none");
  const [target, source, count] = kernel.integers(3);
  const share = kernel.parameter("f32");
  const j = kernel.local("i32");
  const at = (base: Local<"i32">) => i32.add(base.get, j.get);
  const difference = sub(f32x4.load(at(source)), f32x4.load(at(target)));
  const moved = add(f32x4.load(at(target)), mul(difference, f32x4.splat(share.get)));
  return kernel.define([
    range(j, zero, bytes(count.get), 16, f32x4.store(at(target), moved)),
  ]);
}

/** Every kernel of this file. */
export function optimizerKernels(): Kernel[] {
  return [sumOfSquares(), adam(), moveTowards()];
}
