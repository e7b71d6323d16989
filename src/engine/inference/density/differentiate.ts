/** Reverse-mode differentiation: from a scalar node to the nodes of its gradient. */
import type { GraphNode, MapNode, NodeId } from "../../language/ir/node.ts";
import type { BinaryOp, TernaryOp, UnaryOp } from "../../language/ir/operations.ts";
import { type Shape, sizeOf } from "../../language/ir/shape.ts";
import { type Contribute, filled } from "./adjoints.ts";
import { pullMatrix } from "./matrix_adjoints.ts";
import { pullMoved } from "./moved_adjoints.ts";
import { pullReduced } from "./reduced_adjoints.ts";
import type { SimplifyingBuilder } from "./simplify.ts";
import { binaryPulls, type Pull, ternaryPulls, unaryPulls } from "./slopes.ts";

/**
 * ∂root/∂leaf for every leaf, each of the leaf's shape: reverse accumulation as a transformation of
 * the graph (Griewank and Walther 2008, chapter 3). Adjoints stay as small as they can be: one that
 * is the same for all elements is a scalar until an array is needed.
 *
 * @param root a node of one element.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { gradientOf } from "./differentiate.ts";
 * import { SimplifyingBuilder } from "./simplify.ts";
 * const g = new SimplifyingBuilder();
 * const x = g.input(0, [3]);
 * const [slope] = gradientOf(g, g.sum(g.square(x)), [x]);
 * assert.equal(slope, g.mul(g.scalar(2), x));
 * ```
 */
export function gradientOf(
  g: SimplifyingBuilder,
  root: NodeId,
  leaves: readonly NodeId[],
): NodeId[] {
  const splits = g.splitsSums;
  g.splitsSums = false;
  const slopes = reverse(g, root, leaves);
  g.splitsSums = splits;
  return slopes;
}

function reverse(g: SimplifyingBuilder, root: NodeId, leaves: readonly NodeId[]): NodeId[] {
  const active = activeNodes(g, root, leaves);
  const adjoints = new Adjoints(g);
  adjoints.add(root, g.scalar(1));
  for (let id = root; id >= 0; id--) {
    const adjoint = active[id] ? adjoints.of(id) : undefined;
    if (adjoint === undefined) continue;
    const node = g.nodes[id];
    if (node.kind === "gather" && g.isScalar(id) && node.index[0] >= 0) {
      adjoints.addElement(node.args[0], node.index[0], g.reshape(adjoint, []));
      continue;
    }
    const contribute = (k: number, part: NodeId) => {
      if (active[node.args[k]]) adjoints.add(node.args[k], part);
    };
    pull(g, node, id, adjoint, contribute, (k) => active[node.args[k]]);
  }
  return leaves.map((leaf) => filled(g, adjoints.of(leaf) ?? g.scalar(0), g.shapeOf(leaf)));
}

/** Contributions to each node's adjoint. */
class Adjoints {
  readonly #sums = new Map<NodeId, NodeId>();
  /** Of arrays from which single elements were read: adjoints of these, by flat index. */
  readonly #elements = new Map<NodeId, Map<number, NodeId>>();

  constructor(readonly g: SimplifyingBuilder) {}

  /** Adds a part, of any shape that broadcasts to the node's. */
  add(id: NodeId, part: NodeId): void {
    const known = this.#sums.get(id);
    this.#sums.set(id, known === undefined ? part : this.g.add(known, part));
  }

  addElement(id: NodeId, at: number, part: NodeId): void {
    let elements = this.#elements.get(id);
    if (!elements) this.#elements.set(id, elements = new Map());
    const known = elements.get(at);
    elements.set(at, known === undefined ? part : this.g.add(known, part));
  }

  /** The whole adjoint, once all that read the node have given their parts. */
  of(id: NodeId): NodeId | undefined {
    const elements = this.#elements.get(id);
    this.#elements.delete(id);
    if (elements) this.add(id, this.#assembled(elements, this.g.shapeOf(id)));
    return this.#sums.get(id);
  }

  /** Elements at their places in an array, zeros elsewhere. */
  #assembled(elements: ReadonlyMap<number, NodeId>, shape: Shape): NodeId {
    const { g } = this;
    const places = [...elements.keys()].sort((a, b) => a - b);
    const joined = g.join(places.map((at) => elements.get(at)!));
    const index = new Int32Array(sizeOf(shape)).fill(-1);
    places.forEach((at, k) => {
      index[at] = k;
    });
    return g.gather(joined, index, shape);
  }
}

/** Which nodes depend on the leaves. */
function activeNodes(g: SimplifyingBuilder, root: NodeId, leaves: readonly NodeId[]): boolean[] {
  const active: boolean[] = [];
  for (let id = 0; id <= root; id++) {
    active.push(leaves.includes(id) || g.nodes[id].args.some((arg) => active[arg]));
  }
  return active;
}

function pull(
  g: SimplifyingBuilder,
  node: GraphNode,
  id: NodeId,
  adjoint: NodeId,
  contribute: Contribute,
  isActive: (argument: number) => boolean,
): void {
  switch (node.kind) {
    case "constant":
    case "column":
    case "parameter":
    case "input":
      return;
    case "map":
      return pullMap(g, node, id, adjoint, contribute, isActive);
    case "reduce":
    case "scan":
      return pullReduced(g, node, id, adjoint, contribute);
    case "reshape":
    case "gather":
    case "scatter":
    case "take":
    case "join":
      return pullMoved(g, node, adjoint, contribute, isActive);
    case "matmul":
    case "cholesky":
    case "solve":
      return pullMatrix(g, node, id, adjoint, contribute, isActive);
  }
}

function pullMap(
  g: SimplifyingBuilder,
  node: MapNode,
  id: NodeId,
  adjoint: NodeId,
  contribute: Contribute,
  isActive: (argument: number) => boolean,
): void {
  pullsOf(node).forEach((one, k) => {
    if (one === 0 || !isActive(k)) return;
    const raw = one(g, adjoint, node.args, id);
    contribute(k, summedTo(g, raw, node.shape, g.shapeOf(node.args[k])));
  });
}

function pullsOf({ op, args }: MapNode): readonly Pull[] {
  if (args.length === 1) return [unaryPulls[op as UnaryOp]];
  return args.length === 2 ? binaryPulls[op as BinaryOp] : ternaryPulls[op as TernaryOp];
}

/**
 * Sums an adjoint of a result over the axes along which an argument was broadcast. The adjoint may
 * itself be smaller than the result: then its elements count as often as they stand for one.
 */
function summedTo(g: SimplifyingBuilder, adjoint: NodeId, out: Shape, to: Shape): NodeId {
  const from = g.shapeOf(adjoint);
  if (sizeOf(to) === 1) {
    const times = sizeOf(out) / sizeOf(from);
    return g.reshape(g.mul(g.scalar(times), g.sum(adjoint)), to);
  }
  if (sizeOf(to) === sizeOf(out)) return sizeOf(from) === 1 ? adjoint : filled(g, adjoint, to);
  const full = filled(g, adjoint, out);
  const shift = out.length - to.length;
  const axes = out.map((_, i) => i).filter((i) => i < shift || (to[i - shift] === 1 && out[i] > 1));
  return g.reshape(g.sum(full, axes), to);
}
