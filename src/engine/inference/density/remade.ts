/** A node once more, with other arguments. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** The node of other arguments, rewritten as any new node is. @throws internal, if it has none. */
export function remade(g: SimplifyingBuilder, node: GraphNode, args: readonly NodeId[]): NodeId {
  switch (node.kind) {
    case "map":
      return g.map(node.op, ...args);
    case "reduce":
      return g.reduce(node.op, args[0], node.axes);
    case "scan":
      return g.scan(node.op, args[0], node.axis);
    case "reshape":
      return g.reshape(args[0], node.shape);
    case "gather":
      return g.gather(args[0], node.index, node.shape);
    case "scatter":
      return g.scatter(args[0], node.index, node.shape);
    case "take":
      return g.take(args[0], args[1]);
    case "join":
      return g.join(args, node.shape);
    case "matmul":
      return g.matmul(args[0], args[1]);
    case "cholesky":
      return g.cholesky(args[0]);
    case "solve":
      return g.solve(args[0], args[1], node.transposed);
    default:
      throw new Error(`internal: a ${node.kind} has no arguments`);
  }
}
