/** Families on the whole real line: normal, Student's t, Cauchy, Laplace and others. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import {
  drawCauchy,
  drawExponential,
  drawNormal,
  drawStudentT,
  exp,
  log,
} from "../../../numerics/math/mod.ts";
import type { FamilyDefinition, Mean } from "./family.ts";
import { direct, plus, precision, scaled, standardised, times } from "./forms.ts";
import { mostShape } from "./reach.ts";
import { logChance } from "./powers.ts";
import { logOf } from "./stable_log.ts";
import { type Formula, univariate } from "./univariate.ts";

/** ½ log 2π. */
export const halfLog2Pi = 0.9189385332046727;
/** log 2. */
export const log2 = 0.6931471805599453;
/** log π. */
export const logPi = 1.1447298858494002;

/** −½ z² − log σ − ½ log 2π. */
export const normalDensity: Formula = (g, x, mu, sigma) => {
  const z = standardised(g, x, mu, sigma);
  return g.sub(times(g, -0.5, g.square(z)), plus(g, logOf(g, sigma), halfLog2Pi));
};

/** log Φ((x − μ) / σ). */
export const normalLogCdf: Formula = (g, x, mu, sigma) =>
  g.map("log_normal_cdf", standardised(g, x, mu, sigma));

/** log Φ((μ − x) / σ). */
export const normalLogSurvival: Formula = (g, x, mu, sigma) =>
  g.map("log_normal_cdf", standardised(g, mu, x, sigma));

/** exp(μ + ½ σ²): the mean of e^x. */
export const logNormalMean: Mean = (mu, sigma) => exp(mu + 0.5 * sigma * sigma);

