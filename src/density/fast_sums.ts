/** Sums of log(1 + e^x) by one logarithm of a product. */
import type { NodeId } from "../graph/node.ts";
import { sameShape, sizeOf } from "../graph/shape.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

/** Factors lie between 1 and 2: so many of them stay below the largest double. */
const mostFactors = 1000;

/**
 * A log density whose sums of softplus(x) are Σ max(x, 0) + log Π (1 + e^−|x|): one logarithm
 * instead of one for each observation. An error of one rounding per factor is what the sum of
 * logarithms has, too. Only for values: gradients are taken of the sums.
 */
export function fastSums(g: SimplifyingBuilder, x: NodeId): NodeId {
  return replaced(g, x, new Map());
}

function replaced(g: SimplifyingBuilder, x: NodeId, known: Map<NodeId, NodeId>): NodeId {
  const found = known.get(x) ?? replace(g, x, (arg) => replaced(g, arg, known));
  known.set(x, found);
  return found;
}

function replace(g: SimplifyingBuilder, x: NodeId, inner: (x: NodeId) => NodeId): NodeId {
  const node = g.nodes[x];
  if (!g.isScalar(x)) return x;
  if (node.kind === "reduce" && node.op === "sum") return splitSum(g, x, node.args[0]) ?? x;
  if (node.kind !== "map") return x;
  switch (node.op) {
    case "add":
    case "sub":
      return g.plainMap(node.op, node.args.map(inner));
    case "mul":
      return g.plainMap(
        "mul",
        node.args.map((arg) => g.nodes[arg].kind === "constant" ? arg : inner(arg)),
      );
    default:
      return x;
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
