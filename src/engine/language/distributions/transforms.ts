/** From unconstrained numbers to values in the support, with log Jacobians: PyMC 5.28's transforms. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Transform } from "../ir/program.ts";
import { type Shape, sizeOf, stridesOf } from "../ir/shape.ts";
import {
  joinLast,
  logSumExpLast,
  padRight,
  pickLast,
  sliceLast,
  softmaxLast,
  sumLast,
} from "./arrays.ts";
import { times } from "./forms.ts";

/**
 * Shape of the unconstrained numbers behind a value of shape `shape`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { unconstrainedShape } from "./transforms.ts";
 * assert.deepEqual(unconstrainedShape({ kind: "simplex" }, [5, 3]), [5, 2]);
 * ```
 */
export function unconstrainedShape(transform: Transform, shape: Shape): Shape {
  switch (transform.kind) {
    case "simplex":
      return [...shape.slice(0, -1), shape.at(-1)! - 1];
    case "zero_sum":
      return shape.map((extent, i) => i < shape.length - transform.axes ? extent : extent - 1);
    case "summed":
      return [0];
    case "circular":
      return [...shape, 2];
    case "chain":
      return transform.parts.reduceRight<Shape>(
        (inner, part) => unconstrainedShape(part, inner),
        shape,
      );
    default:
      return shape;
  }
}

/** The value in the support; `q` has the unconstrained shape. */
export function forward(g: GraphBuilder, transform: Transform, q: NodeId): NodeId {
  switch (transform.kind) {
    case "identity":
      return q;
    case "log":
      return g.exp(q);
    case "logodds":
      return g.map("sigmoid", q);
    case "interval":
      return intoInterval(g, transform.lower, transform.upper, q);
    case "circular":
      return angleOf(g, q);
    case "affine":
      return g.add(transform.location, g.mul(transform.scale, q));
    case "walk":
      return walked(g, transform.location, transform.scale, q);
    case "linear":
      return g.add(transform.location, g.matmul(q, transposed(g, transform.factor)));
    case "ordered":
      return g.scan("cumsum", spacings(g, q), g.shapeOf(q).length - 1);
    case "simplex":
      return softmaxLast(g, balanced(g, q));
    case "zero_sum":
      return zeroSum(g, q, transform.axes);
    case "cholesky_factor":
      return positiveDiagonal(g, q, transform.n);
    case "summed":
      throw new Error("internal: a discrete variable has no unconstrained numbers");
    case "chain":
      return transform.parts.reduce((value, part) => forward(g, part, value), q);
  }
}

/**
 * log |∂ value / ∂ q|: for each element where the transform goes element by element, for each row of
 * the last axes otherwise; a zero where it is constant.
 */
export function logJacobian(g: GraphBuilder, transform: Transform, q: NodeId): NodeId {
  switch (transform.kind) {
    case "circular":
      return ringDensity(g, q);
    case "identity":
    case "zero_sum":
    case "summed":
      return g.scalar(0);
    case "log":
      return q;
    case "logodds":
      return logoddsJacobian(g, q);
    case "affine":
      return g.broadcast(g.log(transform.scale), g.shapeOf(q));
    case "walk":
    case "linear":
      throw new Error("internal: measured by what it is made of");
    case "interval":
      return intervalJacobian(g, transform.lower, transform.upper, q);
    case "ordered":
      return sumLast(g, sliceLast(g, q, 1, g.shapeOf(q).at(-1)! - 1));
    case "simplex":
      return simplexJacobian(g, q);
    case "cholesky_factor":
      return sumLast(g, pickLast(g, q, diagonalOf(transform.n)));
    case "chain":
      return chainJacobian(g, transform.parts, q);
  }
}

/** Parts of one shape are added element by element, others as their sums. */
function chainJacobian(g: GraphBuilder, parts: readonly Transform[], q: NodeId): NodeId {
  let [value, total] = [q, g.scalar(0)];
  for (const part of parts) {
    const term = logJacobian(g, part, value);
    const alike = g.constantOf(total) === 0 || g.constantOf(term) === 0 ||
      g.shapeOf(total).length === g.shapeOf(term).length;
    total = alike ? g.add(total, term) : g.add(g.sum(total), g.sum(term));
    value = forward(g, part, value);
  }
  return total;
}

