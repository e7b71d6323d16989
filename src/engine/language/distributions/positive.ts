/** Families on positive numbers: half normal, gamma, Weibull and others. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import {
  drawCauchy,
  drawExponential,
  drawGamma,
  drawNormal,
  drawStudentT,
  exp,
} from "../../../numerics/math/mod.ts";
import type { FamilyDefinition, Given } from "./family.ts";
import { direct, plus, precision, scaled, standardised, times } from "./forms.ts";
import { logChance, logComplement, logPower } from "./powers.ts";
import { mostShape } from "./reach.ts";
import {
  halfLog2Pi,
  log2,
  logNormalMean,
  logPi,
  normalLogCdf,
  normalLogSurvival,
  studentKernel,
  studentNormaliser,
} from "./real_line.ts";
import { logOf } from "./stable_log.ts";
import { univariate } from "./univariate.ts";

/** 2 φ(x/σ) / σ for x ≥ 0. */
export const halfNormal: FamilyDefinition = univariate({
  signature: {
    names: ["HalfNormal"],
    positional: ["sigma", "tau"],
    defaults: { sigma: 1 },
    domains: { sigma: "positive", tau: "positive" },
    forms: [direct("sigma"), precision("tau", ["tau"], ["sigma"])],
  },
  parameters: { sigma: "positive" },
  support: "non_negative",
  density: (g, x, sigma) => {
    const kernel = times(g, -0.5, g.square(scaled(g, x, sigma)));
    return g.sub(kernel, plus(g, logOf(g, sigma), halfLog2Pi - log2));
  },
  logCdf: (g, x, sigma) => g.log(g.map("erf", times(g, Math.SQRT1_2, scaled(g, x, sigma)))),
  logSurvival: (g, x, sigma) => plus(g, g.map("log_normal_cdf", g.neg(scaled(g, x, sigma))), log2),
  sample: (random, sigma) => sigma * Math.abs(drawNormal(random)),
  centre: (sigma) => sigma,
});

/** −½ z² − log σ − ½ log 2π − log x, z = (log x − μ)/σ. */
export function logNormalDensity(g: GraphBuilder, x: NodeId, mu: NodeId, sigma: NodeId): NodeId {
  const logX = logOf(g, x);
  const kernel = times(g, -0.5, g.square(standardised(g, logX, mu, sigma)));
  return g.sub(g.sub(kernel, logX), plus(g, logOf(g, sigma), halfLog2Pi));
}

/** φ(z) / (σ x), z = (log x − μ)/σ. */
export const logNormal: FamilyDefinition = univariate({
  signature: {
    names: ["LogNormal", "Lognormal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: "real", sigma: "positive", tau: "positive" },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
  },
  parameters: { mu: "real", sigma: "positive" },
  support: "positive",
  density: logNormalDensity,
  logCdf: (g, x, mu, sigma) => normalLogCdf(g, logOf(g, x), mu, sigma),
  logSurvival: (g, x, mu, sigma) => normalLogSurvival(g, logOf(g, x), mu, sigma),
  sample: (random, mu, sigma) => exp(mu + sigma * drawNormal(random)),
  mean: logNormalMean,
  centre: (mu) => exp(mu),
  spread: (_mu, sigma) => sigma,
});

/** Twice Student's t of scale σ, for x ≥ 0. */
export const halfStudentT: FamilyDefinition = univariate({
  signature: {
    names: ["HalfStudentT"],
    positional: ["nu", "sigma", "lam"],
    defaults: { sigma: 1 },
    domains: { nu: "positive", sigma: "positive", lam: "positive" },
    forms: [direct("nu", "sigma"), precision("lam", ["nu", "lam"], ["nu", "sigma"])],
  },
  parameters: { nu: "positive", sigma: "positive" },
  most: { nu: mostShape },
  support: "non_negative",
  density: (g, x, nu, sigma) => {
    const normaliser = plus(g, g.sub(studentNormaliser(g, nu), logOf(g, sigma)), log2);
    return g.add(studentKernel(g, scaled(g, x, sigma), nu), normaliser);
  },
  sample: (random, nu, sigma) => sigma * Math.abs(drawStudentT(random, nu)),
  centre: (_nu, sigma) => sigma,
});

/** 2 / (π β (1 + (x/β)²)) for x ≥ 0. */
export const halfCauchy: FamilyDefinition = univariate({
  signature: {
    names: ["HalfCauchy"],
    positional: ["beta"],
    defaults: {},
    domains: { beta: "positive" },
    forms: [direct("beta")],
  },
  parameters: { beta: "positive" },
  support: "non_negative",
  density: (g, x, beta) => {
    const tail = g.map("log1p", g.square(scaled(g, x, beta)));
    return g.sub(g.neg(tail), plus(g, logOf(g, beta), logPi - log2));
  },
  logCdf: (g, x, beta) => plus(g, g.log(g.map("atan", scaled(g, x, beta))), log2 - logPi),
  // π/2 − atan(x/β) is atan(β/x).
  logSurvival: (g, x, beta) => plus(g, g.log(g.map("atan", g.div(beta, x))), log2 - logPi),
  sample: (random, beta) => beta * Math.abs(drawCauchy(random)),
  centre: (beta) => beta,
});

/** λ e^(−λx), by rate. */
export const exponential: FamilyDefinition = univariate({
  signature: {
    names: ["Exponential"],
    positional: ["lam"],
    keywordOnly: ["scale"],
    defaults: { lam: 1 },
    domains: { lam: "positive", scale: "positive" },
    forms: [direct("lam"), {
      names: ["scale"],
      canonical: (g, { scale }) => [g.div(g.scalar(1), scale)],
    }],
  },
  parameters: { lam: "positive" },
  support: "non_negative",
  density: (g, x, lam) => g.sub(logOf(g, lam), g.mul(lam, x)),
  logCdf: (g, x, lam) => logComplement(g, g.neg(g.mul(lam, x))),
  logSurvival: (g, x, lam) => g.neg(g.mul(lam, x)),
  sample: (random, lam) => drawExponential(random) / lam,
  mean: (lam) => 1 / lam,
  centre: (lam) => 1 / lam,
});

/** Gamma by mean and deviation: alpha = mu²/sigma², beta = mu/sigma². */
function gammaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const variance = g.square(sigma);
  return [g.div(g.square(mu), variance), g.div(mu, variance)];
}

