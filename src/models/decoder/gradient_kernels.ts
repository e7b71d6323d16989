/** Kernels of a decoder's backward pass, beside those of matrix products; rows of a common width. */
import {
  type Code,
  f32,
  f32x4,
  i32,
  increase,
  Kernel,
  type Local,
  range,
  type Statement,
  when,
} from "../../numerics/wasm/mod.ts";
import { bytes, laneSum } from "../../numerics/wasm/kernels/mod.ts";
import { columns, geluCube, geluScale, inverseDeviation, logistic } from "./kernels.ts";

// Widths are multiples of four. Addresses and strides are in bytes, counts in numbers. Gradients are
// added to the numbers at their addresses, unless a comment says "in place".

const { add, sub, mul } = f32x4;
const zero = i32.of(0);
const load = (address: Code<"i32">) => f32x4.load(address);

/** Adds to the numbers at an address. */
function addTo(address: Code<"i32">, value: Code<"v128">): Statement {
  return f32x4.store(address, add(load(address), value));
}

/** A sum of four lanes, over the width of rows. */
function mean(sum: Local<"v128">, width: Local<"i32">): Code<"v128"> {
  return f32x4.splat(f32.div(laneSum(sum), f32.convert(width.get)));
}

/** The gradient of `normaliseRows`: (x, gain, dy, dx, dGain or 0, rows, width, epsilon). */
function normaliseRowsGradient(): Kernel {
  const kernel = new Kernel("normaliseRowsGradient", "none");
  const [x, gain, dy, dx, dGain, rows, width] = kernel.integers(7);
  const epsilon = kernel.parameter("f32");
  const row = kernel.local("i32");
  const [sum, scale, along, unit, force] = kernel.locals("v128", 5);
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [sum.set(add(sum.get, mul(load(at(x)), load(at(x)))))]),
      scale.set(inverseDeviation(sum, width, epsilon)),
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [
        force.set(mul(load(at(dy)), mul(load(at(x)), scale.get))),
        when(dGain.get, addTo(at(dGain), force.get)),
        sum.set(add(sum.get, mul(force.get, load(at(gain))))),
      ]),
      along.set(mean(sum, width)),
      columns(kernel, width, (at) => [
        unit.set(mul(load(at(x)), scale.get)),
        force.set(sub(mul(load(at(dy)), load(at(gain))), mul(unit.get, along.get))),
        addTo(at(dx), mul(scale.get, force.get)),
      ]),
      ...[x, dy, dx].map((one) => increase(one, bytes(width.get))),
    ),
  ]);
}

/** The gradient of `centreRows`: (x, gain, dy, dx, dGain or 0, dShift or 0, rows, width, epsilon). */
function centreRowsGradient(): Kernel {
  const kernel = new Kernel("centreRowsGradient", "none");
  const [x, gain, dy, dx, dGain, dShift, rows, width] = kernel.integers(8);
  const epsilon = kernel.parameter("f32");
  const row = kernel.local("i32");
  const [sum, centre, scale, along, level, unit, force] = kernel.locals("v128", 7);
  const setUnit = (at: (base: Local<"i32">) => Code<"i32">) =>
    unit.set(mul(sub(load(at(x)), centre.get), scale.get));
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [sum.set(add(sum.get, load(at(x))))]),
      centre.set(mean(sum, width)),
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [
        unit.set(sub(load(at(x)), centre.get)),
        sum.set(add(sum.get, mul(unit.get, unit.get))),
      ]),
      scale.set(inverseDeviation(sum, width, epsilon)),
      ...[along, level].map((one) => one.set(f32x4.of(0))),
      columns(kernel, width, (at) => [
        setUnit(at),
        when(dGain.get, addTo(at(dGain), mul(load(at(dy)), unit.get))),
        when(dShift.get, addTo(at(dShift), load(at(dy)))),
        force.set(mul(load(at(dy)), load(at(gain)))),
        level.set(add(level.get, force.get)),
        along.set(add(along.get, mul(force.get, unit.get))),
      ]),
      ...[along, level].map((one) => one.set(mean(one, width))),
      columns(kernel, width, (at) => [
        setUnit(at),
        force.set(sub(mul(load(at(dy)), load(at(gain))), level.get)),
        force.set(sub(force.get, mul(unit.get, along.get))),
        addTo(at(dx), mul(scale.get, force.get)),
      ]),
      ...[x, dy, dx].map((one) => increase(one, bytes(width.get))),
    ),
  ]);
}

/** `gateRows` into `bent`, and in place of its two inputs its slopes by them: (gate, up, bent, count). */
function gateRowsSlopes(): Kernel {
  const kernel = new Kernel("gateRowsSlopes", "none");
  const [gate, up, bent, count] = kernel.integers(4);
  const [share, slope] = kernel.locals("v128", 2);
  return kernel.define([
    columns(kernel, count, (at) => [
      share.set(load(at(gate))),
      logistic(kernel, share),
      // σ(x) (1 + x (1 − σ(x)))
      slope.set(mul(load(at(gate)), sub(f32x4.of(1), share.get))),
      slope.set(mul(share.get, add(f32x4.of(1), slope.get))),
      share.set(mul(load(at(gate)), share.get)),
      f32x4.store(at(bent), mul(share.get, load(at(up)))),
      f32x4.store(at(gate), mul(load(at(up)), slope.get)),
      f32x4.store(at(up), share.get),
    ]),
  ]);
}

