/** How elementwise operations of the graph are spelt in Python: operators, NumPy's names, PyTensor's. */
import type { MapOp } from "../ir/operations.ts";

/** How tightly a text holds together: operands of a weaker level get parentheses. */
export const levels = {
  comparison: 1,
  sum: 2,
  product: 3,
  sign: 4,
  power: 5,
  atom: 6,
} as const;

/** An operator between two operands. */
interface Operator {
  readonly sign: string;
  readonly level: number;
}

/** Operations that Python has an operator for. */
export const operators: Readonly<Partial<Record<MapOp, Operator>>> = {
  add: { sign: "+", level: levels.sum },
  sub: { sign: "-", level: levels.sum },
  mul: { sign: "*", level: levels.product },
  div: { sign: "/", level: levels.product },
  mod: { sign: "%", level: levels.product },
  pow: { sign: "**", level: levels.power },
  lt: { sign: "<", level: levels.comparison },
  le: { sign: "<=", level: levels.comparison },
};

/** Operations whose results are truths. */
export const truths: ReadonlySet<MapOp> = new Set<MapOp>(
  ["lt", "le", "eq", "ne", "and", "or", "not", "is_nan"],
);

/** Names in `np` and in `pt`; an operation without either is not in the language. */
export const functions: Readonly<
  Partial<Record<MapOp, { readonly np?: string; readonly pt: string }>>
> = {
  exp: { np: "exp", pt: "exp" },
  log: { np: "log", pt: "log" },
  log1p: { np: "log1p", pt: "log1p" },
  expm1: { np: "expm1", pt: "expm1" },
  sqrt: { np: "sqrt", pt: "sqrt" },
  abs: { np: "abs", pt: "abs" },
  sign: { np: "sign", pt: "sign" },
  floor: { np: "floor", pt: "floor" },
  ceil: { np: "ceil", pt: "ceil" },
  round: { np: "round", pt: "round" },
  sigmoid: { pt: "sigmoid" },
  softplus: { pt: "softplus" },
  tanh: { np: "tanh", pt: "tanh" },
  sin: { np: "sin", pt: "sin" },
  cos: { np: "cos", pt: "cos" },
  atan: { np: "arctan", pt: "arctan" },
  lgamma: { pt: "gammaln" },
  digamma: { pt: "psi" },
  erf: { pt: "erf" },
  erfc: { pt: "erfc" },
  normal_quantile: { pt: "probit" },
  not: { np: "logical_not", pt: "invert" },
  is_nan: { np: "isnan", pt: "isnan" },
  maximum: { np: "maximum", pt: "maximum" },
  minimum: { np: "minimum", pt: "minimum" },
  eq: { np: "equal", pt: "eq" },
  ne: { np: "not_equal", pt: "neq" },
  and: { np: "logical_and", pt: "and_" },
  or: { np: "logical_or", pt: "or_" },
  where: { np: "where", pt: "switch" },
};
