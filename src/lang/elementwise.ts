/** Functions of numbers, one element at a time, under the names of NumPy, PyMC and PyTensor. */
import type { GraphBuilder } from "../graph/builder.ts";
import type { NodeId } from "../graph/node.ts";
import type { BinaryOp, UnaryOp } from "../graph/operations.ts";
import type { Dtype } from "./values.ts";

/** A function of one to three numbers. */
export interface Elementwise {
  /** Names of its arguments. */
  readonly names: readonly string[];
  /** Its node; shapes fit. */
  readonly build: (g: GraphBuilder, ...args: NodeId[]) => NodeId;
  /** Kind of its numbers; `same` is the widest of its arguments. */
  readonly dtype: Dtype | "same";
}

function unary(op: UnaryOp, dtype: Elementwise["dtype"] = "float"): Elementwise {
  return { names: ["x"], build: (g, x) => g.map(op, x), dtype };
}

function binary(op: BinaryOp, dtype: Elementwise["dtype"] = "same"): Elementwise {
  return { names: ["x", "y"], build: (g, x, y) => g.map(op, x, y), dtype };
}

function of(
  names: readonly string[],
  build: Elementwise["build"],
  dtype: Elementwise["dtype"] = "float",
): Elementwise {
  return { names, build, dtype };
}

const half = (g: GraphBuilder, x: NodeId) => g.mul(g.scalar(0.5), x);
const sqrt2 = Math.SQRT2;

const exp = unary("exp");
const abs = unary("abs", "same");
const round = unary("round", "same");
const sign = unary("sign", "same");
const square = of(["x"], (g, x) => g.mul(x, x), "same");
const sigmoid = unary("sigmoid");
const power = binary("pow");
const where = of(["condition", "x", "y"], (g, c, a, b) => g.where(c, a, b), "same");
const clip = of(
  ["a", "min", "max"],
  (g, x, low, high) => g.map("minimum", g.map("maximum", x, low), high),
  "same",
);
const lt = binary("lt", "bool");
const le = binary("le", "bool");
const gt = binary("gt", "bool");
const ge = binary("ge", "bool");
const eq = binary("eq", "bool");
const ne = binary("ne", "bool");
const and = binary("and", "bool");
const or = binary("or", "bool");
const not = unary("not", "bool");
const division = binary("div", "float");
/** log(p / (1 − p)). */
const logit = of(["x"], (g, p) => g.sub(g.log(p), g.map("log1p", g.neg(p))));
/** log(eᵃ + eᵇ). */
const logaddexp = of(["x", "y"], (g, a, b) => {
  const gap = g.map("abs", g.sub(a, b));
  return g.add(g.map("maximum", a, b), g.map("softplus", g.neg(gap)));
});
/** log(1 − eˣ) for x < 0. */
const log1mexp = of(["x"], (g, x) => g.log(g.neg(g.map("expm1", x))));
const log2 = of(["x"], (g, x) => g.div(g.log(x), g.scalar(Math.LN2)));
const log10 = of(["x"], (g, x) => g.div(g.log(x), g.scalar(Math.LN10)));
const exp2 = of(["x"], (g, x) => g.exp(g.mul(g.scalar(Math.LN2), x)));
const tan = of(["x"], (g, x) => g.div(g.map("sin", x), g.map("cos", x)));
const sinh = of(["x"], (g, x) => half(g, g.sub(g.exp(x), g.exp(g.neg(x)))));
const cosh = of(["x"], (g, x) => half(g, g.add(g.exp(x), g.exp(g.neg(x)))));
/** Φ⁻¹(p). */
const probit = unary("normal_quantile");
/** Φ(x) = erfc(−x/√2)/2. */
const invprobit = of(["x"], (g, x) => half(g, g.map("erfc", g.div(g.neg(x), g.scalar(sqrt2)))));
/** erf⁻¹(x) = Φ⁻¹((x + 1)/2)/√2. */
const erfinv = of(
  ["x"],
  (g, x) => g.div(g.map("normal_quantile", half(g, g.add(x, g.scalar(1)))), g.scalar(sqrt2)),
);
const reciprocal = of(["x"], (g, x) => g.div(g.scalar(1), x));
const softplus = unary("softplus");

