/** Families on positive numbers: half normal, gamma, Weibull and others. */
import type { GraphBuilder } from "../graph/builder.ts";
import type { NodeId } from "../graph/node.ts";
import { exp, pow } from "../math/elementary.ts";
import type { FamilyDefinition, Given } from "./family.ts";
import { direct, plus, precision, scaled, standardised, times } from "./forms.ts";
import { logPower, unboundedPower } from "./powers.ts";
import { knownPositive } from "./range.ts";
import {
  halfLog2Pi,
  log2,
  logPi,
  normalLogCdf,
  normalLogSurvival,
  studentKernel,
  studentNormaliser,
} from "./real_line.ts";
import {
  drawCauchy,
  drawExponential,
  drawGamma,
  drawNormal,
  drawStudentT,
  drawWald,
} from "./samplers.ts";
import { logOf } from "./stable_log.ts";
import { univariate } from "./univariate.ts";

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
});

/** −½ z² − log σ − ½ log 2π − log x, z = (log x − μ)/σ. */
export function logNormalDensity(g: GraphBuilder, x: NodeId, mu: NodeId, sigma: NodeId): NodeId {
  const logX = logOf(g, x);
  const kernel = times(g, -0.5, g.square(standardised(g, logX, mu, sigma)));
  return g.sub(g.sub(kernel, logX), plus(g, logOf(g, sigma), halfLog2Pi));
}

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
});

export const halfStudentT: FamilyDefinition = univariate({
  signature: {
    names: ["HalfStudentT"],
    positional: ["nu", "sigma", "lam"],
    defaults: { sigma: 1 },
    domains: { nu: "positive", sigma: "positive", lam: "positive" },
    forms: [direct("nu", "sigma"), precision("lam", ["nu", "lam"], ["nu", "sigma"])],
  },
  parameters: { nu: "positive", sigma: "positive" },
  support: "non_negative",
  density: (g, x, nu, sigma) => {
    const normaliser = plus(g, g.sub(studentNormaliser(g, nu), logOf(g, sigma)), log2);
    return g.add(studentKernel(g, scaled(g, x, sigma), nu), normaliser);
  },
  sample: (random, nu, sigma) => sigma * Math.abs(drawStudentT(random, nu)),
});

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
});

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
  logCdf: (g, x, lam) => g.map("log1mexp", g.neg(g.mul(lam, x))),
  logSurvival: (g, x, lam) => g.neg(g.mul(lam, x)),
  sample: (random, lam) => drawExponential(random) / lam,
});

/** Gamma by mean and deviation: alpha = mu²/sigma², beta = mu/sigma². */
export function gammaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const variance = g.square(sigma);
  return [g.div(g.square(mu), variance), g.div(mu, variance)];
}

/** α log β − lgamma(α) + (α − 1) log x − β x. */
export function gammaDensity(g: GraphBuilder, x: NodeId, alpha: NodeId, beta: NodeId): NodeId {
  const normaliser = g.sub(g.mul(alpha, logOf(g, beta)), g.map("lgamma", alpha));
  const kernel = g.sub(logPower(g, x, plus(g, alpha, -1)), g.mul(beta, x));
  return g.add(kernel, normaliser);
}

/** Signature of the gamma law, which its hurdle law shares. */
export const gammaForms = [direct("alpha", "beta"), {
  names: ["mu", "sigma"],
  canonical: gammaMoments,
}];

export const gamma: FamilyDefinition = univariate({
  signature: {
    names: ["Gamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: {},
    domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
    forms: gammaForms,
  },
  parameters: { alpha: "positive", beta: "positive" },
  support: "non_negative",
  density: gammaDensity,
  logCdf: (g, x, alpha, beta) => g.log(g.map("gammainc", alpha, g.mul(beta, x))),
  logSurvival: (g, x, alpha, beta) => g.log(g.map("gammaincc", alpha, g.mul(beta, x))),
  sample: (random, alpha, beta) => drawGamma(random, alpha) / beta,
});

export const chiSquared: FamilyDefinition = univariate({
  signature: {
    names: ["ChiSquared"],
    positional: ["nu"],
    defaults: {},
    domains: { nu: "positive" },
    forms: [direct("nu")],
  },
  parameters: { nu: "positive" },
  support: "non_negative",
  density: (g, x, nu) => gammaDensity(g, x, times(g, 0.5, nu), g.scalar(0.5)),
  logCdf: (g, x, nu) => g.log(g.map("gammainc", times(g, 0.5, nu), times(g, 0.5, x))),
  logSurvival: (g, x, nu) => g.log(g.map("gammaincc", times(g, 0.5, nu), times(g, 0.5, x))),
  sample: (random, nu) => 2 * drawGamma(random, 0.5 * nu),
});

/** alpha = (2 sigma² + mu²)/sigma², beta = mu (mu² + sigma²)/sigma². */
function inverseGammaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const [m2, s2] = [g.square(mu), g.square(sigma)];
  const beta = g.div(g.mul(mu, g.add(m2, s2)), s2);
  return [g.div(g.add(times(g, 2, s2), m2), s2), beta];
}