/** A bound is absent if it is a constant infinity. */
function bounds(g: GraphBuilder, lower: NodeId, upper: NodeId): [boolean, boolean] {
  return [g.constantOf(lower) !== -Infinity, g.constantOf(upper) !== Infinity];
}

/** lower + (upper − lower) σ(q); lower + e^q and upper − e^q where one bound is absent. */
function intoInterval(g: GraphBuilder, lower: NodeId, upper: NodeId, q: NodeId): NodeId {
  const [below, above] = bounds(g, lower, upper);
  if (below && above) return g.add(lower, g.mul(g.sub(upper, lower), g.map("sigmoid", q)));
  if (below) return g.add(lower, g.exp(q));
  return above ? g.sub(upper, g.exp(q)) : q;
}

function intervalJacobian(g: GraphBuilder, lower: NodeId, upper: NodeId, q: NodeId): NodeId {
  const [below, above] = bounds(g, lower, upper);
  if (below && above) return g.add(logoddsJacobian(g, q), g.log(g.sub(upper, lower)));
  return below || above ? q : g.scalar(0);
}

/** log σ(q) + log σ(−q) = −q − 2 log(1 + e^−q). */
function logoddsJacobian(g: GraphBuilder, q: NodeId): NodeId {
  return g.sub(times(g, -2, g.map("softplus", g.neg(q))), q);
}

/** Standard deviation of the logarithm of the radius at which angles are. */
const ringWidth = 0.2;
/** −log ringWidth − ½ log 2π. */
const logRingPeak = 0.6904993792294276;

/** The last axis' two numbers, each of the shape before it, and the logarithm of their radius. */
function planeOf(g: GraphBuilder, q: NodeId) {
  const part = (k: number) => g.reshape(sliceLast(g, q, k, 1), g.shapeOf(q).slice(0, -1));
  const [x, y] = [part(0), part(1)];
  return { x, y, square: g.add(g.mul(x, x), g.mul(y, y)) };
}

/**
 * The angle in [−π, π] of a point in the plane: a circle has no copies there and no ends, as it has on the line that
 * PyMC's transform wraps.
 */
function angleOf(g: GraphBuilder, q: NodeId): NodeId {
  const { x, y, square } = planeOf(g, q);
  const half = g.map("atan", g.div(y, g.add(g.map("sqrt", square), g.map("abs", x))));
  const side = g.where(g.map("ge", y, g.scalar(0)), g.scalar(Math.PI), g.scalar(-Math.PI));
  const right = times(g, 2, half);
  return g.where(g.map("ge", x, g.scalar(0)), right, g.sub(side, right));
}

/** Points lie on a ring: the logarithm of the radius is normal, whatever the angle, and 1 / r² makes it a density of the plane. */
function ringDensity(g: GraphBuilder, q: NodeId): NodeId {
  const logRadius = times(g, 0.5, g.log(planeOf(g, q).square));
  const away = times(g, 1 / ringWidth, logRadius);
  const normal = g.sub(g.scalar(logRingPeak), times(g, 0.5, g.mul(away, away)));
  return g.sub(normal, times(g, 2, logRadius));
}

function transposed(g: GraphBuilder, x: NodeId): NodeId {
  const [rows, columns] = g.shapeOf(x);
  const index = Int32Array.from(
    { length: rows * columns },
    (_, at) => at % rows * columns + Math.floor(at / rows),
  );
  return g.gather(x, index, [columns, rows]);
}