/** α log β − lgamma(α) + (α − 1) log x − β x. */
export function gammaDensity(g: GraphBuilder, x: NodeId, alpha: NodeId, beta: NodeId): NodeId {
  const normaliser = g.sub(g.mul(alpha, logOf(g, beta)), g.map("lgamma", alpha));
  const kernel = g.sub(logPower(g, x, plus(g, alpha, -1)), g.mul(beta, x));
  return g.add(kernel, normaliser);
}

/** Signature of the gamma distribution, which its hurdle distribution shares. */
export const gammaForms = [direct("alpha", "beta"), {
  names: ["mu", "sigma"],
  canonical: gammaMoments,
}];

/** β^α x^(α−1) e^(−βx) / Γ(α), by shape and rate. */
export const gamma: FamilyDefinition = univariate({
  signature: {
    names: ["Gamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: {},
    domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
    forms: gammaForms,
  },
  parameters: { alpha: "positive", beta: "positive" },
  most: { alpha: mostShape },
  support: "non_negative",
  density: gammaDensity,
  logCdf: (g, x, alpha, beta) => logChance(g, g.map("gammainc", alpha, g.mul(beta, x))),
  logSurvival: (g, x, alpha, beta) => logChance(g, g.map("gammaincc", alpha, g.mul(beta, x))),
  sample: (random, alpha, beta) => drawGamma(random, alpha) / beta,
  mean: (alpha, beta) => alpha / beta,
  centre: (alpha, beta) => alpha / beta,
});

/** Gamma of shape ν/2 and rate ½. */
export const chiSquared: FamilyDefinition = univariate({
  signature: {
    names: ["ChiSquared"],
    positional: ["nu"],
    defaults: {},
    domains: { nu: "positive" },
    forms: [direct("nu")],
  },
  parameters: { nu: "positive" },
  most: { nu: mostShape },
  support: "non_negative",
  density: (g, x, nu) => gammaDensity(g, x, times(g, 0.5, nu), g.scalar(0.5)),
  logCdf: (g, x, nu) => logChance(g, g.map("gammainc", times(g, 0.5, nu), times(g, 0.5, x))),
  logSurvival: (g, x, nu) => logChance(g, g.map("gammaincc", times(g, 0.5, nu), times(g, 0.5, x))),
  sample: (random, nu) => 2 * drawGamma(random, 0.5 * nu),
  centre: (nu) => nu,
});

/** alpha = (2 sigma² + mu²)/sigma², beta = mu (mu² + sigma²)/sigma². */
function inverseGammaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const [m2, s2] = [g.square(mu), g.square(sigma)];
  const beta = g.div(g.mul(mu, g.add(m2, s2)), s2);
  return [g.div(g.add(times(g, 2, s2), m2), s2), beta];
}

/** β^α x^(−α−1) e^(−β/x) / Γ(α). */
export const inverseGamma: FamilyDefinition = univariate({
  signature: {
    names: ["InverseGamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: { beta: 1 },
    domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
    forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: inverseGammaMoments }],
  },
  parameters: { alpha: "positive", beta: "positive" },
  most: { alpha: mostShape },
  support: "positive",
  density: (g, x, alpha, beta) => {
    const normaliser = g.sub(g.mul(alpha, logOf(g, beta)), g.map("lgamma", alpha));
    const kernel = g.add(g.mul(plus(g, alpha, 1), logOf(g, x)), g.div(beta, x));
    return g.sub(normaliser, kernel);
  },
  logCdf: (g, x, alpha, beta) => logChance(g, g.map("gammaincc", alpha, g.div(beta, x))),
  logSurvival: (g, x, alpha, beta) => logChance(g, g.map("gammainc", alpha, g.div(beta, x))),
  sample: (random, alpha, beta) => beta / drawGamma(random, alpha),
  centre: (alpha, beta) => beta / (alpha + 1),
});

/** Every positive number alike: improper. */
export const halfFlat: FamilyDefinition = univariate({
  signature: {
    names: ["HalfFlat"],
    positional: [],
    defaults: {},
    domains: {},
    forms: [direct()],
  },
  parameters: {},
  support: "non_negative",
  proper: false,
  density: (g) => g.scalar(0),
  sample: () => NaN,
});
