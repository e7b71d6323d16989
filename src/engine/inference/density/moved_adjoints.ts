/** Adjoints of what only moves elements: reshapes, gathers, scatters, joins. */
import type {
  GatherNode,
  JoinNode,
  NodeId,
  ReshapeNode,
  ScatterNode,
  TakeNode,
} from "../../language/ir/node.ts";
import { sizeOf } from "../../language/ir/shape.ts";
import { type Contribute, filled } from "./adjoints.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Gives the arguments their adjoints by the transpose: reading becomes adding, and the reverse. */
export function pullMoved(
  g: SimplifyingBuilder,
  node: ReshapeNode | GatherNode | ScatterNode | TakeNode | JoinNode,
  adjoint: NodeId,
  contribute: Contribute,
  isActive: (argument: number) => boolean,
): void {
  const shapeOf = (k: number) => g.shapeOf(node.args[k]);
  switch (node.kind) {
    case "reshape":
      return contribute(
        0,
        g.isScalar(adjoint)
          ? g.reshape(adjoint, [])
          : g.reshape(filled(g, adjoint, node.shape), shapeOf(0)),
      );
    case "gather":
      return contribute(0, g.scatter(filled(g, adjoint, node.shape), node.index, shapeOf(0)));
    case "scatter":
      return contribute(0, g.gather(filled(g, adjoint, node.shape), node.index, shapeOf(0)));
    case "take":
      throw new Error("internal: an index that is not known from data");
    case "join": {
      const full = filled(g, adjoint, node.shape);
      let begin = 0;
      node.args.forEach((_, k) => {
        const size = sizeOf(shapeOf(k));
        if (isActive(k)) contribute(k, g.gather(full, rangeFrom(begin, size), shapeOf(k)));
        begin += size;
      });
    }
  }
}

function rangeFrom(begin: number, size: number): Int32Array {
  return Int32Array.from({ length: size }, (_, i) => begin + i);
}