/** q_0, then q_0 + Σ (location + scale · q_s) over the steps so far. */
function walked(g: GraphBuilder, location: NodeId, scale: NodeId, q: NodeId): NodeId {
  const shape = g.shapeOf(q);
  const n = shape.at(-1)!;
  const sums = g.scan("cumsum", q, shape.length - 1);
  const first = sliceLast(g, q, 0, 1);
  const steps = g.array(Float64Array.from({ length: n }, (_, i) => i), [n]);
  const drift = g.constantOf(location) === 0 ? g.scalar(0) : g.mul(location, steps);
  return g.add(g.add(first, drift), g.mul(scale, g.sub(sums, first)));
}

/** The first number, then the exponentials of the others. */
function spacings(g: GraphBuilder, q: NodeId): NodeId {
  const n = g.shapeOf(q).at(-1)!;
  return n === 1 ? q : joinLast(g, sliceLast(g, q, 0, 1), g.exp(sliceLast(g, q, 1, n - 1)));
}

/** q with a further element that makes the sum zero. */
function balanced(g: GraphBuilder, q: NodeId): NodeId {
  return joinLast(g, q, g.neg(padRight(g, sumLast(g, q))));
}

/** log N + N (Σ q − log(1 + Σ e^(q_i + Σ q))), for N elements of the simplex. */
function simplexJacobian(g: GraphBuilder, q: NodeId): NodeId {
  const n = g.shapeOf(q).at(-1)! + 1;
  const total = padRight(g, sumLast(g, q));
  const shifted = g.add(q, total);
  const rest = logSumExpLast(g, joinLast(g, shifted, times(g, 0, total)));
  const sum = g.reshape(total, g.shapeOf(rest));
  return g.add(times(g, n, g.sub(sum, rest)), g.log(g.scalar(n)));
}

/** Extends the last axes, one after another, by an element so that they sum to zero. */
function zeroSum(g: GraphBuilder, q: NodeId, axes: number): NodeId {
  let value = q;
  const rank = g.shapeOf(q).length;
  for (let axis = rank - axes; axis < rank; axis++) value = extended(g, value, axis);
  return value;
}

/** The isometric basis of vectors that sum to zero (as in PyMC's `ZeroSumTransform`). */
function extended(g: GraphBuilder, x: NodeId, axis: number): NodeId {
  const moved = swapWithLast(g, x, axis);
  const n = g.shapeOf(moved).at(-1)! + 1;
  const sum = padRight(g, sumLast(g, moved));
  const root = Math.sqrt(n);
  const norm = g.div(sum, g.scalar(root + n));
  const fill = g.sub(norm, g.div(sum, g.scalar(root)));
  return swapWithLast(g, g.sub(joinLast(g, moved, fill), norm), axis);
}

/** x with one axis exchanged for the last. */
function swapWithLast(g: GraphBuilder, x: NodeId, axis: number): NodeId {
  const shape = g.shapeOf(x);
  const last = shape.length - 1;
  if (axis === last) return x;
  const order = shape.map((_, i) => i === axis ? last : i === last ? axis : i);
  const to = order.map((from) => shape[from]);
  const [strides, toStrides] = [stridesOf(shape), stridesOf(to)];
  const index = new Int32Array(sizeOf(shape));
  for (let flat = 0; flat < index.length; flat++) {
    let from = 0;
    for (let i = 0; i < to.length; i++) {
      from += Math.floor(flat / toStrides[i]) % to[i] * strides[order[i]];
    }
    index[flat] = from;
  }
  return g.gather(x, index, to);
}

/** Where a packed lower triangle of size n keeps its diagonal. */
export function diagonalOf(n: number): number[] {
  return Array.from({ length: n }, (_, i) => (i + 1) * (i + 2) / 2 - 1);
}

/** The packed factor with exponentials on its diagonal. */
function positiveDiagonal(g: GraphBuilder, q: NodeId, n: number): NodeId {
  const size = n * (n + 1) / 2;
  const diagonal = g.exp(pickLast(g, q, diagonalOf(n)));
  const places = diagonalOf(n);
  const all = joinLast(g, q, diagonal);
  return pickLast(
    g,
    all,
    Array.from({ length: size }, (_, at) => places.includes(at) ? size + places.indexOf(at) : at),
  );
}
