/** Functions of numbers, one element at a time, under the names of NumPy, PyMC and PyTensor. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { BinaryOp, UnaryOp } from "../ir/operations.ts";
import type { Dtype } from "../interpreter/values.ts";

/** A function of one to three numbers. */
export interface Elementwise {
  /** Names of its arguments. */
  readonly names: readonly string[];
  /** Its node; shapes fit. */
  readonly build: (g: GraphBuilder, ...args: NodeId[]) => NodeId;
  /** Kind of its numbers; `same` is the widest of its arguments. */
  readonly dtype: Dtype | "same";
  /** Other keywords for some of the names. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** How many arguments come first that choose between the others: their kind does not count. */
  readonly conditions?: number;
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
const where: Elementwise = {
  names: ["condition", "x", "y"],
  build: (g, c, a, b) => g.where(c, a, b),
  dtype: "same",
  conditions: 1,
};
const clip: Elementwise = {
  names: ["a", "min", "max"],
  build: (g, x, low, high) => g.map("minimum", g.map("maximum", x, low), high),
  dtype: "same",
  aliases: { a_min: "min", a_max: "max" },
};
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
/** tan⁻¹ of x / (1 + √(1 − x²)), twice: no cancellation near 0 and ±1; NaN beyond. */
const arcsin = of(["x"], (g, x) => {
  const one = g.scalar(1);
  const root = g.map("sqrt", g.mul(g.sub(one, x), g.add(one, x)));
  return g.mul(g.scalar(2), g.map("atan", g.div(x, g.add(one, root))));
});
/** tan⁻¹ of √((1 − x) / (1 + x)), twice. */
const arccos = of(["x"], (g, x) => {
  const one = g.scalar(1);
  const ratio = g.map("sqrt", g.div(g.sub(one, x), g.add(one, x)));
  return g.mul(g.scalar(2), g.map("atan", ratio));
});
const arctan = unary("atan");
/** The angle of the point (x, y), from −π to π. */
const arctan2 = of(["y", "x"], (g, y, x) => {
  const slope = g.map("atan", g.div(y, x));
  const turn = g.where(g.map("ge", y, g.scalar(0)), g.scalar(Math.PI), g.scalar(-Math.PI));
  const behind = g.where(g.map("lt", x, g.scalar(0)), g.add(slope, turn), slope);
  const nowhere = g.map("and", g.map("eq", x, g.scalar(0)), g.map("eq", y, g.scalar(0)));
  return g.where(nowhere, g.scalar(0), behind);
});
/** sign(x) · log(|x| + √(x² + 1)), by log1p near 0. */
const arcsinh = of(["x"], (g, x) => {
  const [one, size] = [g.scalar(1), g.map("abs", x)];
  const square = g.mul(size, size);
  const rest = g.div(square, g.add(one, g.map("sqrt", g.add(square, one))));
  return g.mul(g.map("sign", x), g.map("log1p", g.add(size, rest)));
});
/** log(x + √(x² − 1)). */
const arccosh = of(["x"], (g, x) => {
  const one = g.scalar(1);
  return g.log(g.add(x, g.map("sqrt", g.mul(g.sub(x, one), g.add(x, one)))));
});
/** (log(1 + x) − log(1 − x)) / 2. */
const arctanh = of(
  ["x"],
  (g, x) => half(g, g.sub(g.map("log1p", x), g.map("log1p", g.neg(x)))),
);
const deg2rad = of(["x"], (g, x) => g.mul(x, g.scalar(Math.PI / 180)));
const rad2deg = of(["x"], (g, x) => g.mul(x, g.scalar(180 / Math.PI)));
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
  arcsin,
  arccos,
  arctan,
  arcsinh,
  arccosh,
  arctanh,
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
  arctan2,
  deg2rad,
  rad2deg,
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
  arctan2,
  deg2rad,
  radians: deg2rad,
  rad2deg,
  degrees: rad2deg,
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
  "pt.linalg": {},
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
    asin: arcsin,
    acos: arccos,
    atan: arctan,
    atan2: arctan2,
    radians: deg2rad,
    degrees: rad2deg,
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
