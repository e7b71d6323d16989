/** PyMC's signatures of the families: order, defaults, domains and alternative parametrisations. */
import type { families, Family, NodeId } from "./graph.ts";
import type { GraphBuilder } from "./graph_builder.ts";

/** Which values an argument may take. A `bound` may be infinite. */
export type Domain = "real" | "positive" | "unit" | "bound";

/** Where the values of a family lie; decides the default transform. */
export type Support = "real" | "positive" | "unit" | "interval";

/** Given arguments by name, all of them present. */
export type Given<Name extends string = string> = Readonly<Record<Name, NodeId>>;

/** One way to parametrise: these arguments, all of them given or with a default. */
export interface Form {
  readonly names: readonly string[];
  /** Canonical parameters in the order of `families[family]`. */
  readonly canonical: (g: GraphBuilder, given: Given) => readonly NodeId[];
}

/** How PyMC is asked for a family (API of PyMC 5.28, `pymc/distributions/continuous.py`). */
export interface Signature {
  /** `pm.NAME`, followed by other spellings of it. */
  readonly names: readonly [string, ...string[]];
  /** After the variable's name. */
  readonly positional: readonly string[];
  readonly keywordOnly?: readonly string[];
  /** Positional in PyMC before 5.28, keyword-only since: accepted with a warning. */
  readonly keywordSince?: readonly string[];
  readonly defaults: Readonly<Record<string, number>>;
  readonly domains: Readonly<Record<string, Domain>>;
  readonly forms: readonly Form[];
  readonly support: Support;
}

const real = "real";
const positive = "positive";
const unit = "unit";

/** The canonical parameters themselves. */
function direct(...names: readonly string[]): Form {
  return { names, canonical: (_g, given) => names.map((name) => given[name]) };
}

/** `sigma` given as a precision: sigma = 1/sqrt(tau). */
function precision(name: string, names: readonly string[], canonical: readonly string[]): Form {
  return {
    names,
    canonical: (g, given) => {
      const sigma = g.binary("div", g.constant(1), g.unary("sqrt", given[name]));
      return canonical.map((wanted) => (wanted === "sigma" ? sigma : given[wanted]));
    },
  };
}

const square = (g: GraphBuilder, x: NodeId): NodeId => g.binary("mul", x, x);

/** Gamma by mean and deviation: alpha = mu²/sigma², beta = mu/sigma². */
function gammaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const variance = square(g, sigma);
  return [g.binary("div", square(g, mu), variance), g.binary("div", mu, variance)];
}

/** Inverse gamma: alpha = (2 sigma² + mu²)/sigma², beta = mu (mu² + sigma²)/sigma². */
function inverseGammaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const [m2, s2] = [square(g, mu), square(g, sigma)];
  const twice = g.binary("add", g.binary("mul", g.constant(2), s2), m2);
  const beta = g.binary("div", g.binary("mul", mu, g.binary("add", m2, s2)), s2);
  return [g.binary("div", twice, s2), beta];
}

/** Beta by mean and concentration: alpha = mu nu, beta = (1 − mu) nu. */
function betaConcentration(g: GraphBuilder, { mu, nu }: Given): readonly NodeId[] {
  const rest = g.binary("sub", g.constant(1), mu);
  return [g.binary("mul", mu, nu), g.binary("mul", rest, nu)];
}

/** Beta by mean and deviation: nu = mu (1 − mu)/sigma² − 1. */
function betaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const spread = g.binary("mul", mu, g.binary("sub", g.constant(1), mu));
  const nu = g.binary("sub", g.binary("div", spread, square(g, sigma)), g.constant(1));
  return betaConcentration(g, { mu, nu });
}