/** N(μ, σ): φ(z) / σ, z = (x − μ)/σ. */
export const normal: FamilyDefinition = univariate({
  signature: {
    names: ["Normal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: "real", sigma: "positive", tau: "positive" },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
  },
  parameters: { mu: "real", sigma: "positive" },
  support: "real",
  density: normalDensity,
  logCdf: normalLogCdf,
  logSurvival: normalLogSurvival,
  sample: (random, mu, sigma) => mu + sigma * drawNormal(random),
  mean: (mu) => mu,
  meanOfExponential: logNormalMean,
  centre: (mu) => mu,
  spread: (_mu, sigma) => sigma,
  location: 0,
  symmetric: true,
});

/** lgamma((ν+1)/2) − lgamma(ν/2) − ½ log νπ. */
export function studentNormaliser(g: GraphBuilder, nu: NodeId): NodeId {
  const above = g.map("lgamma", times(g, 0.5, plus(g, nu, 1)));
  const below = g.map("lgamma", times(g, 0.5, nu));
  return g.sub(g.sub(above, below), times(g, 0.5, plus(g, logOf(g, nu), logPi)));
}

/** −(ν+1)/2 · log(1 + z²/ν). */
export function studentKernel(g: GraphBuilder, z: NodeId, nu: NodeId): NodeId {
  const tail = g.map("log1p", scaled(g, g.square(z), nu));
  return g.mul(times(g, -0.5, plus(g, nu, 1)), tail);
}

/**
 * log F(z): half of the incomplete beta function of ν / 2s(s + |z|), s² = z² + ν, is the tail beyond
 * |z| on either side.
 */
function studentLogCdf(g: GraphBuilder, z: NodeId, nu: NodeId): NodeId {
  const half = times(g, 0.5, nu);
  const size = g.map("sqrt", g.add(g.square(z), nu));
  const isAbove = g.map("ge", z, g.scalar(0));
  // |z| has slope 0 at 0, where the tail above is taken: z, which is 0 there, has slope 1.
  const isHere = g.map("eq", z, g.scalar(0));
  const distance = g.add(g.map("abs", z), g.where(isHere, z, g.scalar(0)));
  const share = g.div(nu, g.mul(times(g, 2, size), g.add(size, distance)));
  const tail = g.map("betainc", half, half, share);
  return g.where(
    isAbove,
    g.map("log1p", g.neg(tail)),
    logChance(g, g.where(isAbove, g.scalar(1), tail)), // a denormal tail above has no slope
  );
}

/** Student's t: Γ((ν+1)/2) / (Γ(ν/2) √(νπ) σ) · (1 + z²/ν)^(−(ν+1)/2). */
export const studentT: FamilyDefinition = univariate({
  signature: {
    names: ["StudentT"],
    positional: ["nu", "mu", "sigma", "lam"],
    keywordSince: ["sigma", "lam"],
    defaults: { mu: 0, sigma: 1 },
    domains: { nu: "positive", mu: "real", sigma: "positive", lam: "positive" },
    forms: [
      direct("nu", "mu", "sigma"),
      precision("lam", ["nu", "mu", "lam"], ["nu", "mu", "sigma"]),
    ],
  },
  parameters: { nu: "positive", mu: "real", sigma: "positive" },
  most: { nu: mostShape },
  support: "real",
  density: (g, x, nu, mu, sigma) => {
    const kernel = studentKernel(g, standardised(g, x, mu, sigma), nu);
    return g.add(kernel, g.sub(studentNormaliser(g, nu), logOf(g, sigma)));
  },
  logCdf: (g, x, nu, mu, sigma) => studentLogCdf(g, standardised(g, x, mu, sigma), nu),
  logSurvival: (g, x, nu, mu, sigma) => studentLogCdf(g, standardised(g, mu, x, sigma), nu),
  sample: (random, nu, mu, sigma) => mu + sigma * drawStudentT(random, nu),
  // Medians: tails may be so heavy that there is no mean, and e^x has none.
  mean: (_nu, mu) => mu,
  meanOfExponential: (_nu, mu) => exp(mu),
  centre: (_nu, mu) => mu,
  spread: (_nu, _mu, sigma) => sigma,
  location: 1,
  symmetric: true,
});

/** log(½ + atan(z)/π); below −1 by the arctangent of −1/z, which does not cancel. */
function cauchyLogCdf(g: GraphBuilder, z: NodeId): NodeId {
  const far = g.map("lt", z, g.scalar(-1));
  const safe = g.where(far, z, g.scalar(-1));
  const below = g.map("atan", g.neg(g.div(g.scalar(1), safe)));
  const above = plus(g, g.map("atan", z), Math.PI / 2);
  return plus(g, g.log(g.where(far, below, above)), -logPi);
}

/** 1 / (π β (1 + z²)), z = (x − α)/β. */
export const cauchy: FamilyDefinition = univariate({
  signature: {
    names: ["Cauchy"],
    positional: ["alpha", "beta"],
    defaults: {},
    domains: { alpha: "real", beta: "positive" },
    forms: [direct("alpha", "beta")],
  },
  parameters: { alpha: "real", beta: "positive" },
  support: "real",
  density: (g, x, alpha, beta) => {
    const tail = g.map("log1p", g.square(standardised(g, x, alpha, beta)));
    return g.sub(g.neg(tail), plus(g, logOf(g, beta), logPi));
  },
  logCdf: (g, x, alpha, beta) => cauchyLogCdf(g, standardised(g, x, alpha, beta)),
  logSurvival: (g, x, alpha, beta) => cauchyLogCdf(g, standardised(g, alpha, x, beta)),
  sample: (random, alpha, beta) => alpha + beta * drawCauchy(random),
  centre: (alpha) => alpha,
  spread: (_alpha, beta) => beta,
  location: 0,
  symmetric: true,
});

/** log F of the standard Laplace distribution: log ½ + z below 0, log(1 − ½ e^−z) above. */
function laplaceLogCdf(g: GraphBuilder, z: NodeId): NodeId {
  const size = g.map("abs", z);
  const above = g.map("log1p", times(g, -0.5, g.exp(g.neg(size))));
  return g.where(g.map("le", z, g.scalar(0)), plus(g, z, -log2), above);
}

/** e^(−|x − μ|/b) / 2b. */
export const laplace: FamilyDefinition = univariate({
  signature: {
    names: ["Laplace"],
    positional: ["mu", "b"],
    defaults: {},
    domains: { mu: "real", b: "positive" },
    forms: [direct("mu", "b")],
  },
  parameters: { mu: "real", b: "positive" },
  support: "real",
  density: (g, x, mu, b) => {
    const size = g.map("abs", standardised(g, x, mu, b));
    return g.sub(g.neg(size), plus(g, logOf(g, b), log2));
  },
  logCdf: (g, x, mu, b) => laplaceLogCdf(g, standardised(g, x, mu, b)),
  logSurvival: (g, x, mu, b) => laplaceLogCdf(g, standardised(g, mu, x, b)),
  mean: (mu) => mu,
  sample: (random, mu, b) => mu + b * (drawExponential(random) - drawExponential(random)),
  centre: (mu) => mu,
  spread: (_mu, b) => b,
  location: 0,
  symmetric: true,
});

/** e^(−z) / (s (1 + e^(−z))²), z = (x − μ)/s. */
export const logistic: FamilyDefinition = univariate({
  signature: {
    names: ["Logistic"],
    positional: ["mu", "s"],
    defaults: { mu: 0, s: 1 },
    domains: { mu: "real", s: "positive" },
    forms: [direct("mu", "s")],
  },
  parameters: { mu: "real", s: "positive" },
  support: "real",
  density: (g, x, mu, s) => {
    const z = standardised(g, x, mu, s);
    const tail = times(g, -2, g.map("softplus", g.neg(z)));
    return g.sub(g.sub(tail, z), logOf(g, s));
  },
  logCdf: (g, x, mu, s) => g.neg(g.map("softplus", standardised(g, mu, x, s))),
  logSurvival: (g, x, mu, s) => g.neg(g.map("softplus", standardised(g, x, mu, s))),
  mean: (mu) => mu,
  sample: (random, mu, s) => {
    const u = random.uniform();
    return mu + s * (log(u) - log(1 - u));
  },
  centre: (mu) => mu,
  spread: (_mu, s) => s,
  location: 0,
  symmetric: true,
});

/** Every real number alike: improper. */
export const flat: FamilyDefinition = univariate({
  signature: {
    names: ["Flat"],
    positional: [],
    defaults: {},
    domains: {},
    forms: [direct()],
  },
  parameters: {},
  support: "real",
  proper: false,
  density: (g) => g.scalar(0),
  sample: () => NaN,
});
