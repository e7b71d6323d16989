/** Families on the whole real line: normal, Student's t, Cauchy, Laplace and others. */
import type { GraphBuilder } from "../graph/builder.ts";
import type { NodeId } from "../graph/node.ts";
import { log } from "../math/elementary.ts";
import type { FamilyDefinition } from "./family.ts";
import { logAddExp, logSubExp } from "./arrays.ts";
import { direct, plus, precision, scaled, standardised, times } from "./forms.ts";
import { drawCauchy, drawExponential, drawNormal, drawStudentT } from "./samplers.ts";
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

/** log of the incomplete beta function that is Student's cdf at z. */
function studentLogCdf(g: GraphBuilder, z: NodeId, nu: NodeId): NodeId {
  const half = times(g, 0.5, nu);
  const size = g.map("sqrt", g.add(g.square(z), nu));
  // (z + s) / 2s; below 0 as ν / (2s (s − z)), which does not cancel.
  const above = g.div(g.add(z, size), times(g, 2, size));
  const below = g.div(nu, g.mul(times(g, 2, size), g.sub(size, z)));
  const x = g.where(g.map("ge", z, g.scalar(0)), above, below);
  return g.log(g.map("betainc", half, half, x));
}

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
  support: "real",
  density: (g, x, nu, mu, sigma) => {
    const kernel = studentKernel(g, standardised(g, x, mu, sigma), nu);
    return g.add(kernel, g.sub(studentNormaliser(g, nu), logOf(g, sigma)));
  },
  logCdf: (g, x, nu, mu, sigma) => studentLogCdf(g, standardised(g, x, mu, sigma), nu),
  logSurvival: (g, x, nu, mu, sigma) => studentLogCdf(g, standardised(g, mu, x, sigma), nu),
  sample: (random, nu, mu, sigma) => mu + sigma * drawStudentT(random, nu),
});

/** log(½ + atan(z)/π); below −1 by the arctangent of −1/z, which does not cancel. */
function cauchyLogCdf(g: GraphBuilder, z: NodeId): NodeId {
  const far = g.map("lt", z, g.scalar(-1));
  const safe = g.where(far, z, g.scalar(-1));
  const below = g.map("atan", g.neg(g.div(g.scalar(1), safe)));
  const above = plus(g, g.map("atan", z), Math.PI / 2);
  return plus(g, g.log(g.where(far, below, above)), -logPi);
}

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
});

/** log F of the standard Laplace law: log ½ + z below 0, log(1 − ½ e^−z) above. */
function laplaceLogCdf(g: GraphBuilder, z: NodeId): NodeId {
  const size = g.map("abs", z);
  const above = g.map("log1p", times(g, -0.5, g.exp(g.neg(size))));
  return g.where(g.map("le", z, g.scalar(0)), plus(g, z, -log2), above);
}

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
  sample: (random, mu, b) => mu + b * (drawExponential(random) - drawExponential(random)),
});

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
  sample: (random, mu, s) => {
    const u = random.uniform();
    return mu + s * (log(u) - log(1 - u));
  },
});

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
  logCdf: (g, x, mu, beta) => g.neg(g.exp(standardised(g, mu, x, beta))),
  logSurvival: (g, x, mu, beta) => g.map("log1mexp", g.neg(g.exp(standardised(g, mu, x, beta)))),
  sample: (random, mu, beta) => mu - beta * log(drawExponential(random)),
});

/** log(1 − erf(t)) for t ≥ 0, as the logarithm of a normal probability. */
const logErfc = (g: GraphBuilder, t: NodeId): NodeId =>
  plus(g, g.map("log_normal_cdf", times(g, -Math.SQRT2, t)), log2);

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
    const z = standardised(g, x, mu, sigma);
    return g.log(g.map("erf", times(g, Math.SQRT1_2, g.exp(times(g, -0.5, z)))));
  },
  // Minus the logarithm of a squared normal number.
  sample: (random, mu, sigma) => {
    const z = drawNormal(random);
    return mu - sigma * log(z * z);
  },
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
  sample: (random, mu, sigma, alpha) => {
    const delta = alpha / Math.sqrt(1 + alpha * alpha);
    const shared = Math.abs(drawNormal(random));
    return mu +
      sigma * (delta * shared + Math.sqrt(1 - delta * delta) * drawNormal(random));
  },
});

/** (μ − x)/ν + ½ (σ/ν)² + log Φ(z − σ/ν): what the exponential part adds. */
const exGaussianTail: Formula = (g, x, mu, sigma, nu) => {
  const ratio = g.div(sigma, nu);
  const z = standardised(g, x, mu, sigma);
  const shift = g.add(scaled(g, g.sub(mu, x), nu), times(g, 0.5, g.square(ratio)));
  return g.add(shift, g.map("log_normal_cdf", g.sub(z, ratio)));
};

/** PyMC takes the plain normal law where the exponential part is less than a twentieth of it. */
const exGaussianMatters = (g: GraphBuilder, sigma: NodeId, nu: NodeId): NodeId =>
  g.map("gt", nu, times(g, 0.05, sigma));

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
