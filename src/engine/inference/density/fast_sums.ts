/** Sums of log(1 + e^x) by one logarithm of a product. */
import type { GraphNode, NodeId } from "../../language/ir/node.ts";
import { sameShape, sizeOf } from "../../language/ir/shape.ts";
import { reachable } from "./evaluator.ts";
import { remade } from "./remade.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Factors lie between 1 and 2: so many of them stay below the largest double. */
const mostFactors = 1000;

/**
 * Nodes in which sums of softplus(x) are Σ max(x, 0) + log Π (1 + e^−|x|): one logarithm instead of
 * one for each observation. Its rounding error is one per factor, as in the sum of logarithms. For
 * values and finished gradients: differentiation needs the sums.
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
  return args.every((arg, k) => arg === node.args[k]) ? id : again(g, node, args);
}

/** The node of other arguments; maps and sums are not rewritten, so that what was split stays so. */
function again(g: SimplifyingBuilder, node: GraphNode, args: readonly NodeId[]): NodeId {
  if (node.kind === "map") return g.plainMap(node.op, args);
  if (node.kind === "reduce" && node.op === "sum") return g.plainSum(args[0], node.axes);
  return remade(g, node, args);
}

/** An array, so many times. */
interface Term {
  readonly x: NodeId;
  readonly factor: number;
}

/** Terms of a sum, and the conditions without which it is −∞. */
interface Terms {
  /** Arguments of softplus. */
  readonly softplus: Term[];
  readonly others: Term[];
  readonly guards: NodeId[];
}

/** The sum without its softplus terms, and these by products; undefined if there are none. */
function splitSum(g: SimplifyingBuilder, sum: NodeId, x: NodeId): NodeId | undefined {
  const size = sizeOf(g.shapeOf(x));
  if (size > mostFactors || size === 1) return undefined;
  const terms: Terms = { softplus: [], others: [], guards: [] };
  collect(g, withoutGuards(g, x, terms.guards), 1, terms);
  if (terms.softplus.length === 0) return undefined;
  const scalar = (y: NodeId) => g.reshape(y, g.shapeOf(sum));
  const linear = terms.others.concat(
    terms.softplus.map(({ x, factor }) => ({ x: g.map("maximum", x, g.scalar(0)), factor })),
  );
  const axes = g.shapeOf(x).map((_, i) => i);
  const logs = terms.softplus.map(({ x, factor }) => {
    const ratios = g.add(g.scalar(1), g.exp(g.neg(g.map("abs", x))));
    return { x: scalar(g.log(g.reduce("prod", ratios))), factor };
  });
  const total = g.add(scalar(g.plainSum(combined(g, linear), axes)), combined(g, logs));
  return terms.guards.reduce(
    (value, guard) => g.where(scalar(allHold(g, guard)), value, g.scalar(-Infinity)),
    total,
  );
}

/** The branch where all conditions hold; otherwise the value is −∞. */
function withoutGuards(g: SimplifyingBuilder, x: NodeId, guards: NodeId[]): NodeId {
  const node = g.nodes[x];
  if (node.kind !== "map" || node.op !== "where") return x;
  const [guard, kept, otherwise] = node.args;
  if (g.constantOf(otherwise) !== -Infinity || !sameShape(g.shapeOf(kept), node.shape)) return x;
  guards.push(guard);
  return withoutGuards(g, kept, guards);
}

/** Whether a condition, which is 0 where it fails, holds everywhere. */
function allHold(g: SimplifyingBuilder, guard: NodeId): NodeId {
  return g.isScalar(guard) ? guard : g.reduce("prod", g.map("ne", guard, g.scalar(0)));
}

/** The sum of terms. */
function combined(g: SimplifyingBuilder, terms: readonly Term[]): NodeId {
  const times = ({ x, factor }: Term) =>
    factor === 1 ? x : g.plainMap("mul", [g.scalar(factor), x]);
  const [first, ...rest] = [...terms].sort((a, b) => b.factor - a.factor);
  return rest.reduce(
    (sum, { x, factor }) =>
      factor < 0
        ? g.plainMap("sub", [sum, times({ x, factor: -factor })])
        : g.plainMap("add", [sum, times({ x, factor })]),
    times(first),
  );
}

function collect(g: SimplifyingBuilder, x: NodeId, factor: number, terms: Terms): void {
  const node = g.nodes[x];
  if (node.kind === "map" && node.op === "softplus") {
    terms.softplus.push({ x: node.args[0], factor });
    return;
  }
  const [s, v] = g.factored(x);
  const known = g.constantOf(s);
  if (v !== x && known !== undefined) return collect(g, v, factor * known, terms);
  const sums = node.kind === "map" && (node.op === "add" || node.op === "sub");
  if (sums && node.args.every((arg) => sameShape(g.shapeOf(arg), node.shape))) {
    collect(g, node.args[0], factor, terms);
    return collect(g, node.args[1], node.op === "add" ? factor : -factor, terms);
  }
  terms.others.push({ x, factor });
}
