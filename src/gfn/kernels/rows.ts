/** Kernels over rows of activations: normalisation, activation, sums of columns, embeddings. */
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
  v128,
  when,
} from "../../numerics/wasm/mod.ts";
import { bytes, laneSum } from "../../numerics/wasm/kernels/mod.ts";

// Widths are multiples of four. Addresses and strides are in bytes, counts in numbers.

const normEpsilon = 1e-6;
const { add, sub, mul } = f32x4;
const zero = i32.of(0);

/** Visits the columns of a row four at a time; `at(base)` is the address of the present four. */
function columns(
  kernel: Kernel,
  width: Local<"i32">,
  body: (at: (base: Local<"i32">) => Code<"i32">) => readonly Statement[],
): Statement {
  const offset = kernel.local("i32");
  const at = (base: Local<"i32">) => i32.add(base.get, offset.get);
  return range(offset, zero, bytes(width.get), 16, ...body(at));
}

/**
 * RMS normalisation (Zhang and Sennrich 2019): y = x s gain, s = 1 / √(mean x² + ε) kept per row.
 * (x, gain, y, scales, rows, width).
 */
function normalise(): Kernel {
  const kernel = new Kernel("normalise", "none");
  const [x, gain, y, scales, rows, width] = kernel.integers(6);
  const row = kernel.local("i32");
  const [sum, scale] = kernel.locals("v128", 2);
  const one = kernel.local("f32");
  const mean = f32.div(laneSum(sum), f32.convert(width.get));
  const load = (address: Code<"i32">) => f32x4.load(address);
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      columns(kernel, width, (at) => [sum.set(add(sum.get, mul(load(at(x)), load(at(x)))))]),
      one.set(f32.div(f32.of(1), f32.sqrt(f32.add(mean, f32.of(normEpsilon))))),
      f32.store(scales.get, one.get),
      scale.set(f32x4.splat(one.get)),
      columns(kernel, width, (at) => [
        f32x4.store(at(y), mul(mul(load(at(x)), scale.get), load(at(gain)))),
      ]),
      increase(scales, i32.of(4)),
      ...[x, y].map((one) => increase(one, bytes(width.get))),
    ),
  ]);
}

/**
 * The gradient of {@linkcode normalise}, added to `dx` and `dGain`:
 * (x, gain, scales, dy, dx, dGain, rows, width).
 */
function normaliseGradient(): Kernel {
  const kernel = new Kernel("normaliseGradient", "none");
  const [x, gain, scales, dy, dx, dGain, rows, width] = kernel.integers(8);
  const row = kernel.local("i32");
  const [sum, scale, along, unit, force] = kernel.locals("v128", 5);
  const load = (address: Code<"i32">) => f32x4.load(address);
  const mean = f32x4.splat(f32.div(laneSum(sum), f32.convert(width.get)));
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      sum.set(f32x4.of(0)),
      scale.set(f32x4.splat(f32.load(scales.get))),
      columns(kernel, width, (at) => [
        unit.set(mul(load(at(x)), scale.get)),
        force.set(mul(load(at(dy)), unit.get)),
        f32x4.store(at(dGain), add(load(at(dGain)), force.get)),
        sum.set(add(sum.get, mul(force.get, load(at(gain))))),
      ]),
      along.set(mean),
      columns(kernel, width, (at) => [
        unit.set(mul(load(at(x)), scale.get)),
        force.set(mul(load(at(dy)), load(at(gain)))),
        force.set(mul(scale.get, sub(force.get, mul(unit.get, along.get)))),
        f32x4.store(at(dx), add(load(at(dx)), force.get)),
      ]),
      increase(scales, i32.of(4)),
      ...[x, dy, dx].map((one) => increase(one, bytes(width.get))),
    ),
  ]);
}

/**
 * Turns the gradient of an output of max(x, slope · x) into that of x, in place: (output, gradient,
 * count, slope).
 */
