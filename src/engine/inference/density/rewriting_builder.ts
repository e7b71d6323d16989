/** A graph builder for rewrites: it reads nodes, and builds without rewriting. */
import type { GraphBuilder } from "../../language/ir/builder.ts";
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import type { MapOp } from "../../language/ir/operations.ts";

/** A graph builder with the questions that rewrites ask of it. */
export interface RewritingBuilder extends GraphBuilder {
  /** Whether sums are taken term by term. */
  readonly splitsSums: boolean;
  /** Whether all elements are positive for certain. */
  isPositive(x: NodeId): boolean;
  /** Whether a node has one element. */
  isScalar(x: NodeId): boolean;
  /** The node, if it is this elementwise operation. */
  asMap(x: NodeId, op: MapOp): GraphNode | undefined;
  /** The number that all elements of an array are equal to. */
  uniform(x: NodeId): NodeId | undefined;
  /** A node as a scalar factor (of a scalar: a constant factor) times the rest. */
  factored(x: NodeId): readonly [NodeId, NodeId];
  /** The operation as it is, with nothing but folding. */
  plainMap(op: MapOp, args: readonly NodeId[]): NodeId;
  /** A sum that nothing more is to be taken out of. */
  plainSum(x: NodeId, axes: readonly number[]): NodeId;
}