/** One entry per family: a family without an entry does not compile. */
export const signatures: Readonly<Record<Family, Signature>> = {
  normal: {
    names: ["Normal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: real, sigma: positive, tau: positive },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
    support: "real",
  },
  half_normal: {
    names: ["HalfNormal"],
    positional: ["sigma", "tau"],
    defaults: { sigma: 1 },
    domains: { sigma: positive, tau: positive },
    forms: [direct("sigma"), precision("tau", ["tau"], ["sigma"])],
    support: "positive",
  },
  log_normal: {
    names: ["LogNormal", "Lognormal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: real, sigma: positive, tau: positive },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
    support: "positive",
  },
  student_t: {
    names: ["StudentT"],
    positional: ["nu", "mu", "sigma", "lam"],
    keywordSince: ["sigma", "lam"],
    defaults: { mu: 0, sigma: 1 },
    domains: { nu: positive, mu: real, sigma: positive, lam: positive },
    forms: [
      direct("nu", "mu", "sigma"),
      precision("lam", ["nu", "mu", "lam"], ["nu", "mu", "sigma"]),
    ],
    support: "real",
  },
  half_student_t: {
    names: ["HalfStudentT"],
    positional: ["nu", "sigma", "lam"],
    defaults: { sigma: 1 },
    domains: { nu: positive, sigma: positive, lam: positive },
    forms: [direct("nu", "sigma"), precision("lam", ["nu", "lam"], ["nu", "sigma"])],
    support: "positive",
  },
  cauchy: {
    names: ["Cauchy"],
    positional: ["alpha", "beta"],
    defaults: {},
    domains: { alpha: real, beta: positive },
    forms: [direct("alpha", "beta")],
    support: "real",
  },
  half_cauchy: {
    names: ["HalfCauchy"],
    positional: ["beta"],
    defaults: {},
    domains: { beta: positive },
    forms: [direct("beta")],
    support: "positive",
  },
  exponential: {
    names: ["Exponential"],
    positional: ["lam"],
    keywordOnly: ["scale"],
    defaults: { lam: 1 },
    domains: { lam: positive, scale: positive },
    forms: [direct("lam"), {
      names: ["scale"],
      canonical: (g, { scale }) => [g.binary("div", g.constant(1), scale)],
    }],
    support: "positive",
  },
  gamma: {
    names: ["Gamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: {},
    domains: { alpha: positive, beta: positive, mu: positive, sigma: positive },
    forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: gammaMoments }],
    support: "positive",
  },
  inverse_gamma: {
    names: ["InverseGamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: { beta: 1 },
    domains: { alpha: positive, beta: positive, mu: positive, sigma: positive },
    forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: inverseGammaMoments }],
    support: "positive",
  },
  weibull: {
    names: ["Weibull"],
    positional: ["alpha", "beta"],
    defaults: {},
    domains: { alpha: positive, beta: positive },
    forms: [direct("alpha", "beta")],
    support: "positive",
  },
  beta: {
    names: ["Beta"],
    positional: ["alpha", "beta", "mu", "sigma", "nu"],
    defaults: {},
    domains: { alpha: positive, beta: positive, mu: unit, sigma: positive, nu: positive },
    forms: [
      direct("alpha", "beta"),
      { names: ["mu", "sigma"], canonical: betaMoments },
      { names: ["mu", "nu"], canonical: betaConcentration },
    ],
    support: "unit",
  },
  uniform: {
    names: ["Uniform"],
    positional: ["lower", "upper"],
    defaults: { lower: 0, upper: 1 },
    domains: { lower: real, upper: real },
    forms: [direct("lower", "upper")],
    support: "interval",
  },
  laplace: {
    names: ["Laplace"],
    positional: ["mu", "b"],
    defaults: {},
    domains: { mu: real, b: positive },
    forms: [direct("mu", "b")],
    support: "real",
  },
  logistic: {
    names: ["Logistic"],
    positional: ["mu", "s"],
    defaults: { mu: 0, s: 1 },
    domains: { mu: real, s: positive },
    forms: [direct("mu", "s")],
    support: "real",
  },
  gumbel: {
    names: ["Gumbel"],
    positional: ["mu", "beta"],
    defaults: {},
    domains: { mu: real, beta: positive },
    forms: [direct("mu", "beta")],
    support: "real",
  },
  skew_normal: {
    names: ["SkewNormal"],
    positional: ["alpha", "mu", "sigma", "tau"],
    defaults: { alpha: 1, mu: 0, sigma: 1 },
    domains: { alpha: real, mu: real, sigma: positive, tau: positive },
    forms: [
      direct("mu", "sigma", "alpha"),
      precision("tau", ["mu", "tau", "alpha"], ["mu", "sigma", "alpha"]),
    ],
    support: "real",
  },
  truncated_normal: {
    names: ["TruncatedNormal"],
    positional: ["mu", "sigma", "tau", "lower", "upper"],
    keywordSince: ["tau", "lower", "upper"],
    defaults: { mu: 0, sigma: 1, lower: -Infinity, upper: Infinity },
    domains: { mu: real, sigma: positive, tau: positive, lower: "bound", upper: "bound" },
    forms: [
      direct("mu", "sigma", "lower", "upper"),
      precision("tau", ["mu", "tau", "lower", "upper"], ["mu", "sigma", "lower", "upper"]),
    ],
    support: "interval",
  },
};

/** Which canonical parameters of a family must be positive, whatever form was written. */
export const positiveParameters: Readonly<
  { [F in Family]: readonly (typeof families)[F][number][] }
> = {
  normal: ["sigma"],
  half_normal: ["sigma"],
  log_normal: ["sigma"],
  student_t: ["nu", "sigma"],
  half_student_t: ["nu", "sigma"],
  cauchy: ["beta"],
  half_cauchy: ["beta"],
  exponential: ["lam"],
  gamma: ["alpha", "beta"],
  inverse_gamma: ["alpha", "beta"],
  weibull: ["alpha", "beta"],
  beta: ["alpha", "beta"],
  uniform: [],
  laplace: ["b"],
  logistic: ["s"],
  gumbel: ["beta"],
  skew_normal: ["sigma"],
  truncated_normal: ["sigma"],
};

const byName: ReadonlyMap<string, Family> = new Map(
  (Object.keys(signatures) as Family[]).flatMap((family) =>
    signatures[family].names.map((name) => [name, family] as const)
  ),
);

/** The family that `pm.NAME` stands for. */
export function familyOf(name: string): Family | undefined {
  return byName.get(name);
}

/** `pm.` names of all families. */
export const distributionNames: readonly string[] = [...byName.keys()];
