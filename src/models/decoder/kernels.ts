/** Kernels of a decoder's forward pass, beside those of matrix products. */
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
import { bytes, exponential, laneMax, laneSum } from "../../numerics/wasm/kernels/mod.ts";

// Widths are multiples of four. Addresses and strides are in bytes, counts in numbers.

const { add, sub, mul, div } = f32x4;
const zero = i32.of(0);
/** The largest argument of `exponential`. */
const largestArgument = 88;

/** Statements for the columns at hand. */
type Visit = (at: (base: Local<"i32">) => Code<"i32">) => readonly Statement[];

/** Visits the columns of a row four at a time; `at(base)` is the address of the present four. */
export function columns(kernel: Kernel, width: Local<"i32">, body: Visit): Statement {
  const offset = kernel.local("i32");
  return range(
    offset,
    zero,
    bytes(width.get),
    16,
    ...body((base) => i32.add(base.get, offset.get)),
  );
}

const load = (address: Code<"i32">) => f32x4.load(address);

/** 1 / √(sum / width + ε) in all lanes. */
export function inverseDeviation(
  sum: Local<"v128">,
  width: Local<"i32">,
  epsilon: Local<"f32">,
): Code<"v128"> {
  const mean = f32.div(laneSum(sum), f32.convert(width.get));
  return f32x4.splat(f32.div(f32.of(1), f32.sqrt(f32.add(mean, epsilon.get))));
}

/** RMS normalisation of rows (Zhang and Sennrich 2019): (x, gain, y, rows, width, epsilon). */
function normaliseRows(): Kernel {
  const kernel = new Kernel("normaliseRows", "none");
  const [x, gain, y, rows, width] = kernel.integers(5);
  const epsilon = kernel.parameter("f32");
  const row = kernel.local("i32");
  const [sum, scale] = kernel.locals("v128", 2);
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [sum.set(add(sum.get, mul(load(at(x)), load(at(x)))))]),
      scale.set(inverseDeviation(sum, width, epsilon)),
      columns(kernel, width, (at) => [
        f32x4.store(at(y), mul(load(at(gain)), mul(load(at(x)), scale.get))),
      ]),
      ...[x, y].map((one) => increase(one, bytes(width.get))),
    ),
  ]);
}

/** LayerNorm of rows (Ba, Kiros and Hinton 2016): (x, gain, shift, y, rows, width, epsilon). */
function centreRows(): Kernel {
  const kernel = new Kernel("centreRows", "none");
  const [x, gain, shift, y, rows, width] = kernel.integers(6);
  const epsilon = kernel.parameter("f32");
  const row = kernel.local("i32");
  const [sum, mean, scale, deviation] = kernel.locals("v128", 4);
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [sum.set(add(sum.get, load(at(x))))]),
      mean.set(f32x4.splat(f32.div(laneSum(sum), f32.convert(width.get)))),
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [
        deviation.set(sub(load(at(x)), mean.get)),
        sum.set(add(sum.get, mul(deviation.get, deviation.get))),
      ]),
      scale.set(inverseDeviation(sum, width, epsilon)),
      columns(kernel, width, (at) => [
        deviation.set(mul(sub(load(at(x)), mean.get), scale.get)),
        f32x4.store(at(y), add(mul(deviation.get, load(at(gain))), load(at(shift)))),
      ]),
      ...[x, y].map((one) => increase(one, bytes(width.get))),
    ),
  ]);
}

/** Adds a row to every row: (y, rows, width, row). */
function shiftRows(): Kernel {
  const kernel = new Kernel("shiftRows", "none");
  const [y, rows, width, bias] = kernel.integers(4);
  const row = kernel.local("i32");
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      columns(kernel, width, (at) => [f32x4.store(at(y), add(load(at(y)), load(at(bias))))]),
      increase(y, bytes(width.get)),
    ),
  ]);
}

/** Replaces the lanes of `x` by their logistic function 1 / (1 + e^−x). */
export function logistic(kernel: Kernel, x: Local<"v128">): Statement {
  return sequence(
    x.set(f32x4.min(sub(f32x4.of(0), x.get), f32x4.of(largestArgument))),
    exponential(kernel, x),
    x.set(div(f32x4.of(1), add(f32x4.of(1), x.get))),
  );
}

/** SwiGLU (Shazeer 2020): gate = gate σ(gate) up, in place: (gate, up, count). */
function gateRows(): Kernel {
  const kernel = new Kernel("gateRows", "none");
  const [gate, up, count] = kernel.integers(3);
  const x = kernel.local("v128");
  return kernel.define([
    columns(kernel, count, (at) => [
      x.set(load(at(gate))),
      logistic(kernel, x),
      f32x4.store(at(gate), mul(mul(load(at(gate)), x.get), load(at(up)))),
    ]),
  ]);
}

/** √(8 / π) and the cubic term of the tanh form of GELU (Hendrycks and Gimpel 2016). */
export const [geluScale, geluCube] = [Math.sqrt(8 / Math.PI), 0.044715];

