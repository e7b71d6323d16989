/** Normal form of products and sums of two: one scalar factor, before the array that it scales. */
import type { NodeId } from "../../language/ir/node.ts";
import type { RewritingBuilder } from "./rewriting_builder.ts";

type Linear = "neg" | "mul" | "div" | "add" | "sub";

/** The simpler form of an operation, if there is one. */
export function rewriteProduct(
  g: RewritingBuilder,
  op: Linear,
  a: NodeId,
  b: NodeId,
): NodeId | undefined {
  switch (op) {
    case "neg":
      return rewriteNegation(g, a);
    case "mul":
      return rewriteMul(g, a, b);
    case "div":
      return rewriteDiv(g, a, b);
    default:
      return rewriteAdd(g, op, a, b);
  }
}

/**
 * −(v − w) = w − v; −(c x) = (−c) x; −v = −1 · v. The negative of a number stays one, so that it is
 * seen to be the same factor.
 */
function rewriteNegation(g: RewritingBuilder, x: NodeId): NodeId | undefined {
  const difference = g.asMap(x, "sub");
  if (difference && !g.isScalar(x)) return g.sub(difference.args[1], difference.args[0]);
  const [factor, rest] = g.factored(x);
  if (rest !== x) return g.mul(g.neg(factor), rest);
  return g.isScalar(x) ? undefined : g.plainMap("mul", [g.scalar(-1), x]);
}

/** Whether the product of a scalar with an array has the shape of the array. */
function scales(g: RewritingBuilder, s: NodeId, v: NodeId): boolean {
  return g.isScalar(s) && g.shapeOf(s).length <= g.shapeOf(v).length;
}

function rewriteMul(g: RewritingBuilder, a: NodeId, b: NodeId): NodeId | undefined {
  if (scales(g, a, b) && (!g.isScalar(b) || isConstant(g, a))) return scaled(g, a, b);
  if (scales(g, b, a)) return scaled(g, b, a);
  if (scales(g, a, b)) return scaled(g, a, b);
  const [s, v] = g.factored(a);
  const [t, w] = g.factored(b);
  if (v === a && w === b) return undefined;
  return g.mul(g.mul(s, t), g.mul(v, w));
}

function isConstant(g: RewritingBuilder, x: NodeId): boolean {
  return g.nodes[x].kind === "constant";
}

/** s · (t · v) = (s t) · v. */
function scaled(g: RewritingBuilder, s: NodeId, v: NodeId): NodeId | undefined {
  if (g.constantOf(s) === 1) return v;
  if (g.isScalar(v) && g.nodes[s].kind !== "constant") {
    // Two scalars: only constants are moved out.
    const [c, x] = g.factored(s);
    const [d, y] = g.factored(v);
    if (x === s && y === v) return undefined;
    return g.mul(g.mul(c, d), g.mul(x, y));
  }
  const [t, w] = g.factored(v);
  if (w !== v) return g.mul(g.mul(s, t), w);
  const quotient = g.asMap(v, "div");
  if (quotient && g.isScalar(v) && g.nodes[quotient.args[0]].kind === "constant") {
    return g.div(g.mul(s, quotient.args[0]), quotient.args[1]);
  }
  return g.isScalar(v) ? undefined : g.plainMap("mul", [s, v]);
}

/** x / x = 1; v / s = (1/s) · v; s / v = s · (1 / v); scalar factors of both sides come out. */
function rewriteDiv(g: RewritingBuilder, a: NodeId, b: NodeId): NodeId | undefined {
  const one = g.scalar(1);
  if (a === b) return g.broadcast(one, g.shapeOf(a));
  if (g.constantOf(b) !== undefined && scales(g, b, a)) return g.mul(g.div(one, b), a);
  if (g.isScalar(a) && g.isScalar(b)) return undefined;
  if (scales(g, b, a)) return g.mul(g.div(one, b), a);
  if (scales(g, a, b) && g.constantOf(a) !== 1) return g.mul(a, g.div(one, b));
  const [s, v] = g.factored(a);
  const [t, w] = g.factored(b);
  if (v === a && w === b) return undefined;
  return g.mul(g.div(s, t), g.div(v, w));
}

/** x + (−y) = x − y; c x ± c y = c (x ± y), also for −c; constants next to each other are added. */
function rewriteAdd(
  g: RewritingBuilder,
  op: "add" | "sub",
  a: NodeId,
  b: NodeId,
): NodeId | undefined {
  if (op === "sub") {
    const sigmoid = g.constantOf(a) === 1 ? g.asMap(b, "sigmoid") : undefined;
    if (sigmoid && g.isScalar(a)) return g.map("sigmoid", g.neg(sigmoid.args[0]));
  }
  if (a === b && op === "add") return g.mul(g.scalar(2), a);
  if (op === "sub" && g.constantOf(a) === 0 && scales(g, a, b)) return g.neg(b);
  const [s, v] = g.factored(a);
  const [t, w] = g.factored(b);
  const constants = g.constantOf(s) !== undefined && g.constantOf(t) !== undefined;
  if (s === t && v !== a && w !== b && !constants) return g.mul(s, g.map(op, v, w));
  const flip = op === "add" ? "sub" : "add";
  if (g.constantOf(t) === -1 && w !== b) return g.map(flip, a, w);
  if (g.constantOf(s) === -1 && v !== a) {
    return op === "add" ? g.sub(b, v) : g.neg(g.add(v, b));
  }
  if (s === t && v !== a && w !== b) return g.mul(s, g.map(op, v, w));
  const opposite = v !== a && w !== b && isNegative(g, s, t);
  if (opposite) return g.mul(s, g.map(flip, v, w));
  return addedConstants(g, op, a, b);
}

/** Whether s = −t, for numbers that are not known. */
function isNegative(g: RewritingBuilder, s: NodeId, t: NodeId): boolean {
  const [c, x] = g.factored(s);
  const [d, y] = g.factored(t);
  const signs = [g.constantOf(c)!, g.constantOf(d)!];
  return x === y && g.constantOf(x) === undefined && signs[0] === -signs[1];
}

/** (x + c) ± d = x + (c ± d). */
function addedConstants(
  g: RewritingBuilder,
  op: "add" | "sub",
  a: NodeId,
  b: NodeId,
): NodeId | undefined {
  const inner = g.asMap(a, "add");
  if (!inner || g.constantOf(b) === undefined || !scales(g, b, a)) return undefined;
  const at = inner.args.findIndex((arg) => g.constantOf(arg) !== undefined && g.isScalar(arg));
  if (at < 0 || g.shapeOf(inner.args[1 - at]).length !== g.shapeOf(a).length) return undefined;
  return g.add(inner.args[1 - at], g.map(op, inner.args[at], b));
}
