/** Adjoints that rules of differentiation pass on, and their shapes. */
import type { NodeId } from "../../language/ir/node.ts";
import { sameShape, type Shape, sizeOf } from "../../language/ir/shape.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Gives an adjoint to an argument of the node at hand. */
export type Contribute = (argument: number, adjoint: NodeId) => void;

/** The adjoint with all elements of a shape. */
export function filled(g: SimplifyingBuilder, adjoint: NodeId, shape: Shape): NodeId {
  const from = g.shapeOf(adjoint);
  if (sameShape(from, shape)) return adjoint;
  return sizeOf(from) === sizeOf(shape) ? g.reshape(adjoint, shape) : g.broadcast(adjoint, shape);
}