/** x = x σ(√(8/π) (x + 0.044715 x³)), which is GELU by tanh, in place: (x, count). */
function bendRows(): Kernel {
  const kernel = new Kernel("bendRows", "none");
  const [rows, count] = kernel.integers(2);
  const [x, z] = kernel.locals("v128", 2);
  return kernel.define([
    columns(kernel, count, (at) => [
      x.set(load(at(rows))),
      z.set(mul(mul(x.get, x.get), mul(x.get, f32x4.of(geluCube)))),
      z.set(mul(add(x.get, z.get), f32x4.of(geluScale))),
      logistic(kernel, z),
      f32x4.store(at(rows), mul(x.get, z.get)),
    ]),
  ]);
}

/**
 * Rotary positions (Su et al. 2021), halves of a head turned together: (x, positions, cosines,
 * sines, rows, heads, half); `x` is `[rows, heads, 2 half]`, tables are `[positions, half]`.
 */
function turnRows(): Kernel {
  const kernel = new Kernel("turnRows", "none");
  const [x, positions, cosines, sines, rows, heads, half] = kernel.integers(7);
  const [row, head, table, far, cosine, sine] = kernel.locals("i32", 6);
  const [a, b] = kernel.locals("v128", 2);
  const beside = (at: Code<"i32">) => i32.add(at, far.get);
  return kernel.define([
    far.set(bytes(half.get)),
    range(
      row,
      zero,
      rows.get,
      1,
      table.set(i32.mul(i32.load(positions.get), far.get)),
      cosine.set(i32.add(cosines.get, table.get)),
      sine.set(i32.add(sines.get, table.get)),
      range(
        head,
        zero,
        heads.get,
        1,
        columns(kernel, half, (at) => [
          a.set(load(at(x))),
          b.set(load(beside(at(x)))),
          f32x4.store(at(x), sub(mul(a.get, load(at(cosine))), mul(b.get, load(at(sine))))),
          f32x4.store(beside(at(x)), add(mul(b.get, load(at(cosine))), mul(a.get, load(at(sine))))),
        ]),
        increase(x, i32.mul(far.get, i32.of(2))),
      ),
      increase(positions, i32.of(4)),
    ),
  ]);
}

/** The largest of `count` numbers, a multiple of four: (x, count). */
function largest(): Kernel {
  const kernel = new Kernel("largest", "f32");
  const [x, count] = kernel.integers(2);
  const most = kernel.local("v128");
  return kernel.define([
    most.set(load(x.get)),
    columns(kernel, count, (at) => [most.set(f32x4.max(most.get, load(at(x))))]),
  ], laneMax(most));
}

/** Σ e^(x − shift) of `count` numbers, a multiple of four, none above `shift`: (x, count, shift). */
function sumExponentials(): Kernel {
  const kernel = new Kernel("sumExponentials", "f32");
  const [x, count] = kernel.integers(2);
  const shift = kernel.parameter("f32");
  const [sum, one, least] = kernel.locals("v128", 3);
  return kernel.define([
    sum.set(f32x4.of(0)),
    least.set(f32x4.splat(shift.get)),
    columns(kernel, count, (at) => [
      one.set(sub(load(at(x)), least.get)),
      exponential(kernel, one),
      sum.set(add(sum.get, one.get)),
    ]),
  ], laneSum(sum));
}

/** Numbers become e^(x − shift), none above `shift`; their sum: (x, count, shift). */
function exponentiate(): Kernel {
  const kernel = new Kernel("exponentiate", "f32");
  const [x, count] = kernel.integers(2);
  const shift = kernel.parameter("f32");
  const [sum, one, least] = kernel.locals("v128", 3);
  return kernel.define([
    sum.set(f32x4.of(0)),
    least.set(f32x4.splat(shift.get)),
    columns(kernel, count, (at) => [
      one.set(sub(load(at(x)), least.get)),
      exponential(kernel, one),
      f32x4.store(at(x), one.get),
      sum.set(add(sum.get, one.get)),
    ]),
  ], laneSum(sum));
}

/** Copies rows: (x, xStride, y, yStride, rows, width). */
function copyRows(): Kernel {
  const kernel = new Kernel("copyRows", "none");
  const [x, xStride, y, yStride, rows, width] = kernel.integers(6);
  const row = kernel.local("i32");
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      columns(kernel, width, (at) => [f32x4.store(at(y), load(at(x)))]),
      increase(x, xStride.get),
      increase(y, yStride.get),
    ),
  ]);
}

/** Names of the kernels of this file. */
export const decoderKernelNames = [
  "normaliseRows",
  "centreRows",
  "shiftRows",
  "gateRows",
  "bendRows",
  "turnRows",
  "largest",
  "sumExponentials",
  "exponentiate",
  "copyRows",
] as const;

/** Every kernel of this file. */
export function decoderKernels(): Kernel[] {
  return [
    normaliseRows(),
    centreRows(),
    shiftRows(),
    gateRows(),
    bendRows(),
    turnRows(),
    largest(),
    sumExponentials(),
    exponentiate(),
    copyRows(),
  ];
}
