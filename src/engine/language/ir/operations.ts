/** The elementwise operations of the graph: their names, and their meaning on numbers. */
import {
  atan,
  besselRatio,
  betainc,
  betaincASlope,
  betaincBSlope,
  cos,
  digamma,
  erf,
  erfc,
  exp,
  expm1,
  gammainc,
  gammaincc,
  gammaincShapeSlope,
  lgamma,
  log,
  log1mexp,
  log1p,
  logI0,
  logNormalCdf,
  normalQuantile,
  pow,
  sigmoid,
  sin,
  softplus,
  tanh,
  trigamma,
} from "../../../numerics/math/mod.ts";

/** Names of the operations on one number. */
export const unaryOps = [
  "neg",
  "exp",
  "log",
  "log1p",
  "log1mexp",
  "expm1",
  "sqrt",
  "abs",
  "sign",
  "floor",
  "ceil",
  "round",
  "sigmoid",
  "softplus",
  "tanh",
  "sin",
  "cos",
  "atan",
  "lgamma",
  "digamma",
  "trigamma",
  "erf",
  "erfc",
  "log_normal_cdf",
  "normal_quantile",
  "log_i0",
  "bessel_ratio",
  "not",
  "is_nan",
] as const;
/** Names of the operations on two numbers. Comparisons and logic give 1 or 0. */
export const binaryOps = [
  "add",
  "sub",
  "mul",
  "div",
  "pow",
  "maximum",
  "minimum",
  "mod",
  "gammainc",
  "gammaincc",
  "gammainc_shape_slope",
  "lt",
  "le",
  "gt",
  "ge",
  "eq",
  "ne",
  "and",
  "or",
] as const;
/** Names of the operations on three numbers: `where(condition, then, else)`, `betainc(a, b, x)` … */
export const ternaryOps = ["where", "betainc", "betainc_a_slope", "betainc_b_slope"] as const;

/** An operation on one number. */
export type UnaryOp = (typeof unaryOps)[number];
/** An operation on two numbers. */
export type BinaryOp = (typeof binaryOps)[number];
/** An operation on three numbers. */
export type TernaryOp = (typeof ternaryOps)[number];
/** An elementwise operation. */
export type MapOp = UnaryOp | BinaryOp | TernaryOp;

/** Value of each unary operation; outside its domain NaN or an infinity, never an exception. */
export const applyUnary: { readonly [op in UnaryOp]: (x: number) => number } = {
  neg: (x) => -x,
  exp,
  log,
  log1p,
  log1mexp,
  expm1,
  sqrt: Math.sqrt,
  abs: Math.abs,
  sign: Math.sign,
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundHalfToEven,
  sigmoid,
  softplus,
  tanh,
  sin,
  cos,
  atan,
  lgamma,
  digamma,
  trigamma,
  erf,
  erfc,
  log_normal_cdf: logNormalCdf,
  normal_quantile: normalQuantile,
  log_i0: logI0,
  bessel_ratio: besselRatio,
  not: (x) => x === 0 ? 1 : 0,
  is_nan: (x) => x !== x ? 1 : 0,
};

/** Value of each binary operation. */
export const applyBinary: { readonly [op in BinaryOp]: (a: number, b: number) => number } = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  pow,
  maximum: Math.max,
  minimum: Math.min,
  mod: floorModulo,
  gammainc,
  gammaincc,
  gammainc_shape_slope: gammaincShapeSlope,
  lt: (a, b) => a < b ? 1 : 0,
  le: (a, b) => a <= b ? 1 : 0,
  gt: (a, b) => a > b ? 1 : 0,
  ge: (a, b) => a >= b ? 1 : 0,
  eq: (a, b) => a === b ? 1 : 0,
  ne: (a, b) => a !== b ? 1 : 0,
  and: (a, b) => a !== 0 && b !== 0 ? 1 : 0,
  or: (a, b) => a !== 0 || b !== 0 ? 1 : 0,
};

/** Value of each ternary operation. */
export const applyTernary: {
  readonly [op in TernaryOp]: (a: number, b: number, c: number) => number;
} = {
  where: (condition, a, b) => condition !== 0 ? a : b,
  betainc,
  betainc_a_slope: betaincASlope,
  betainc_b_slope: betaincBSlope,
};

/** Operations whose two operands may be swapped without changing a bit of the result. */
export const commutative: ReadonlySet<string> = new Set<BinaryOp>([
  "add",
  "mul",
  "maximum",
  "minimum",
  "eq",
  "ne",
  "and",
  "or",
]);

/** Python's rounding: half goes to the even neighbour. */
function roundHalfToEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  if (rest !== 0.5) return rest < 0.5 ? down : down + 1;
  return down % 2 === 0 ? down : down + 1;
}

/** Python's modulo: the sign is that of the divisor. */
function floorModulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && (rest < 0) !== (b < 0) ? rest + b : rest;
}
