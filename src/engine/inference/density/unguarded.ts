/** Takes the guards of supports off a log density, so that gradients need not see them. */
import type { NodeId } from "../../language/ir/node.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/**
 * The node without the choices of −∞ along the sums that lead to it. Where a guard fails the log
 * density is −∞ and its gradient is not asked for; where all hold both are equal. So what is
 * differentiated is smooth, and the adjoint of a likelihood carries no conditions.
 */
export function unguarded(g: SimplifyingBuilder, x: NodeId): NodeId {
  const known = new Map<NodeId, NodeId>();
  return withoutGuards(g, x, known);
}

function withoutGuards(g: SimplifyingBuilder, x: NodeId, known: Map<NodeId, NodeId>): NodeId {
  const found = known.get(x) ?? strip(g, x, (arg) => withoutGuards(g, arg, known));
  known.set(x, found);
  return found;
}

function strip(g: SimplifyingBuilder, x: NodeId, inner: (x: NodeId) => NodeId): NodeId {
  const node = g.nodes[x];
  if (node.kind === "reshape") return g.reshape(inner(node.args[0]), node.shape);
  if (node.kind === "reduce" && node.op === "sum") {
    return fitted(g, g.sum(inner(node.args[0]), node.axes), x);
  }
  if (node.kind !== "map") return x;
  const [a, b, c] = node.args;
  switch (node.op) {
    case "add":
      return fitted(g, g.add(inner(a), inner(b)), x);
    case "sub":
      return fitted(g, g.sub(inner(a), b), x);
    case "mul": {
      const [factor, rest] = g.factored(x);
      return rest !== x && (g.constantOf(factor) ?? 0) > 0
        ? fitted(g, g.mul(factor, inner(rest)), x)
        : x;
    }
    case "where":
      if (g.constantOf(c) === -Infinity) return fitted(g, inner(b), x);
      if (g.constantOf(b) === -Infinity) return fitted(g, inner(c), x);
      if (g.constantOf(c) === 0) return fitted(g, g.where(a, inner(b), c), x);
      return x;
    default:
      return x;
  }
}

/** A branch of a choice may be smaller than the choice. */
function fitted(g: SimplifyingBuilder, x: NodeId, like: NodeId): NodeId {
  const shape = g.shapeOf(like);
  if (g.isScalar(x) && g.isScalar(like)) return g.reshape(x, shape);
  return g.broadcast(x, shape);
}
