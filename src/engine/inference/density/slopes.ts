/** Derivatives of the elementwise operations, as formulas: factors of the adjoint. */
import type { NodeId } from "../../language/ir/node.ts";
import type { BinaryOp, TernaryOp, UnaryOp } from "../../language/ir/operations.ts";
import type { SimplifyingBuilder } from "./simplify.ts";

type G = SimplifyingBuilder;

/** From the adjoint of a result to that of one argument; undefined where the slope is 0. */
export type Pull = ((g: G, adjoint: NodeId, args: readonly NodeId[], out: NodeId) => NodeId) | 0;

const one = (g: G) => g.scalar(1);
const twoOverRootPi = 1.1283791670955126;
const oneOverRootTwoPi = 0.3989422804014327;
const halfLog2Pi = 0.9189385332046727;

/** adjoint · slope. */
const times = (slope: (g: G, x: NodeId, out: NodeId) => NodeId): Pull => (g, adjoint, [x], out) =>
  g.mul(adjoint, slope(g, x, out));

/** adjoint / divisor; by arrays, which are often divisors of more than one, through 1 / divisor. */
const divided = (g: G, adjoint: NodeId, divisor: NodeId): NodeId =>
  g.isScalar(divisor) ? g.div(adjoint, divisor) : g.mul(adjoint, g.div(one(g), divisor));

/** adjoint / divisor. */
const over = (divisor: (g: G, x: NodeId, out: NodeId) => NodeId): Pull => (g, adjoint, [x], out) =>
  divided(g, adjoint, divisor(g, x, out));

/** e^(−x²) · factor. */
const bell = (factor: number): Pull =>
  times((g, x) => g.mul(g.scalar(factor), g.exp(g.neg(g.square(x)))));

/** Slopes of the operations on one number. */
export const unaryPulls: { readonly [op in UnaryOp]: Pull } = {
  neg: (g, adjoint) => g.neg(adjoint),
  exp: times((_g, _x, out) => out),
  log: over((_g, x) => x),
  log1p: over((g, x) => g.add(one(g), x)),
  log1mexp: (g, adjoint, [x]) => g.neg(g.div(adjoint, g.map("expm1", g.neg(x)))),
  expm1: times((g, _x, out) => g.add(one(g), out)),
  sqrt: (g, adjoint, _args, out) => g.div(g.mul(g.scalar(0.5), adjoint), out),
  abs: times((g, x) => g.map("sign", x)),
  sign: 0,
  floor: 0,
  ceil: 0,
  round: 0,
  sigmoid: times((g, x, out) => g.mul(out, g.map("sigmoid", g.neg(x)))),
  softplus: times((g, x) => g.map("sigmoid", x)),
  tanh: times((g, _x, out) => g.sub(one(g), g.square(out))),
  sin: times((g, x) => g.map("cos", x)),
  cos: times((g, x) => g.neg(g.map("sin", x))),
  atan: over((g, x) => g.add(one(g), g.square(x))),
  lgamma: times((g, x) => g.map("digamma", x)),
  digamma: times((g, x) => g.map("trigamma", x)),
  trigamma: () => {
    throw new Error("internal: the third derivative of log Γ is not in the language");
  },
  erf: bell(twoOverRootPi),
  erfc: bell(-twoOverRootPi),
  // φ(x) / Φ(x), by logarithms, so that neither underflows; in the tail, where those cancel, −x − 1/x, with a
  // relative error of 2 / x⁴ (Abramowitz and Stegun 1964, 26.2.12).
  log_normal_cdf: times((g, x, out) => {
    const isFar = g.map("lt", x, g.scalar(-1e4));
    const far = g.where(isFar, x, g.scalar(-1e4));
    const logFar = g.add(g.log(g.neg(g.add(far, g.div(one(g), far)))), g.scalar(halfLog2Pi));
    const logRatio = g.where(isFar, logFar, g.sub(g.mul(g.scalar(-0.5), g.square(x)), out));
    return g.mul(g.scalar(oneOverRootTwoPi), g.exp(logRatio));
  }),
  normal_quantile: (g, adjoint, _args, out) =>
    g.mul(
      adjoint,
      g.mul(g.scalar(1 / oneOverRootTwoPi), g.exp(g.mul(g.scalar(0.5), g.square(out)))),
    ),
  log_i0: times((g, x) => g.map("bessel_ratio", x)),
  // (I₁ / I₀)′ = 1 − r / x − r² (Abramowitz and Stegun 1964, 9.6.26); ½ at 0.
  bessel_ratio: times((g, x, out) => {
    const isZero = g.map("eq", x, g.scalar(0));
    const safe = g.where(isZero, one(g), x);
    const slope = g.sub(g.sub(one(g), g.div(out, safe)), g.square(out));
    return g.where(isZero, g.scalar(0.5), slope);
  }),
  not: 0,
  is_nan: 0,
};

