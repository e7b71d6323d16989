/** Formulas along the last axes of arrays: slices, joins, sums that broadcast, log-sum-exp. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { broadcastShapes, type Shape, sizeOf } from "../ir/shape.ts";

/** Extent of the last axis. */
export function lastExtent(g: GraphBuilder, x: NodeId): number {
  return g.shapeOf(x).at(-1)!;
}

/** x with a further last axis of extent 1. */
export function padRight(g: GraphBuilder, x: NodeId, axes = 1): NodeId {
  return g.reshape(x, [...g.shapeOf(x), ...new Array<number>(axes).fill(1)]);
}

/** Sum over the last axes. */
export function sumLast(g: GraphBuilder, x: NodeId, axes = 1): NodeId {
  const rank = g.shapeOf(x).length;
  return axes === 0 ? x : g.sum(x, Array.from({ length: axes }, (_, i) => rank - axes + i));
}

/** Elements `from`, `from + 1`, … of the last axis. */
export function sliceLast(g: GraphBuilder, x: NodeId, from: number, length: number): NodeId {
  return pickLast(g, x, Array.from({ length }, (_, i) => from + i));
}

/** Chosen elements of the last axis; −1 stands for a zero. */
export function pickLast(g: GraphBuilder, x: NodeId, chosen: readonly number[]): NodeId {
  const shape = g.shapeOf(x);
  const extent = shape.at(-1)!;
  const rows = sizeOf(shape) / extent;
  const index = new Int32Array(rows * chosen.length);
  for (let row = 0; row < rows; row++) {
    chosen.forEach((at, i) => {
      index[row * chosen.length + i] = at < 0 ? -1 : row * extent + at;
    });
  }
  return g.gather(x, index, [...shape.slice(0, -1), chosen.length]);
}

/** Joins two arrays of the same batch along their last axes. */
export function joinLast(g: GraphBuilder, a: NodeId, b: NodeId): NodeId {
  const [first, second] = [lastExtent(g, a), lastExtent(g, b)];
  const batch = g.shapeOf(a).slice(0, -1);
  const total = first + second;
  const rows = sizeOf(batch);
  const joined = g.join([a, b]);
  const index = new Int32Array(rows * total);
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < total; i++) {
      const at = i < first ? row * first + i : rows * first + row * second + (i - first);
      index[row * total + i] = at;
    }
  }
  return g.gather(joined, index, [...batch, total]);
}

/**
 * A whole number next to the largest element of the last axis, which stays with extent 1. To take it
 * off keeps exponentials from overflowing as well as the maximum would, and its slope is 0: so
 * adjoints do not run through a maximum that they would cancel at.
 */
function levelLast(g: GraphBuilder, x: NodeId): NodeId {
  const largest = g.reduce("max", x, [g.shapeOf(x).length - 1]);
  return padRight(g, g.map("round", largest));
}

/** A level that is infinite would make ∞ − ∞: 0 in its place. */
export function finiteLevel(g: GraphBuilder, level: NodeId): NodeId {
  return g.where(g.map("lt", g.map("abs", level), g.scalar(Infinity)), level, zero(g));
}

/** log Σ e^x over the last axis, which goes; −∞ where all are −∞. */
export function logSumExpLast(g: GraphBuilder, x: NodeId): NodeId {
  const level = finiteLevel(g, levelLast(g, x));
  const sum = sumLast(g, g.exp(g.sub(x, level)));
  return g.add(g.log(sum), g.reshape(level, g.shapeOf(sum)));
}

/** e^x / Σ e^x over the last axis. */
export function softmaxLast(g: GraphBuilder, x: NodeId): NodeId {
  const powers = g.exp(g.sub(x, levelLast(g, x)));
  return g.div(powers, padRight(g, sumLast(g, powers)));
}

/** log(e^a + e^b); b must be above −∞. */
export function logAddExp(g: GraphBuilder, a: NodeId, b: NodeId): NodeId {
  return g.add(b, g.map("softplus", g.sub(a, b)));
}

/** log(e^a − e^b) for a ≥ b. */
export function logSubExp(g: GraphBuilder, a: NodeId, b: NodeId): NodeId {
  return g.add(a, g.map("log1mexp", g.sub(b, a)));
}

/** 0. */
export function zero(g: GraphBuilder): NodeId {
  return g.scalar(0);
}

/** The common shape of nodes. @throws internal, if there is none. */
export function commonShape(g: GraphBuilder, nodes: readonly NodeId[]): Shape {
  const shape = broadcastShapes(...nodes.map((node) => g.shapeOf(node)));
  if (!shape) throw new Error("internal: shapes that do not broadcast");
  return shape;
}

/** Flat indices of the last axis's elements `code` `[batch]` in an array `[batch, extent]`. */
export function flatCodes(g: GraphBuilder, code: NodeId, batch: Shape, extent: number): NodeId {
  const rows = sizeOf(batch);
  const base = Float64Array.from({ length: rows }, (_, row) => row * extent);
  return g.add(g.array(base, batch), g.broadcast(code, batch));
}