/** `bendRows` into `bent`, and in place of its input its slope: (x, bent, count). */
function bendRowsSlopes(): Kernel {
  const kernel = new Kernel("bendRowsSlopes", "none");
  const [rows, bent, count] = kernel.integers(3);
  const [x, z, slope] = kernel.locals("v128", 3);
  return kernel.define([
    columns(kernel, count, (at) => [
      x.set(load(at(rows))),
      z.set(mul(mul(x.get, x.get), mul(x.get, f32x4.of(geluCube)))),
      z.set(mul(add(x.get, z.get), f32x4.of(geluScale))),
      slope.set(mul(mul(x.get, x.get), f32x4.of(geluCube))),
      slope.set(mul(add(f32x4.of(1), mul(f32x4.of(3), slope.get)), f32x4.of(geluScale))),
      logistic(kernel, z),
      f32x4.store(at(bent), mul(x.get, z.get)),
      // σ(z) (1 + x z′ (1 − σ(z)))
      slope.set(mul(mul(x.get, slope.get), sub(f32x4.of(1), z.get))),
      f32x4.store(at(rows), mul(z.get, add(f32x4.of(1), slope.get))),
    ]),
  ]);
}

/** Multiplies numbers by others, in place: (x, factors, count). */
function multiplyNumbers(): Kernel {
  const kernel = new Kernel("multiplyNumbers", "none");
  const [x, factors, count] = kernel.integers(3);
  return kernel.define([
    columns(kernel, count, (at) => [
      f32x4.store(at(x), mul(load(at(x)), load(at(factors)))),
    ]),
  ]);
}

/**
 * Turns the gradient of probabilities into that of scores, in place: d = scale p (d − Σ p d), whole
 * rows of `stride`: (p, d, stride, rows, scale).
 */
function softmaxRowsGradient(): Kernel {
  const kernel = new Kernel("softmaxRowsGradient", "none");
  const [p, d, stride, rows] = kernel.integers(4);
  const scale = kernel.parameter("f32");
  const [row, j] = kernel.locals("i32", 2);
  const [sum, factor] = kernel.locals("v128", 2);
  const at = (base: Local<"i32">) => i32.add(base.get, j.get);
  const each = (...body: readonly Statement[]) => range(j, zero, stride.get, 16, ...body);
  return kernel.define([
    factor.set(f32x4.splat(scale.get)),
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      each(sum.set(add(sum.get, mul(load(at(p)), load(at(d)))))),
      sum.set(f32x4.splat(laneSum(sum))),
      each(
        f32x4.store(at(d), mul(mul(factor.get, load(at(p))), sub(load(at(d)), sum.get))),
      ),
      ...[p, d].map((one) => increase(one, stride.get)),
    ),
  ]);
}

/** Adds to `target` the sum of rows: (x, stride, rows, width, target). */
function sumRows(): Kernel {
  const kernel = new Kernel("sumRows", "none");
  const [x, stride, rows, width, target] = kernel.integers(5);
  const row = kernel.local("i32");
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      columns(kernel, width, (at) => [addTo(at(target), load(at(x)))]),
      increase(x, stride.get),
    ),
  ]);
}

/** Multiplies numbers, in place: (x, count, factor). */
function scaleNumbers(): Kernel {
  const kernel = new Kernel("scaleNumbers", "none");
  const [x, count] = kernel.integers(2);
  const factor = kernel.parameter("f32");
  return kernel.define([
    columns(kernel, count, (at) => [
      f32x4.store(at(x), mul(load(at(x)), f32x4.splat(factor.get))),
    ]),
  ]);
}

/** Adds row r to row indices[r] of `target`: (x, indices, target, stride, rows, width). */
function addRowsAt(): Kernel {
  const kernel = new Kernel("addRowsAt", "none");
  const [x, indices, target, stride, rows, width] = kernel.integers(6);
  const [row, to] = kernel.locals("i32", 2);
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      to.set(i32.add(target.get, i32.mul(i32.load(indices.get), stride.get))),
      columns(kernel, width, (at) => [addTo(at(to), load(at(x)))]),
      increase(indices, i32.of(4)),
      increase(x, bytes(width.get)),
    ),
  ]);
}

/** Names of the kernels of this file. */
export const gradientKernelNames = [
  "normaliseRowsGradient",
  "centreRowsGradient",
  "gateRowsSlopes",
  "bendRowsSlopes",
  "multiplyNumbers",
  "softmaxRowsGradient",
  "sumRows",
  "scaleNumbers",
  "addRowsAt",
] as const;

/** Every kernel of this file. */
export function gradientKernels(): Kernel[] {
  return [
    normaliseRowsGradient(),
    centreRowsGradient(),
    gateRowsSlopes(),
    bendRowsSlopes(),
    multiplyNumbers(),
    softmaxRowsGradient(),
    sumRows(),
    scaleNumbers(),
    addRowsAt(),
  ];
}
