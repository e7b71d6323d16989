/** Families on the real line that lean to a side: Gumbel, Moyal, skew normal, ex-Gaussian and others. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { drawExponential, drawNormal, log } from "../../../numerics/math/mod.ts";
import type { FamilyDefinition } from "./family.ts";
import { logAddExp, logSubExp } from "./arrays.ts";
import { direct, plus, precision, scaled, standardised, times } from "./forms.ts";
import { halfLog2Pi, log2, normalDensity, normalLogCdf, normalLogSurvival } from "./real_line.ts";
import { logComplement } from "./powers.ts";
import { logOf } from "./stable_log.ts";
import { type Formula, univariate } from "./univariate.ts";

/** b / (κ + 1/κ) · e^(−b κ (x − μ)) above μ and e^(b (x − μ)/κ) below. */
export const asymmetricLaplace: FamilyDefinition = univariate({
  signature: {
    names: ["AsymmetricLaplace"],
    positional: ["kappa", "mu", "b", "q"],
    defaults: {},
    domains: { kappa: "positive", mu: "real", b: "positive", q: "open_unit" },
    forms: [direct("kappa", "mu", "b"), {
      names: ["mu", "b", "q"],
      canonical: (g, { mu, b, q }) => {
        const kappa = g.map("sqrt", g.div(q, g.sub(g.scalar(1), q)));
        return [kappa, mu, b];
      },
    }],
  },
  parameters: { kappa: "positive", mu: "real", b: "positive" },
  support: "real",
  density: (g, x, kappa, mu, b) => {
    const z = g.sub(x, mu);
    const other = g.div(g.scalar(1), kappa);
    const steepness = g.where(g.map("ge", z, g.scalar(0)), kappa, other);
    const normaliser = g.sub(logOf(g, b), g.log(g.add(kappa, other)));
    return g.sub(normaliser, g.mul(b, g.mul(g.map("abs", z), steepness)));
  },
  sample: (random, kappa, mu, b) =>
    mu + (drawExponential(random) / kappa - drawExponential(random) * kappa) / b,
});

/** e^−z, kept from overflowing far below. */
const gumbelExponent: Formula = (g, x, mu, beta) =>
  g.exp(g.map("minimum", standardised(g, mu, x, beta), g.scalar(700)));

/** The distribution of maxima: e^(−z − e^(−z)) / β, z = (x − μ)/β. */
export const gumbel: FamilyDefinition = univariate({
  signature: {
    names: ["Gumbel"],
    positional: ["mu", "beta"],
    defaults: {},
    domains: { mu: "real", beta: "positive" },
    forms: [direct("mu", "beta")],
  },
  parameters: { mu: "real", beta: "positive" },
  support: "real",
  density: (g, x, mu, beta) => {
    const z = standardised(g, x, mu, beta);
    return g.sub(g.neg(g.add(z, g.exp(g.neg(z)))), logOf(g, beta));
  },
  logCdf: (g, x, mu, beta) => g.neg(gumbelExponent(g, x, mu, beta)),
  logSurvival: (g, x, mu, beta) => logComplement(g, g.neg(gumbelExponent(g, x, mu, beta))),
  sample: (random, mu, beta) => mu - beta * log(drawExponential(random)),
  centre: (mu) => mu,
  spread: (_mu, beta) => beta,
  location: 0,
});

/** log(1 − erf(t)) for t ≥ 0, as the logarithm of a normal probability. */
const logErfc = (g: GraphBuilder, t: NodeId): NodeId =>
  plus(g, g.map("log_normal_cdf", times(g, -Math.SQRT2, t)), log2);

/** e^(−(z + e^(−z))/2) / (σ √2π), z = (x − μ)/σ. */
export const moyal: FamilyDefinition = univariate({
  signature: {
    names: ["Moyal"],
    positional: ["mu", "sigma"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: "real", sigma: "positive" },
    forms: [direct("mu", "sigma")],
  },
  parameters: { mu: "real", sigma: "positive" },
  support: "real",
  density: (g, x, mu, sigma) => {
    const z = standardised(g, x, mu, sigma);
    const kernel = times(g, -0.5, g.add(z, g.exp(g.neg(z))));
    return g.sub(kernel, plus(g, logOf(g, sigma), halfLog2Pi));
  },
  logCdf: (g, x, mu, sigma) => {
    const z = standardised(g, x, mu, sigma);
    return logErfc(g, times(g, Math.SQRT1_2, g.exp(times(g, -0.5, z))));
  },
  logSurvival: (g, x, mu, sigma) => {
    // Below −20 the error function is 1, and its argument would overflow.
    const z = g.map("maximum", standardised(g, x, mu, sigma), g.scalar(-20));
    return g.log(g.map("erf", times(g, Math.SQRT1_2, g.exp(times(g, -0.5, z)))));
  },
  // Minus the logarithm of a squared normal number.
  sample: (random, mu, sigma) => {
    const z = drawNormal(random);
    return mu - sigma * log(z * z);
  },
  centre: (mu) => mu,
  spread: (_mu, sigma) => sigma,
});

