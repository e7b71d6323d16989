/** Products of vectors and matrices on the graph. */
import { describeShape, sizeOf } from "../ir/shape.ts";
import { applyMap, fold, joinOrigins, shapeOf, widest } from "./arrays.ts";
import type { Checking } from "./checking.ts";
import type { Place } from "../syntax/source.ts";
import type { NumericValue } from "./values.ts";

/** `a @ b`, `np.dot(a, b)` of vectors and matrices; `dot` also scales by a number. */
export function matrixMultiply(
  checking: Checking,
  a: NumericValue,
  b: NumericValue,
  place: Place,
  dot = false,
): NumericValue | undefined {
  const [p, q] = [shapeOf(checking, a), shapeOf(checking, b)];
  const scalar = p.length === 0 || q.length === 0;
  if (scalar && dot) return applyMap(checking, "mul", [a, b], place, widest(a, b));
  if (scalar || p.length > 2 || q.length > 2) return refuseRanks(checking, a, b, place);
  const inner = q[q.length === 1 ? 0 : q.length - 2];
  if (p[p.length - 1] !== inner) return refuseInner(checking, a, b, place);
  const { graph } = checking;
  const left = p.length === 1 ? graph.reshape(a.node, [1, p[0]]) : a.node;
  const right = q.length === 1 ? graph.reshape(b.node, [q[0], 1]) : b.node;
  const shape = [...p.slice(0, -1), ...q.length === 1 ? [] : [q[1]]];
  checking.allocate(sizeOf(shape), place);
  checking.multiply(sizeOf(shape) * inner, place);
  const node = p.length === 1 && q.length === 1
    ? graph.sum(graph.mul(a.node, b.node))
    : graph.reshape(graph.matmul(left, right), shape);
  const dtype = widest(a, b);
  return fold(checking, { kind: "numeric", node, dtype, origin: joinOrigins(a, b) });
}

function refuseRanks(
  checking: Checking,
  a: NumericValue,
  b: NumericValue,
  place: Place,
): undefined {
  const found = [a, b].map((x) => describeShape(shapeOf(checking, x))).join(" and ");
  const message = `Cannot multiply by @: wanted vectors or matrices, found ${found}`;
  checking.error("shapes/matmul", message, place, "write * and pm.math.sum(..., axis=)");
}

function refuseInner(
  checking: Checking,
  a: NumericValue,
  b: NumericValue,
  place: Place,
): undefined {
  const [p, q] = [a, b].map((x) => describeShape(shapeOf(checking, x)));
  const message = `Cannot compute ${checking.text(place)}: ${p} and ${q} do not multiply`;
  const hint = "the last axis of the left must be as long as the first axis of the right";
  checking.error("shapes/matmul", message, place, hint);
}

/** `x.T`: the axes in reverse order. */
export function transpose(checking: Checking, x: NumericValue, place: Place): NumericValue {
  const shape = shapeOf(checking, x);
  if (shape.length < 2) return x;
  return permute(checking, x, shape.map((_, i) => shape.length - 1 - i), place);
}

/** The axes in another order. */
export function permute(
  checking: Checking,
  x: NumericValue,
  axes: readonly number[],
  place: Place,
): NumericValue {
  const from = shapeOf(checking, x);
  const to = axes.map((axis) => from[axis]);
  const size = sizeOf(to);
  checking.allocate(size, place);
  const strides = from.map((_, i) => sizeOf(from.slice(i + 1)));
  const index = new Int32Array(size);
  const at = new Array<number>(to.length).fill(0);
  for (let flat = 0; flat < size; flat++) {
    let sum = 0;
    for (let i = 0; i < at.length; i++) sum += at[i] * strides[axes[i]];
    index[flat] = sum;
    for (let i = to.length - 1; i >= 0; i--) {
      if (++at[i] < to[i]) break;
      at[i] = 0;
    }
  }
  return fold(checking, { ...x, node: checking.graph.gather(x.node, index, to) });
}
