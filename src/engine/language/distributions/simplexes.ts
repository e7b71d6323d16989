/** Conditions on probabilities along the last axis, but for those that hold by construction. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { padRight, sumLast } from "./arrays.ts";
import { atLeast, atMost } from "./guard.ts";

/** Whether truth holds for all elements of the last axis. */
export function allLast(g: GraphBuilder, truth: NodeId): NodeId {
  return g.reduce("min", truth, [g.shapeOf(truth).length - 1]);
}

/**
 * That the last axis holds probabilities that sum to one, within 1e-5 as NumPy's `isclose`: one truth
 * for each row.
 */
export function simplexConditions(g: GraphBuilder, p: NodeId): NodeId[] {
  if (sumsToOne(g, p)) return [];
  const range = [...atLeast(g, p, 0), ...atMost(g, p, 1)].map((truth) => allLast(g, truth));
  const excess = g.map("abs", g.sub(sumLast(g, p), g.scalar(1)));
  return [...range, g.map("le", excess, g.scalar(1.001e-5))];
}

/** Constant chances that do not sum to one are divided by their sum, as PyMC does with a warning. */
export function rescaledConstant(g: GraphBuilder, p: NodeId): NodeId {
  if (g.nodes[p].kind !== "constant" || g.shapeOf(p).length === 0) return p;
  const [holds] = simplexConditions(g, p).slice(-1);
  const known = holds === undefined ? undefined : g.valueOf(holds);
  if (known?.values.every((truth) => truth === 1) ?? true) return p;
  return g.div(p, padRight(g, sumLast(g, p)));
}

/** Whether a node is positive numbers over their sum along the last axis, row by row. */
function sumsToOne(g: GraphBuilder, x: NodeId): boolean {
  const node = g.nodes[x];
  if (node.kind === "gather") return keepsRows(g, x) && sumsToOne(g, node.args[0]);
  if (node.kind !== "map") return false;
  const [a, b] = node.args;
  if (node.op === "div") return isExponential(g, a) && isSumOf(g, b, a);
  if (node.op !== "mul") return false;
  const [part, inverse] = isExponential(g, a) ? [a, b] : [b, a];
  const quotient = g.nodes[inverse];
  return isExponential(g, part) && quotient.kind === "map" && quotient.op === "div" &&
    g.constantOf(quotient.args[0]) === 1 && isSumOf(g, quotient.args[1], part);
}

function isExponential(g: GraphBuilder, x: NodeId): boolean {
  const node = g.nodes[x];
  return node.kind === "map" && node.op === "exp";
}

/** Whether `total` is Σ part over its last axis, in any shape that broadcasts back. */
function isSumOf(g: GraphBuilder, total: NodeId, part: NodeId): boolean {
  const node = g.nodes[total];
  if (node.kind === "reshape") return isSumOf(g, node.args[0], part);
  const last = g.shapeOf(part).length - 1;
  return node.kind === "reduce" && node.op === "sum" && node.args[0] === part &&
    node.axes.length === 1 && node.axes[0] === last;
}

/** Whether a gather takes whole rows of the last axis, in order. */
function keepsRows(g: GraphBuilder, x: NodeId): boolean {
  const node = g.nodes[x];
  if (node.kind !== "gather") return false;
  const extent = node.shape.at(-1) ?? 1;
  if (g.shapeOf(node.args[0]).at(-1) !== extent) return false;
  return node.index.every((at, i) =>
    i % extent === 0 ? at >= 0 && at % extent === 0 : at === node.index[i - 1] + 1
  );
}
