/** Logarithms and powers in forms that neither overflow nor lose digits. */
import type { NodeId } from "../../language/ir/node.ts";
import { sameShape } from "../../language/ir/shape.ts";
import type { RewritingBuilder } from "./rewriting_builder.ts";

/** A simpler form of log x or log(1 + x). */
export function rewriteLog(
  g: RewritingBuilder,
  op: "log" | "log1p",
  x: NodeId,
): NodeId | undefined {
  return op === "log" ? logarithm(g, x) : logOfOnePlus(g, x);
}

/**
 * log e^x = x; log σ(x) = −softplus(−x); log √x = ½ log x; log (1/x) = −log x;
 * log x^y = y log x for positive x; log(1 + e^x) = softplus(x); log(1 − e^x);
 * log Σ e^x = m + log Σ e^(x − m) with m = max x; log(e^x + e^y) likewise; of choices between
 * exponentials and numbers, and of positive multiples of them, nothing remains to be taken.
 */
function logarithm(g: RewritingBuilder, x: NodeId): NodeId | undefined {
  const node = g.nodes[x];
  if (node.kind === "reduce" && node.op === "sum") return logOfSum(g, node.args[0], node.axes);
  if (node.kind !== "map") return undefined;
  const [a, b] = node.args;
  switch (node.op) {
    case "exp":
      return a;
    case "sigmoid":
      return g.neg(g.map("softplus", g.neg(a)));
    case "sqrt":
      return g.mul(g.scalar(0.5), g.log(a));
    case "div":
      return g.constantOf(a) === 1 && sameShape(g.shapeOf(b), node.shape)
        ? g.neg(g.log(b))
        : undefined;
    case "pow":
      return g.isPositive(a) ? g.mul(b, g.log(a)) : undefined;
    case "add":
      if (g.constantOf(a) === 1) return g.asMap(b, "exp") && g.map("log1p", b);
      if (g.constantOf(b) === 1) return g.asMap(a, "exp") && g.map("log1p", a);
      return logOfTwo(g, a, b);
    case "sub":
      return g.constantOf(a) === 1 ? logOfOneMinus(g, b) : undefined;
    case "where":
      return isPower(g, x) ? g.where(a, g.log(b), g.log(node.args[2])) : undefined;
    case "mul": {
      const [factor, rest] = g.factored(x);
      const parts = rest !== x && g.isPositive(factor) && isPower(g, rest);
      return parts ? g.add(g.log(factor), g.log(rest)) : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether a node is e^x, or a choice between such and numbers: its logarithm is at hand. */
function isPower(g: RewritingBuilder, x: NodeId): boolean {
  const node = g.nodes[x];
  if (node.kind !== "map") return false;
  const [, yes, no] = node.args;
  const known = (branch: NodeId) => g.nodes[branch].kind === "constant" || isPower(g, branch);
  return node.op === "exp" || (node.op === "where" && known(yes) && known(no));
}

/** log(1 + e^x) = softplus(x); log(1 − σ(x)) = −softplus(x); log(1 − e^x). */
function logOfOnePlus(g: RewritingBuilder, x: NodeId): NodeId | undefined {
  const exponential = g.asMap(x, "exp");
  if (exponential) return g.map("softplus", exponential.args[0]);
  const [factor, rest] = g.factored(x);
  return g.constantOf(factor) === -1 && rest !== x ? logOfOneMinus(g, rest) : undefined;
}

/** log(1 − σ(x)) = −softplus(x); log(1 − e^x). */
function logOfOneMinus(g: RewritingBuilder, x: NodeId): NodeId | undefined {
  const sigmoid = g.asMap(x, "sigmoid");
  if (sigmoid) return g.neg(g.map("softplus", sigmoid.args[0]));
  const exponential = g.asMap(x, "exp");
  return exponential && g.map("log1mexp", exponential.args[0]);
}

const ln2 = 0.6931471805599453;

/** log(e^x + e^y) = max(x, y) + softplus(−|x − y|); equal ones (also two −∞) apart. */
function logOfTwo(g: RewritingBuilder, a: NodeId, b: NodeId): NodeId | undefined {
  const [x, y] = [g.asMap(a, "exp")?.args[0], g.asMap(b, "exp")?.args[0]];
  if (x === undefined || y === undefined) return undefined;
  const gap = g.neg(g.map("abs", g.sub(x, y)));
  const apart = g.add(g.map("maximum", x, y), g.map("softplus", gap));
  const middle = g.add(g.mul(g.scalar(0.5), g.add(x, y)), g.scalar(ln2));
  return g.where(g.map("eq", x, y), middle, apart);
}

/** log Σ e^x over axes; an infinite maximum is the result. */
function logOfSum(
  g: RewritingBuilder,
  summand: NodeId,
  axes: readonly number[],
): NodeId | undefined {
  const x = g.asMap(summand, "exp")?.args[0];
  if (x === undefined) return undefined;
  const shape = g.shapeOf(x);
  // A whole number next to the maximum: its slope is 0, so no adjoint runs through it.
  const most = g.map("floor", g.reduce("max", x, axes));
  const kept = g.reshape(most, shape.map((extent, i) => axes.includes(i) ? 1 : extent));
  const finite = g.map("lt", g.map("abs", kept), g.scalar(Infinity));
  const shifted = g.sub(x, g.where(finite, kept, g.scalar(0)));
  const sum = g.plainSum(g.exp(shifted), axes);
  const isFinite = g.reshape(finite, g.shapeOf(most));
  return g.where(isFinite, g.add(g.plainMap("log", [sum]), most), most);
}

/**
 * x^3, x^4, x^−2, x^−½, x^1½ by products and roots; x^y = e^(y log x) for positive x: rounding
 * differs by |y log x| units in the last place.
 */
export function rewritePower(g: RewritingBuilder, x: NodeId, y: NodeId): NodeId | undefined {
  if (!sameShape(g.shapeOf(x), g.shapeOf(g.plainMap("pow", [x, y])))) return general(g, x, y);
  const square = () => g.mul(x, x);
  switch (g.constantOf(y)) {
    case 3:
      return g.mul(square(), x);
    case 4:
      return g.mul(square(), square());
    case -2:
      return g.div(g.scalar(1), square());
    case -0.5:
      return g.div(g.scalar(1), g.map("sqrt", x));
    case 1.5:
      return g.mul(x, g.map("sqrt", x));
    case 0:
    case 0.5:
    case 1:
    case 2:
    case -1:
      return undefined;
    default:
      return general(g, x, y);
  }
}

/** x^y by the exponential: of positive x, or for an exponent that varies with the parameters. */
function general(g: RewritingBuilder, x: NodeId, y: NodeId): NodeId | undefined {
  if (g.isPositive(x)) return g.exp(g.mul(y, g.log(x)));
  return varies(g, y) ? byLogarithm(g, x, y) : undefined;
}

/**
 * For an exponent that is almost never a whole number, negative bases have no power: log makes them
 * NaN as pow would. Zeros, which a column of the data may cause, are taken apart.
 */
function byLogarithm(g: RewritingBuilder, x: NodeId, y: NodeId): NodeId {
  const isZero = g.map("eq", x, g.scalar(0));
  const safe = g.where(isZero, g.scalar(1), x);
  return g.where(isZero, powerOfZero(g, y), g.exp(g.mul(y, g.log(safe))));
}

/** 0^y: 0, 1 or ∞. */
function powerOfZero(g: RewritingBuilder, y: NodeId): NodeId {
  const zero = g.scalar(0);
  const below = g.where(g.map("lt", y, zero), g.scalar(Infinity), g.exp(y));
  return g.where(g.map("gt", y, zero), zero, below);
}

const smooth: ReadonlySet<string> = new Set(
  ["neg", "exp", "log", "log1p", "sqrt", "sigmoid", "softplus", "tanh", "add", "sub", "mul", "div"],
);

/** Whether a node moves smoothly with the unconstrained vector, so that no value of it is certain. */
function varies(g: RewritingBuilder, y: NodeId): boolean {
  const node = g.nodes[y];
  if (node.kind === "input") return true;
  const passes = node.kind === "reshape" || node.kind === "gather" ||
    (node.kind === "map" && smooth.has(node.op));
  if (!passes) return false;
  return node.args.every((arg) => g.isHost(arg) || varies(g, arg)) &&
    node.args.some((arg) => varies(g, arg));
}