/** The share of an extremum: 1 where `first` holds, ½ for ties, else 0. */
function share(g: G, first: "gt" | "lt", x: NodeId, y: NodeId): NodeId {
  const tie = g.mul(g.scalar(0.5), g.map("eq", x, y));
  return g.add(g.map(first, x, y), tie);
}

const flat: readonly [Pull, Pull] = [0, 0];

/** Slopes of the operations on two numbers, by argument. */
export const binaryPulls: { readonly [op in BinaryOp]: readonly [Pull, Pull] } = {
  add: [(_g, adjoint) => adjoint, (_g, adjoint) => adjoint],
  sub: [(_g, adjoint) => adjoint, (g, adjoint) => g.neg(adjoint)],
  mul: [
    (g, adjoint, [, b]) => g.mul(adjoint, b),
    (g, adjoint, [a]) => g.mul(adjoint, a),
  ],
  div: [
    (g, adjoint, [, b]) => divided(g, adjoint, b),
    (g, adjoint, [, b], out) => g.neg(g.mul(divided(g, adjoint, b), out)),
  ],
  pow: [powerOfBase, powerOfExponent],
  maximum: [
    (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "gt", a, b)),
    (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "gt", b, a)),
  ],
  minimum: [
    (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "lt", a, b)),
    (g, adjoint, [a, b]) => g.mul(adjoint, share(g, "lt", b, a)),
  ],
  mod: [
    (_g, adjoint) => adjoint,
    (g, adjoint, [a, b]) => g.neg(g.mul(adjoint, g.map("floor", g.div(a, b)))),
  ],
  gammainc: [
    (g, adjoint, [a, x]) => g.mul(adjoint, g.map("gammainc_shape_slope", a, x)),
    (g, adjoint, [a, x]) => g.mul(adjoint, gammaDensity(g, a, x)),
  ],
  gammaincc: [
    (g, adjoint, [a, x]) => g.neg(g.mul(adjoint, g.map("gammainc_shape_slope", a, x))),
    (g, adjoint, [a, x]) => g.neg(g.mul(adjoint, gammaDensity(g, a, x))),
  ],
  gammainc_shape_slope: [noSecondSlope, noSecondSlope],
  lt: flat,
  le: flat,
  gt: flat,
  ge: flat,
  eq: flat,
  ne: flat,
  and: flat,
  or: flat,
};

function noSecondSlope(): NodeId {
  throw new Error("internal: slopes of incomplete functions are not differentiated again");
}

/** y x^(y − 1), which is 0 for y = 0 whatever x. */
function powerOfBase(g: G, adjoint: NodeId, [x, y]: readonly NodeId[]): NodeId {
  const slope = g.mul(y, g.map("pow", x, g.sub(y, one(g))));
  return g.mul(adjoint, g.where(g.map("eq", y, g.scalar(0)), g.scalar(0), slope));
}

/** x^y log x, which is 0 for x = 0. */
function powerOfExponent(g: G, adjoint: NodeId, [x]: readonly NodeId[], out: NodeId): NodeId {
  const isZero = g.map("eq", x, g.scalar(0));
  return g.mul(adjoint, g.mul(out, g.log(g.where(isZero, one(g), x))));
}

/** x^(a − 1) e^(−x) / Γ(a). */
function gammaDensity(g: G, a: NodeId, x: NodeId): NodeId {
  const powers = g.sub(g.mul(g.sub(a, one(g)), g.log(x)), x);
  return g.exp(g.sub(powers, g.map("lgamma", a)));
}

/** x^(a − 1) (1 − x)^(b − 1) / B(a, b). */
function betaDensity(g: G, a: NodeId, b: NodeId, x: NodeId): NodeId {
  const lgamma = (y: NodeId) => g.map("lgamma", y);
  const powers = g.add(
    g.mul(g.sub(a, one(g)), g.log(x)),
    g.mul(g.sub(b, one(g)), g.map("log1p", g.neg(x))),
  );
  return g.exp(g.add(powers, g.sub(lgamma(g.add(a, b)), g.add(lgamma(a), lgamma(b)))));
}

/** Slopes of the operations on three numbers, by argument. */
export const ternaryPulls: { readonly [op in TernaryOp]: readonly [Pull, Pull, Pull] } = {
  where: [
    0,
    (g, adjoint, [condition]) => g.where(condition, adjoint, g.scalar(0)),
    (g, adjoint, [condition]) => g.where(condition, g.scalar(0), adjoint),
  ],
  betainc: [
    (g, adjoint, [a, b, x]) => g.mul(adjoint, g.map("betainc_a_slope", a, b, x)),
    (g, adjoint, [a, b, x]) => g.mul(adjoint, g.map("betainc_b_slope", a, b, x)),
    (g, adjoint, [a, b, x]) => g.mul(adjoint, betaDensity(g, a, b, x)),
  ],
  betainc_a_slope: [noSecondSlope, noSecondSlope, noSecondSlope],
  betainc_b_slope: [noSecondSlope, noSecondSlope, noSecondSlope],
};
