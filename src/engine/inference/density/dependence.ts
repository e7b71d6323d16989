/** Coordinates that each element of a node depends on. */
import type { GraphNode, NodeId, ReduceNode } from "../../language/ir/node.ts";
import {
  broadcastIndex,
  forEachIndex,
  type Shape,
  sizeOf,
  stridesOf,
} from "../../language/ir/shape.ts";
import { reachable } from "./evaluator.ts";

/** Coordinates by element, a bit each. */
type Coordinates = readonly bigint[];

/**
 * Element by element where a node is computed element by element; of others each element depends on all that the node
 * is computed from. The result may contain false dependences of an element on a coordinate, but lacks no true one.
 *
 * @returns of each root.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { GraphBuilder } from "../../language/ir/builder.ts";
 * import { dependence } from "./dependence.ts";
 * const g = new GraphBuilder();
 * const [scales, slope] = [g.input(0, [2]), g.input(2, [])];
 * const line = g.mul(g.gather(scales, Int32Array.of(1, 0, 1), [3]), slope);
 * assert.deepEqual(dependence(g.nodes, [line, g.sum(scales)]), [[0b110n, 0b101n, 0b110n], [0b11n]]);
 * ```
 */
export function dependence(nodes: readonly GraphNode[], roots: readonly NodeId[]): Coordinates[] {
  const known = new Map<NodeId, Coordinates>();
  for (const id of reachable(nodes, roots)) {
    const node = nodes[id];
    known.set(id, ofNode(node, node.args.map((arg) => known.get(arg)!), nodes));
  }
  return roots.map((id) => known.get(id)!);
}

function ofNode(
  node: GraphNode,
  args: readonly Coordinates[],
  nodes: readonly GraphNode[],
): Coordinates {
  const size = sizeOf(node.shape);
  const shapes = node.args.map((arg) => nodes[arg].shape);
  switch (node.kind) {
    case "input":
      return Array.from({ length: size }, (_, i) => 1n << BigInt(node.offset + i));
    case "map":
      return ofMap(args, shapes, node.shape);
    case "reshape":
      return args[0];
    case "join":
      return args.flat();
    case "gather":
      return Array.from(node.index, (i) => i < 0 ? 0n : args[0][i]);
    case "take": {
      const places = nodes[node.args[1]];
      if (places.kind === "constant") return Array.from(places.values, (i) => args[0][i]);
      break;
    }
    case "scatter": {
      const out = new Array<bigint>(size).fill(0n);
      args[0].forEach((own, i) => node.index[i] >= 0 && (out[node.index[i]] |= own));
      return out;
    }
    case "reduce":
      return ofReduce(node, args[0], shapes[0]);
  }
  const all = args.flat().reduce((a, b) => a | b, 0n);
  return new Array<bigint>(size).fill(all);
}

function ofMap(args: readonly Coordinates[], shapes: readonly Shape[], shape: Shape): Coordinates {
  const out = new Array<bigint>(sizeOf(shape)).fill(0n);
  args.forEach((own, k) => {
    const index = broadcastIndex(shapes[k], shape);
    for (let i = 0; i < out.length; i++) out[i] |= own[index[i]];
  });
  return out;
}

function ofReduce({ axes, shape }: ReduceNode, own: Coordinates, from: Shape): Coordinates {
  const out = new Array<bigint>(sizeOf(shape)).fill(0n);
  const strides = stridesOf(shape);
  const kept = from.map((_, axis) => axis).filter((axis) => !axes.includes(axis));
  forEachIndex(from, (at, flat) => {
    const to = kept.reduce((sum, axis, k) => sum + at[axis] * strides[k], 0);
    out[to] |= own[flat];
  });
  return out;
}
