/** Names that PyMC, NumPy and Python offer: which are read, which are refused, and what to write. */
import type { UnaryOp } from "./graph.ts";
import { statistics } from "./host_values.ts";
import { distributionNames } from "./signatures.ts";

/** Functions of one number that each module offers; `sqr` multiplies by itself. */
export const functions: Readonly<Record<string, Readonly<Record<string, UnaryOp | "sqr">>>> = {
  "pm.math": {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    abs: "abs",
    sqr: "sqr",
    sigmoid: "sigmoid",
    invlogit: "sigmoid",
    tanh: "tanh",
  },
  pm: { invlogit: "sigmoid" },
  pt: {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    abs: "abs",
    sqr: "sqr",
    sigmoid: "sigmoid",
    tanh: "tanh",
  },
  np: {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    abs: "abs",
    absolute: "abs",
    square: "sqr",
    tanh: "tanh",
  },
  math: {
    exp: "exp",
    log: "log",
    log1p: "log1p",
    expm1: "expm1",
    sqrt: "sqrt",
    fabs: "abs",
    tanh: "tanh",
  },
};

/** Functions that this subset puts into `pm.math` although PyMC keeps them in PyTensor. */
export const onlyInPytensor: ReadonlySet<string> = new Set(["log1p", "expm1"]);

/** Constants of `np` and `math`. */
export const constants: Readonly<Record<string, number>> = {
  pi: Math.PI,
  e: Math.E,
  inf: Infinity,
};

/** Constructors of `pm` that wrap a column. */
export const dataContainers: ReadonlySet<string> = new Set(["Data", "MutableData", "ConstantData"]);

/** Inference belongs to the host: these are read and have no effect. */
export const inference: ReadonlySet<string> = new Set([
  "sample",
  "sample_prior_predictive",
  "sample_posterior_predictive",
]);

/** Densities that a program would define itself. */
export const customDensities: ReadonlySet<string> = new Set([
  "CustomDist",
  "DensityDist",
  "Simulator",
  "Interpolated",
]);

/** All that `pm.` can be followed by. */
export const pmNames: readonly string[] = [
  "Model",
  "Deterministic",
  "math",
  "invlogit",
  ...distributionNames,
  ...dataContainers,
  ...inference,
];

/** All that `np.` can be followed by. */
export const npNames: readonly string[] = [
  ...Object.keys(functions.np),
  ...Object.keys(statistics),
  ...Object.keys(constants),
  "array",
  "asarray",
];

const discrete = "only continuous likelihoods and parameters are in the subset";
const vector = "write one scalar variable for each element";

/** Other names of `pm`, with what to write instead. */
export const replacements: Readonly<Record<string, string>> = {
  AsymmetricLaplace: "pm.Laplace is the symmetric one",
  Bernoulli: discrete,
  BetaBinomial: discrete,
  Binomial: discrete,
  Categorical: discrete,
  Censored: "leave the censoring out",
  ChiSquared: 'write pm.Gamma("name", alpha=nu / 2, beta=0.5)',
  Dirichlet: vector,
  DiscreteUniform: discrete,
  ExGaussian: "pm.SkewNormal is also skewed",
  GaussianRandomWalk: vector,
  Geometric: discrete,
  HurdleGamma: "pm.Gamma has no point mass at zero",
  HurdleLogNormal: "pm.LogNormal has no point mass at zero",
  HyperGeometric: discrete,
  Kumaraswamy: "pm.Beta is close to it",
  LKJCholeskyCov: vector,
  LKJCorr: vector,
  LogitNormal: "write pm.math.sigmoid of a pm.Normal",
  Mixture: "choose one of its components",
  Moyal: "pm.Gumbel is also skewed",
  Multinomial: discrete,
  MvNormal: vector,
  MvStudentT: vector,
  NegativeBinomial: discrete,
  NormalMixture: "pm.StudentT has heavier tails than pm.Normal",
  OrderedLogistic: discrete,
  OrderedProbit: discrete,
  Pareto: "pm.HalfCauchy and pm.HalfStudentT have heavy tails",
  PolyaGamma: "pm.Gamma is on the same support",
  Poisson: discrete,
  Rice: "pm.Weibull is on the same support",
  RandomWalk: vector,
  SkewStudentT: "pm.SkewNormal is skewed, pm.StudentT has heavy tails",
  StickBreakingWeights: vector,
  Triangular: "write pm.Uniform or pm.TruncatedNormal",
  Truncated: "pm.TruncatedNormal is in the subset",
  VonMises: "write pm.TruncatedNormal between -np.pi and np.pi",
  Wald: "write pm.InverseGamma or pm.LogNormal",
  Wishart: vector,
  ZeroInflatedBinomial: discrete,
  ZeroInflatedNegativeBinomial: discrete,
  ZeroInflatedPoisson: discrete,
  ZeroSumNormal: vector,
  AR: vector,
  find_MAP: "leave it out: inference belongs to the host",
  fit: "leave it out: inference belongs to the host",
  gp: "write the mean as a function of the columns",
  logit: "write pm.math.log(p / (1 - p))",
  set_data: "leave it out: the data belong to the host",
  Minibatch: "leave it out: all rows are scored",
  NUTS: "leave it out: inference belongs to the host",
  Metropolis: "leave it out: inference belongs to the host",
};

/** Functions of `pm.math` and `np` outside of the subset, with what to write instead. */
export const functionReplacements: Readonly<Record<string, string>> = {
  cos: "trigonometric functions are not in the subset",
  sin: "trigonometric functions are not in the subset",
  tan: "trigonometric functions are not in the subset",
  clip: "choose a distribution with the support that is wanted",
  maximum: "write it with abs: (a + b + abs(a - b)) / 2",
  minimum: "write it with abs: (a + b - abs(a - b)) / 2",
  dot: "write the sum of products",
  matmul: "write the sum of products",
  erf: "pm.math.tanh and pm.math.sigmoid are similar",
  log1pexp: "write pm.math.log1p(pm.math.exp(x))",
  logit: "write pm.math.log(p / (1 - p))",
  logsumexp: "write pm.math.log of a sum of pm.math.exp",
  power: "write x ** y",
  sum: "write the sum with +",
  switch: "write a smooth step with pm.math.sigmoid",
  where: "write a smooth step with pm.math.sigmoid",
  stack: vector,
  concatenate: vector,
  random: "randomness belongs to random variables",
  log10: "write log(x) / log(10)",
  log2: "write log(x) / log(2)",
  cosh: "write it with exp",
  sinh: "write it with exp",
};

/** Python's own functions, with what to write instead. */
export const builtinReplacements: Readonly<Record<string, string>> = {
  float: "write the number",
  int: "write the number",
  max: "write np.max(column)",
  min: "write np.min(column)",
  pow: "write x ** y",
  print: "leave it out",
  range: "write the statements one by one",
  round: "write the number",
  sum: "write np.sum(column), or the sum with +",
};

/** Names of variables that inference data use for themselves. */
export function isReservedName(name: string): boolean {
  const reserved = ["log_likelihood", "log_prior", "lp", "elpd", "elpd_loo", "chain", "draw"];
  return reserved.includes(name) || name.startsWith("__") || name.endsWith("__");
}