/** 2 φ(z) Φ(αz) / σ (Azzalini 1985). */
export const skewNormal: FamilyDefinition = univariate({
  signature: {
    names: ["SkewNormal"],
    positional: ["alpha", "mu", "sigma", "tau"],
    defaults: { alpha: 1, mu: 0, sigma: 1 },
    domains: { alpha: "real", mu: "real", sigma: "positive", tau: "positive" },
    forms: [
      direct("mu", "sigma", "alpha"),
      precision("tau", ["mu", "tau", "alpha"], ["mu", "sigma", "alpha"]),
    ],
  },
  parameters: { mu: "real", sigma: "positive", alpha: "real" },
  support: "real",
  density: (g, x, mu, sigma, alpha) => {
    const z = standardised(g, x, mu, sigma);
    const lean = g.map("log_normal_cdf", g.mul(alpha, z));
    const normaliser = plus(g, logOf(g, sigma), halfLog2Pi - log2);
    return g.sub(g.add(times(g, -0.5, g.square(z)), lean), normaliser);
  },
  peak: (_g, [mu, sigma]) => ({ centre: mu, scale: sigma }),
  sample: (random, mu, sigma, alpha) => {
    const delta = alpha / Math.sqrt(1 + alpha * alpha);
    const shared = Math.abs(drawNormal(random));
    return mu +
      sigma * (delta * shared + Math.sqrt(1 - delta * delta) * drawNormal(random));
  },
  centre: (mu) => mu,
  spread: (_mu, sigma) => sigma,
});

/** (μ − x)/ν + ½ (σ/ν)² + log Φ(z − σ/ν): the term of the exponential part. */
const exGaussianTail: Formula = (g, x, mu, sigma, nu) => {
  const ratio = g.div(sigma, nu);
  const z = standardised(g, x, mu, sigma);
  const shift = g.add(scaled(g, g.sub(mu, x), nu), times(g, 0.5, g.square(ratio)));
  return g.add(shift, g.map("log_normal_cdf", g.sub(z, ratio)));
};

/** PyMC takes the plain normal distribution where the exponential part is less than a twentieth of it. */
const exGaussianMatters = (g: GraphBuilder, sigma: NodeId, nu: NodeId): NodeId =>
  g.map("gt", nu, times(g, 0.05, sigma));

/** A normal number plus an exponential one of mean ν. */
export const exGaussian: FamilyDefinition = univariate({
  signature: {
    names: ["ExGaussian"],
    positional: ["mu", "sigma"],
    keywordOnly: ["nu"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: "real", sigma: "positive", nu: "positive" },
    forms: [direct("mu", "sigma", "nu")],
  },
  parameters: { mu: "real", sigma: "positive", nu: "positive" },
  support: "real",
  density: (g, x, mu, sigma, nu) => {
    const matters = exGaussianMatters(g, sigma, nu);
    const tail = g.sub(exGaussianTail(g, x, mu, sigma, nu), logOf(g, nu));
    return g.where(matters, tail, normalDensity(g, x, mu, sigma));
  },
  logCdf: (g, x, mu, sigma, nu) => {
    const whole = normalLogCdf(g, x, mu, sigma);
    const rest = exGaussianTail(g, x, mu, sigma, nu);
    return g.where(exGaussianMatters(g, sigma, nu), logSubExp(g, whole, rest), whole);
  },
  logSurvival: (g, x, mu, sigma, nu) => {
    const whole = normalLogSurvival(g, x, mu, sigma);
    const rest = exGaussianTail(g, x, mu, sigma, nu);
    return g.where(exGaussianMatters(g, sigma, nu), logAddExp(g, rest, whole), whole);
  },
  sample: (random, mu, sigma, nu) => mu + sigma * drawNormal(random) + nu * drawExponential(random),
  centre: (mu, _sigma, nu) => mu + nu,
});
