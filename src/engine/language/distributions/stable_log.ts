/** Logarithms that know what they are taken of: log σ(u) = −softplus(−u), log e^u = u and the like. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { GraphNode, NodeId } from "../ir/node.ts";
import { knownPositive } from "./range.ts";

/**
 * log x, rewritten where x is an exponential, a logistic or a normal probability, a complement of
 * one, or a product, quotient, root, power or selection of such.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { GraphBuilder } from "../ir/builder.ts";
 * import { logOf } from "./stable_log.ts";
 * const g = new GraphBuilder();
 * const u = g.parameter(0, []);
 * assert.equal(logOf(g, g.exp(u)), u);
 * ```
 */
export function logOf(g: GraphBuilder, x: NodeId): NodeId {
  return structuralLog(g, x) ?? g.log(x);
}

/** log(1 − x), rewritten likewise. */
export function log1mOf(g: GraphBuilder, x: NodeId): NodeId {
  return structuralLog1m(g, x) ?? g.map("log1p", g.neg(x));
}

/** u where x is σ(u), in any spelling; undefined for others. */
export function logitOf(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  const moved = throughMoves(g, node, logitOf);
  if (moved !== undefined) return moved;
  if (node.kind !== "map") return undefined;
  const [a, b] = node.args;
  if (node.op === "sigmoid") return a;
  if (node.op === "sub" && g.constantOf(a) === 1) {
    const u = logitOf(g, b);
    return u === undefined ? undefined : g.neg(u);
  }
  return node.op === "div" ? logitOfQuotient(g, a, b) : undefined;
}

/** 1 / (1 + e^v) is σ(−v); e^v / (1 + e^v) is σ(v). */
function logitOfQuotient(g: GraphBuilder, above: NodeId, below: NodeId): NodeId | undefined {
  const sum = g.nodes[below];
  if (sum.kind !== "map" || sum.op !== "add") return undefined;
  const [one, power] = g.constantOf(sum.args[0]) === 1 ? sum.args : [sum.args[1], sum.args[0]];
  const v = exponentOf(g, power);
  if (g.constantOf(one) !== 1 || v === undefined) return undefined;
  if (g.constantOf(above) === 1) return g.neg(v);
  return above === power ? v : undefined;
}

function exponentOf(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  return node.kind === "map" && node.op === "exp" ? node.args[0] : undefined;
}

/** A rewrite goes through nodes that only move elements. */
function throughMoves(
  g: GraphBuilder,
  node: GraphNode,
  rewrite: (g: GraphBuilder, x: NodeId) => NodeId | undefined,
): NodeId | undefined {
  const moves = node.kind === "reshape" || node.kind === "take" ||
    (node.kind === "gather" && !node.index.includes(-1));
  if (!moves) return undefined;
  const inner = rewrite(g, node.args[0]);
  if (inner === undefined) return undefined;
  if (node.kind === "reshape") return g.reshape(inner, node.shape);
  if (node.kind === "take") return g.take(inner, node.args[1]);
  return g.gather(inner, node.index, node.shape);
}

/** Logarithms found for the nodes of a graph: without this memo, nested products would take exponential time. */
const known = new WeakMap<GraphBuilder, Map<NodeId, NodeId | undefined>>();

/** log x by a more exact formula than the logarithm of its value, if there is one. */
export function structuralLog(g: GraphBuilder, x: NodeId): NodeId | undefined {
  let found = known.get(g);
  if (!found) known.set(g, found = new Map());
  if (!found.has(x)) found.set(x, findLog(g, x));
  return found.get(x);
}

function findLog(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  const u = logitOf(g, x);
  if (u !== undefined) return g.neg(g.map("softplus", g.neg(u)));
  const moved = throughMoves(g, node, structuralLog);
  if (moved !== undefined || node.kind !== "map") return moved;
  const [a, b] = node.args;
  switch (node.op) {
    case "exp":
      return a;
    case "sqrt":
      return g.mul(g.scalar(0.5), logOf(g, a));
    case "pow":
      return knownPositive(g, a) ? g.mul(b, logOf(g, a)) : undefined;
    case "neg":
      return logOfNegated(g, a);
    case "sub":
      return g.constantOf(a) === 1 ? structuralLog1m(g, b) : undefined;
    case "mul":
      return logNormalProbability(g, x) ?? logOfTwo(g, a, b, "add");
    case "div":
      return logOfTwo(g, a, b, "sub");
    default:
      return undefined;
  }
}

/** log(−(e^u − 1)). */
function logOfNegated(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  return node.kind === "map" && node.op === "expm1" ? g.map("log1mexp", node.args[0]) : undefined;
}

/** Splits a product or quotient of positive numbers, if one of the logarithms comes for less. */
function logOfTwo(
  g: GraphBuilder,
  a: NodeId,
  b: NodeId,
  op: "add" | "sub",
): NodeId | undefined {
  const cheap = (x: NodeId) => g.isHost(x) || structuralLog(g, x) !== undefined;
  if (a === b || !(cheap(a) || cheap(b))) return undefined;
  if (!(knownPositive(g, a) && knownPositive(g, b))) return undefined;
  const [first, second] = [logOf(g, a), logOf(g, b)];
  return op === "add" ? g.add(first, second) : g.sub(first, second);
}

/** log(1 − x) by a more exact formula than `log1p` of the value, if there is one. */
export function structuralLog1m(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  const u = logitOf(g, x);
  if (u !== undefined) return g.neg(g.map("softplus", u));
  const moved = throughMoves(g, node, structuralLog1m);
  if (moved !== undefined || node.kind !== "map") return moved;
  const [a, b] = node.args;
  switch (node.op) {
    case "exp":
      return g.map("log1mexp", a);
    case "sub":
      return g.constantOf(a) === 1 ? logOf(g, b) : undefined;
    case "neg": {
      const inner = g.nodes[a];
      return inner.kind === "map" && inner.op === "expm1" ? inner.args[0] : undefined;
    }
    case "mul": {
      const t = normalScore(g, x);
      return t === undefined ? undefined : g.map("log_normal_cdf", g.neg(t));
    }
    default:
      return undefined;
  }
}

function logNormalProbability(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const t = normalScore(g, x);
  return t === undefined ? undefined : g.map("log_normal_cdf", t);
}

/** t where x is Φ(t), written ½ (1 + erf(t/√2)) or ½ erfc(−t/√2). */
function normalScore(g: GraphBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  if (node.kind !== "map" || node.op !== "mul") return undefined;
  const [half, rest] = g.constantOf(node.args[0]) === 0.5
    ? node.args
    : [node.args[1], node.args[0]];
  if (g.constantOf(half) !== 0.5) return undefined;
  const inner = g.nodes[rest];
  if (inner.kind !== "map") return undefined;
  const times = (u: NodeId) => g.mul(g.scalar(Math.SQRT2), u);
  if (inner.op === "erfc") return g.neg(times(inner.args[0]));
  if (inner.op !== "add") return undefined;
  const [one, other] = g.constantOf(inner.args[0]) === 1
    ? inner.args
    : [inner.args[1], inner.args[0]];
  const last = g.nodes[other];
  if (g.constantOf(one) !== 1 || last.kind !== "map" || last.op !== "erf") return undefined;
  return times(last.args[0]);
}