const common = {
  exp,
  log: unary("log"),
  sqrt: unary("sqrt"),
  abs,
  sin: unary("sin"),
  cos: unary("cos"),
  tan,
  sinh,
  cosh,
  tanh: unary("tanh"),
  floor: unary("floor", "same"),
  ceil: unary("ceil", "same"),
  round,
  maximum: binary("maximum"),
  minimum: binary("minimum"),
  clip,
  where,
  logaddexp,
} as const;

const inPytensorToo = {
  ...common,
  sqr: square,
  sgn: sign,
  sigmoid,
  invlogit: sigmoid,
  logit,
  erf: unary("erf"),
  erfc: unary("erfc"),
  erfinv,
  switch: where,
  eq,
  neq: ne,
  lt,
  le,
  gt,
  ge,
  and_: and,
  or_: or,
  log1pexp: softplus,
  log1mexp,
  probit,
  invprobit,
} as const;

const onlyPytensor = {
  log1p: unary("log1p"),
  expm1: unary("expm1"),
  square,
  sign,
  log2,
  log10,
  exp2,
  expit: sigmoid,
  softplus,
  power,
  pow: power,
  add: binary("add"),
  sub: binary("sub"),
  mul: binary("mul"),
  div: division,
  true_div: division,
  mod: binary("mod"),
  neg: unary("neg", "same"),
  xor: ne,
  invert: not,
  gammaln: unary("lgamma"),
  psi: unary("digamma"),
  digamma: unary("digamma"),
  isnan: unary("is_nan", "bool"),
  reciprocal,
} as const;

const numpyFunctions = {
  ...common,
  log1p: unary("log1p"),
  expm1: unary("expm1"),
  absolute: abs,
  fabs: unary("abs"),
  square,
  sign,
  log2,
  log10,
  exp2,
  power,
  float_power: binary("pow", "float"),
  add: binary("add"),
  subtract: binary("sub"),
  multiply: binary("mul"),
  divide: division,
  true_divide: division,
  mod: binary("mod"),
  remainder: binary("mod"),
  negative: unary("neg", "same"),
  reciprocal,
  rint: round,
  around: round,
  fmax: binary("maximum"),
  fmin: binary("minimum"),
  less: lt,
  less_equal: le,
  greater: gt,
  greater_equal: ge,
  equal: eq,
  not_equal: ne,
  logical_and: and,
  logical_or: or,
  logical_xor: ne,
  logical_not: not,
  isnan: unary("is_nan", "bool"),
} as const;

/** Functions of each module by name. */
export const elementwise: Readonly<Record<string, Readonly<Record<string, Elementwise>>>> = {
  pm: { invlogit: sigmoid, logit },
  "pm.math": { ...inPytensorToo, ...onlyPytensor },
  pt: { ...inPytensorToo, ...onlyPytensor },
  "pt.special": {},
  np: numpyFunctions,
  math: {
    exp,
    log: unary("log"),
    log1p: unary("log1p"),
    expm1: unary("expm1"),
    log2,
    log10,
    sqrt: unary("sqrt"),
    fabs: unary("abs"),
    sin: unary("sin"),
    cos: unary("cos"),
    tan,
    sinh,
    cosh,
    tanh: unary("tanh"),
    floor: unary("floor", "int"),
    ceil: unary("ceil", "int"),
    pow: binary("pow", "float"),
    lgamma: unary("lgamma"),
    erf: unary("erf"),
    erfc: unary("erfc"),
  },
  special: {
    expit: sigmoid,
    logit,
    erf: unary("erf"),
    erfc: unary("erfc"),
    erfinv,
    gammaln: unary("lgamma"),
    loggamma: unary("lgamma"),
    digamma: unary("digamma"),
    psi: unary("digamma"),
    ndtr: invprobit,
    ndtri: probit,
    exp2,
    log1p: unary("log1p"),
    expm1: unary("expm1"),
  },
};

/** Names of `pm.math` in this table that PyMC 5.28 keeps in PyTensor only. */
export const onlyInPytensor: ReadonlySet<string> = new Set(Object.keys(onlyPytensor));
