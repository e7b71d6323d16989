/** Adjoints of reductions and of cumulative sums and products. */
import type { NodeId, ReduceNode, ScanNode } from "../../language/ir/node.ts";
import { forEachIndex, type Shape, sizeOf, stridesOf } from "../../language/ir/shape.ts";
import { type Contribute, filled } from "./adjoints.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Gives the argument of a reduction or scan its adjoint. */
export function pullReduced(
  g: SimplifyingBuilder,
  node: ReduceNode | ScanNode,
  id: NodeId,
  adjoint: NodeId,
  contribute: Contribute,
): void {
  const x = node.args[0];
  if (node.kind === "scan") return contribute(0, scanAdjoint(g, node, id, adjoint));
  const kept = g.shapeOf(x).map((extent, i) => node.axes.includes(i) ? 1 : extent);
  const spread = (y: NodeId) => sizeOf(g.shapeOf(y)) === 1 ? y : g.reshape(y, kept);
  const above = spread(adjoint);
  switch (node.op) {
    case "sum":
      return contribute(0, above);
    case "prod":
      return contribute(0, g.mul(above, productOfOthers(g, x, node.axes[0])));
    default: {
      // Ties share the adjoint.
      const isExtreme = g.map("eq", x, spread(id));
      const ties = spread(g.sum(isExtreme, node.axes));
      contribute(0, g.mul(g.div(above, ties), isExtreme));
    }
  }
}

/** Along one axis, the product of all elements but the one at hand; zeros are no exception. */
function productOfOthers(g: SimplifyingBuilder, x: NodeId, axis: number): NodeId {
  const before = (y: NodeId) => {
    const moved = g.gather(y, alongAxis(g.shapeOf(x), axis, (i) => i - 1), g.shapeOf(x));
    const first = g.array(firstAlong(g.shapeOf(x), axis), g.shapeOf(x));
    return g.scan("cumprod", g.add(moved, first), axis);
  };
  return g.mul(before(x), reversed(g, before(reversed(g, x, axis)), axis));
}

/**
 * Of y = cumsum x, x̄ᵢ = Σ_{j ≥ i} ȳⱼ; of a cumulative product the same of ȳ y, divided by xᵢ, which
 * must not be 0.
 */
function scanAdjoint(
  g: SimplifyingBuilder,
  { op, axis, args, shape }: ScanNode,
  id: NodeId,
  adjoint: NodeId,
): NodeId {
  const full = filled(g, op === "cumsum" ? adjoint : g.mul(adjoint, id), shape);
  const sums = reversed(g, g.scan("cumsum", reversed(g, full, axis), axis), axis);
  return op === "cumsum" ? sums : g.div(sums, args[0]);
}

function reversed(g: SimplifyingBuilder, x: NodeId, axis: number): NodeId {
  const shape = g.shapeOf(x);
  return g.gather(x, alongAxis(shape, axis, (i) => shape[axis] - 1 - i), shape);
}

/** Flat indices after a move along one axis; −1 where that leaves the array. */
function alongAxis(shape: Shape, axis: number, from: (i: number) => number): Int32Array {
  const index = new Int32Array(sizeOf(shape));
  const stride = stridesOf(shape)[axis];
  forEachIndex(shape, (at, flat) => {
    const source = from(at[axis]);
    index[flat] = source < 0 ? -1 : flat + (source - at[axis]) * stride;
  });
  return index;
}

/** 1 for the first elements along an axis, else 0. */
function firstAlong(shape: Shape, axis: number): Float64Array {
  const ones = new Float64Array(sizeOf(shape));
  forEachIndex(shape, (at, flat) => {
    ones[flat] = at[axis] === 0 ? 1 : 0;
  });
  return ones;
}