export const inverseGamma: FamilyDefinition = univariate({
  signature: {
    names: ["InverseGamma"],
    positional: ["alpha", "beta", "mu", "sigma"],
    defaults: { beta: 1 },
    domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
    forms: [direct("alpha", "beta"), { names: ["mu", "sigma"], canonical: inverseGammaMoments }],
  },
  parameters: { alpha: "positive", beta: "positive" },
  support: "positive",
  density: (g, x, alpha, beta) => {
    const normaliser = g.sub(g.mul(alpha, logOf(g, beta)), g.map("lgamma", alpha));
    const kernel = g.add(g.mul(plus(g, alpha, 1), logOf(g, x)), g.div(beta, x));
    return g.sub(normaliser, kernel);
  },
  logCdf: (g, x, alpha, beta) => g.log(g.map("gammaincc", alpha, g.div(beta, x))),
  logSurvival: (g, x, alpha, beta) => g.log(g.map("gammainc", alpha, g.div(beta, x))),
  sample: (random, alpha, beta) => beta / drawGamma(random, alpha),
});

/** (x/β)^α; 0 at 0, with a slope. */
function weibullExponent(g: GraphBuilder, x: NodeId, alpha: NodeId, beta: NodeId): NodeId {
  const power = (x: NodeId) => g.exp(g.mul(alpha, g.sub(logOf(g, x), logOf(g, beta))));
  if (knownPositive(g, x)) return power(x);
  const outside = g.map("le", x, g.scalar(0));
  return g.where(outside, g.scalar(0), power(g.where(outside, g.scalar(1), x)));
}

export const weibull: FamilyDefinition = univariate({
  signature: {
    names: ["Weibull"],
    positional: ["alpha", "beta"],
    defaults: {},
    domains: { alpha: "positive", beta: "positive" },
    forms: [direct("alpha", "beta")],
  },
  parameters: { alpha: "positive", beta: "positive" },
  support: "non_negative",
  density: (g, x, alpha, beta) => {
    const kernel = g.sub(
      unboundedPower(g, x, plus(g, alpha, -1)),
      weibullExponent(g, x, alpha, beta),
    );
    return g.add(kernel, g.sub(logOf(g, alpha), g.mul(alpha, logOf(g, beta))));
  },
  logCdf: (g, x, alpha, beta) => g.map("log1mexp", g.neg(weibullExponent(g, x, alpha, beta))),
  logSurvival: (g, x, alpha, beta) => g.neg(weibullExponent(g, x, alpha, beta)),
  sample: (random, alpha, beta) => beta * pow(drawExponential(random), 1 / alpha),
});