function activationGradient(): Kernel {
  const kernel = new Kernel("activationGradient", "none");
  const [output, gradient, count] = kernel.integers(3);
  const slope = kernel.parameter("f32");
  const flat = f32x4.splat(slope.get);
  return kernel.define([
    columns(kernel, count, (at) => {
      const force = f32x4.load(at(gradient));
      const isOn = f32x4.gt(f32x4.load(at(output)), f32x4.of(0));
      return [f32x4.store(at(gradient), v128.select(force, mul(force, flat), isOn))];
    }),
  ]);
}

/**
 * y = f(y + bias) in place, f(x) = max(x, slope · x), of any width: (y, stride, rows, columns, bias
 * or 0, slope). Where own products do this at their end, a library's need it.
 */
function shiftAndBend(): Kernel {
  const kernel = new Kernel("shiftAndBend", "none");
  const [y, stride, rows, width, bias] = kernel.integers(5);
  const slope = kernel.parameter("f32");
  const [row, j, at, from] = kernel.locals("i32", 4);
  const number = kernel.local("f32");
  const store = f32.store(at.get, f32.max(number.get, f32.mul(number.get, slope.get)));
  const shift = number.set(f32.add(number.get, f32.load(from.get)));
  const [next, nextFrom] = [increase(at, i32.of(4)), increase(from, i32.of(4))];
  const cell = [number.set(f32.load(at.get)), when(bias.get, shift), store, next, nextFrom];
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      at.set(y.get),
      from.set(bias.get),
      range(j, zero, width.get, 1, ...cell),
      increase(y, stride.get),
    ),
  ]);
}

/** Adds to `target` the sum of rows: (x, stride, rows, width, target). */
function columnSums(): Kernel {
  const kernel = new Kernel("columnSums", "none");
  const [x, stride, rows, width, target] = kernel.integers(5);
  const row = kernel.local("i32");
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      columns(kernel, width, (at) => [
        f32x4.store(at(target), add(f32x4.load(at(target)), f32x4.load(at(x)))),
      ]),
      increase(x, stride.get),
    ),
  ]);
}

/** The address of row `index` of a table, an index being the number at `indices`. */
function tableRow(table: Local<"i32">, indices: Local<"i32">, width: Local<"i32">) {
  return i32.add(table.get, bytes(i32.mul(i32.load(indices.get), width.get)));
}

/**
 * Sums of an action's row and a position's row: (actions, positions, actionTable, positionTable,
 * out, rows, width); `actions` and `positions` are lists of 32-bit integers.
 */
function embed(): Kernel {
  const kernel = new Kernel("embed", "none");
  const [actions, positions, actionTable, positionTable, out, rows, width] = kernel.integers(7);
  const [row, a, p] = kernel.locals("i32", 3);
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      a.set(tableRow(actionTable, actions, width)),
      p.set(tableRow(positionTable, positions, width)),
      columns(kernel, width, (at) => [
        f32x4.store(at(out), add(f32x4.load(at(a)), f32x4.load(at(p)))),
      ]),
      ...[actions, positions].map((one) => increase(one, i32.of(4))),
      increase(out, bytes(width.get)),
    ),
  ]);
}

/** The gradient of {@linkcode embed}, added to the two tables' gradients; `out` is its input. */
function embedGradient(): Kernel {
  const kernel = new Kernel("embedGradient", "none");
  const [actions, positions, actionTable, positionTable, out, rows, width] = kernel.integers(7);
  const [row, a, p] = kernel.locals("i32", 3);
  const force = kernel.local("v128");
  return kernel.define([
    range(
      row,
      zero,
      rows.get,
      1,
      a.set(tableRow(actionTable, actions, width)),
      p.set(tableRow(positionTable, positions, width)),
      columns(kernel, width, (at) => [
        force.set(f32x4.load(at(out))),
        f32x4.store(at(a), add(f32x4.load(at(a)), force.get)),
        f32x4.store(at(p), add(f32x4.load(at(p)), force.get)),
      ]),
      ...[actions, positions].map((one) => increase(one, i32.of(4))),
      increase(out, bytes(width.get)),
    ),
  ]);
}

/** Every kernel of this file. */
export function rowKernels(): Kernel[] {
  return [
    normalise(),
    normaliseGradient(),
    activationGradient(),
    shiftAndBend(),
    columnSums(),
    embed(),
    embedGradient(),
  ];
}
