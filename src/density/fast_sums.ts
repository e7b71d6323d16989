/** Sums of log(1 + e^x) by one logarithm of a product. */
import type { GraphNode, NodeId } from "../graph/node.ts";
import { sameShape, sizeOf } from "../graph/shape.ts";
import { reachable } from "./evaluator.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Factors lie between 1 and 2: so many of them stay below the largest double. */
const mostFactors = 1000;

/**
 * Nodes in which sums of softplus(x) are Σ max(x, 0) + log Π (1 + e^−|x|): one logarithm instead of
 * one for each observation. An error of one rounding per factor is what the sum of logarithms has,
 * too. For values and finished gradients: what is differentiated are the sums.
 */
export function fastSums(g: SimplifyingBuilder, roots: readonly NodeId[]): NodeId[] {
  const known = new Map<NodeId, NodeId>();
  for (const id of reachable(g.nodes, roots)) known.set(id, replaced(g, id, known));
  return roots.map((root) => known.get(root)!);
}

function replaced(
  g: SimplifyingBuilder,
  id: NodeId,
  known: ReadonlyMap<NodeId, NodeId>,
): NodeId {
  const node = g.nodes[id];
  if (node.kind === "reduce" && node.op === "sum" && g.isScalar(id)) {
    const fast = splitSum(g, id, node.args[0]);
    if (fast !== undefined) return fast;
  }
  const args = node.args.map((arg) => known.get(arg)!);
  return args.every((arg, k) => arg === node.args[k]) ? id : remade(g, node, args);
}

/** The node of other arguments, as it is. */
function remade(g: SimplifyingBuilder, node: GraphNode, args: readonly NodeId[]): NodeId {
  switch (node.kind) {
    case "map":
      return g.plainMap(node.op, args);
    case "reduce":
      return node.op === "sum"
        ? g.plainSum(args[0], node.axes)
        : g.reduce(node.op, args[0], node.axes);
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

/** Terms of a sum, with signs. */
interface Terms {
  readonly softplus: { readonly x: NodeId; readonly sign: 1 | -1 }[];
  readonly others: { readonly term: NodeId; readonly sign: 1 | -1 }[];
}

/** The sum without its softplus terms, and these by products; undefined if there are none. */
function splitSum(g: SimplifyingBuilder, sum: NodeId, x: NodeId): NodeId | undefined {
  const size = sizeOf(g.shapeOf(x));
  if (size > mostFactors || size === 1) return undefined;
  const terms: Terms = { softplus: [], others: [] };
  collect(g, x, 1, terms);
  if (terms.softplus.length === 0) return undefined;
  const axes = g.shapeOf(x).map((_, i) => i);
  const total = (y: NodeId) => g.reshape(g.plainSum(y, axes), g.shapeOf(sum));
  let linear: NodeId | undefined;
  let logs: NodeId | undefined;
  const join = (a: NodeId | undefined, b: NodeId, sign: 1 | -1) =>
    a === undefined ? (sign === 1 ? b : g.neg(b)) : g.plainMap(sign === 1 ? "add" : "sub", [a, b]);
  for (const { term, sign } of terms.others) linear = join(linear, term, sign);
  for (const { x: at, sign } of terms.softplus) {
    linear = join(linear, g.map("maximum", at, g.scalar(0)), sign);
    const factor = g.add(g.scalar(1), g.exp(g.neg(g.map("abs", at))));
    logs = join(logs, g.log(g.reshape(g.reduce("prod", factor), g.shapeOf(sum))), sign);
  }
  return g.add(total(linear!), logs!);
}

function collect(g: SimplifyingBuilder, x: NodeId, sign: 1 | -1, terms: Terms): void {
  const node = g.nodes[x];
  if (node.kind === "map" && node.op === "softplus") {
    terms.softplus.push({ x: node.args[0], sign });
    return;
  }
  const sums = node.kind === "map" && (node.op === "add" || node.op === "sub");
  if (sums && node.args.every((arg) => sameShape(g.shapeOf(arg), node.shape))) {
    collect(g, node.args[0], sign, terms);
    return collect(g, node.args[1], node.op === "add" ? sign : sign === 1 ? -1 : 1, terms);
  }
  terms.others.push({ term: x, sign });
}