export const wald: FamilyDefinition = univariate({
  signature: {
    names: ["Wald"],
    positional: ["mu", "lam", "phi", "alpha"],
    defaults: { alpha: 0 },
    domains: { mu: "positive", lam: "positive", phi: "positive", alpha: "non_negative" },
    forms: [
      direct("mu", "lam", "alpha"),
      { names: ["mu", "alpha"], canonical: (g, { mu, alpha }) => [mu, g.scalar(1), alpha] },
      {
        names: ["mu", "phi", "alpha"],
        canonical: (g, { mu, phi, alpha }) => [mu, g.mul(mu, phi), alpha],
      },
      {
        names: ["lam", "phi", "alpha"],
        canonical: (g, { lam, phi, alpha }) => [g.div(lam, phi), lam, alpha],
      },
    ],
  },
  parameters: { mu: "positive", lam: "positive", alpha: "non_negative" },
  support: "positive",
  conditions: (g, x, _mu, _lam, alpha) => g.constantOf(alpha) === 0 ? [] : [g.map("gt", x, alpha)],
  ends: (_g, _mu, _lam, alpha) => ({ lower: alpha }),
  density: (g, x, mu, lam, alpha) => {
    const c = g.sub(x, alpha);
    const pull = plus(g, g.div(c, mu), -1);
    const kernel = g.mul(times(g, 0.5, lam), g.div(g.square(pull), c));
    const normaliser = plus(g, times(g, 0.5, logOf(g, lam)), -halfLog2Pi);
    return g.sub(g.sub(normaliser, times(g, 1.5, logOf(g, c))), kernel);
  },
  logCdf: (g, x, mu, lam, alpha) => {
    const { near, far } = waldParts(g, x, mu, lam, alpha);
    return g.add(near, g.map("softplus", g.sub(far, near)));
  },
  logSurvival: (g, x, mu, lam, alpha) => {
    const { above, far } = waldParts(g, x, mu, lam, alpha);
    return g.add(above, g.map("log1mexp", g.sub(far, above)));
  },
  sample: (random, mu, lam, alpha) => alpha + drawWald(random, mu, lam),
});

/** log Φ((q−1)/r), log Φ((1−q)/r) and 2λ/μ + log Φ(−(q+1)/r) of the inverse Gaussian cdf. */
function waldParts(g: GraphBuilder, x: NodeId, mu: NodeId, lam: NodeId, alpha: NodeId) {
  const c = g.sub(x, alpha);
  const q = g.div(c, mu);
  const rate = g.map("sqrt", g.div(lam, c));
  const cdf = (z: NodeId) => g.map("log_normal_cdf", z);
  const near = g.mul(plus(g, q, -1), rate);
  return {
    near: cdf(near),
    above: cdf(g.neg(near)),
    far: g.add(g.div(times(g, 2, lam), mu), cdf(g.neg(g.mul(plus(g, q, 1), rate)))),
  };
}

export const pareto: FamilyDefinition = univariate({
  signature: {
    names: ["Pareto"],
    positional: ["alpha", "m"],
    defaults: {},
    domains: { alpha: "positive", m: "positive" },
    forms: [direct("alpha", "m")],
  },
  parameters: { alpha: "positive", m: "positive" },
  support: "interval",
  conditions: (g, x, _alpha, m) => [g.map("ge", x, m)],
  ends: (_g, _alpha, m) => ({ lower: m }),
  transform: (g, { args }) => ({
    kind: "interval",
    lower: args[1],
    upper: g.scalar(Infinity),
  }),
  density: (g, x, alpha, m) => {
    const logX = logOf(g, x);
    const kernel = g.mul(alpha, g.sub(logOf(g, m), logX));
    return g.add(g.sub(kernel, logX), logOf(g, alpha));
  },
  logCdf: (g, x, alpha, m) => g.map("log1mexp", g.mul(alpha, g.sub(logOf(g, m), logOf(g, x)))),
  logSurvival: (g, x, alpha, m) => g.mul(alpha, g.sub(logOf(g, m), logOf(g, x))),
  sample: (random, alpha, m) => m * exp(drawExponential(random) / alpha),
});

export const rice: FamilyDefinition = univariate({
  signature: {
    names: ["Rice"],
    positional: ["nu", "sigma", "b"],
    defaults: { sigma: 1 },
    domains: { nu: "non_negative", sigma: "positive", b: "non_negative" },
    forms: [
      { names: ["nu", "sigma"], canonical: (g, { nu, sigma }) => [g.div(nu, sigma), sigma] },
      direct("b", "sigma"),
    ],
  },
  parameters: { b: "non_negative", sigma: "positive" },
  support: "positive",
  density: (g, x, b, sigma) => {
    const z = scaled(g, x, sigma);
    // log I₀(zb) − ½ (z² + b²)
    const squares = times(g, 0.5, g.add(g.square(z), g.square(b)));
    const kernel = g.sub(g.map("log_i0", g.mul(z, b)), squares);
    return g.add(g.add(kernel, logOf(g, x)), times(g, -2, logOf(g, sigma)));
  },
  sample: (random, b, sigma) => {
    const [x, y] = [b + drawNormal(random), drawNormal(random)];
    return sigma * Math.sqrt(x * x + y * y);
  },
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
