/** Families of counts: Bernoulli, binomial, Poisson, negative binomial and others. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import { sizeOf } from "../ir/shape.ts";
import {
  drawBeta,
  drawBinomial,
  drawGeometric,
  drawHypergeometric,
  drawNegativeBinomial,
  drawPoisson,
  log,
  pow,
} from "../../../numerics/math/mod.ts";
import type { FamilyDefinition, Form, Given } from "./family.ts";
import { complement, direct, inverse, plus } from "./forms.ts";
import {
  lgammaShifted,
  logBeta,
  logBinomial,
  logChance,
  logComplement,
  logFactorial,
  logPower,
  logPower1m,
} from "./powers.ts";
import { knownPositive } from "./range.ts";
import { mostShape } from "./reach.ts";
import { log1mOf, logitOf, logOf, structuralLog, structuralLog1m } from "./stable_log.ts";
import { univariate } from "./univariate.ts";

/** y u − log(1 + e^u): the Bernoulli distribution by its logit. */
function bernoulliByLogit(g: GraphBuilder, y: NodeId, u: NodeId): NodeId {
  return g.sub(g.mul(y, u), g.map("softplus", u));
}

/** log p where y is 1 and log(1 − p) where it is 0, in the form that suits p. */
function bernoulliDensity(g: GraphBuilder, y: NodeId, p: NodeId): NodeId {
  const u = logitOf(g, p);
  if (u !== undefined) return bernoulliByLogit(g, y, u);
  const known = structuralLog(g, p) !== undefined || structuralLog1m(g, p) !== undefined;
  if (known || sizeOf(g.shapeOf(p)) < sizeOf(g.shapeOf(y))) {
    return g.where(y, logOf(g, p), log1mOf(g, p));
  }
  return g.log(g.where(y, p, complement(g, p)));
}

/** p for 1, 1 − p for 0. */
export const bernoulli: FamilyDefinition = univariate({
  signature: {
    names: ["Bernoulli"],
    positional: ["p", "logit_p"],
    defaults: {},
    domains: { p: "unit", logit_p: "real" },
    forms: [direct("p"), {
      names: ["logit_p"],
      canonical: (g, given) => [g.map("sigmoid", given.logit_p)],
    }],
  },
  parameters: { p: "unit" },
  support: "binary",
  discrete: true,
  density: bernoulliDensity,
  logCdf: (g, _y, p) => log1mOf(g, p),
  logSurvival: (g, _y, p) => logOf(g, p),
  sample: (random, p) => random.uniform() < p ? 1 : 0,
  mean: (p) => p,
});

/** log (p^k (1 − p)^m), in the form that suits p. */
function logTrials(g: GraphBuilder, k: NodeId, m: NodeId, p: NodeId): NodeId {
  const u = logitOf(g, p);
  if (u === undefined) return g.add(logPower(g, p, k), logPower1m(g, p, m));
  return g.sub(g.mul(k, u), g.mul(g.add(k, m), g.map("softplus", u)));
}

/** The number of successes in n trials. */
export const binomial: FamilyDefinition = univariate({
  signature: {
    names: ["Binomial"],
    positional: ["n", "p", "logit_p"],
    defaults: {},
    domains: { n: "count", p: "unit", logit_p: "real" },
    forms: [direct("n", "p"), {
      names: ["n", "logit_p"],
      canonical: (g, given) => [given.n, g.map("sigmoid", given.logit_p)],
    }],
  },
  parameters: { n: "count", p: "unit" },
  most: { n: mostShape },
  support: "bounded_count",
  discrete: true,
  ends: (g, n) => ({ lower: g.scalar(0), upper: n }),
  conditions: (g, y, n) => [g.map("le", y, n)],
  density: (g, y, n, p) => g.add(logTrials(g, y, g.sub(n, y), p), logBinomial(g, n, y)),
  logCdf: (g, y, n, p) =>
    logChance(g, g.map("betainc", g.sub(n, y), plus(g, y, 1), complement(g, p))),
  logSurvival: (g, y, n, p) => logChance(g, g.map("betainc", plus(g, y, 1), g.sub(n, y), p)),
  sample: drawBinomial,
  mean: (n, p) => n * p,
});

/** y log μ − μ − log y!; a mean of 0 has all its mass at 0. */
export function poissonDensity(g: GraphBuilder, y: NodeId, mu: NodeId): NodeId {
  return g.sub(g.sub(logPower(g, mu, y), mu), logFactorial(g, y));
}

/** μ^y e^(−μ) / y!. */
export const poisson: FamilyDefinition = univariate({
  signature: {
    names: ["Poisson"],
    positional: ["mu"],
    defaults: {},
    domains: { mu: "non_negative" },
    forms: [direct("mu")],
  },
  parameters: { mu: "non_negative" },
  support: "count",
  discrete: true,
  density: poissonDensity,
  logCdf: (g, y, mu) => logChance(g, g.map("gammaincc", plus(g, y, 1), mu)),
  logSurvival: (g, y, mu) => logChance(g, g.map("gammainc", plus(g, y, 1), mu)),
  sample: drawPoisson,
  mean: (mu) => mu,
});

/** By success probability: mu = n (1 − p)/p, alpha = n. */
function byChance(shape: "n" | "alpha"): Form {
  return {
    names: ["p", shape],
    canonical: (g, given: Given) => {
      const mu = g.div(g.mul(given[shape], complement(g, given.p)), given.p);
      return [mu, given[shape]];
    },
  };
}

/** Parametrisations of the negative binomial distribution, which other distributions share. */
export const negativeBinomialForms: readonly Form[] = [
  direct("mu", "alpha"),
  direct("mu", "n"),
  byChance("n"),
  byChance("alpha"),
];

/** log Γ(y+α)/(y! Γ(α)) + y log(μ/α) − (y + α) log(1 + μ/α). */
export function negativeBinomialDensity(
  g: GraphBuilder,
  y: NodeId,
  mu: NodeId,
  alpha: NodeId,
): NodeId {
  const tail = g.map("log1p", g.mul(mu, inverse(g, alpha)));
  const kernel = g.sub(g.mul(y, logOf(g, mu)), g.mul(g.add(y, alpha), tail));
  const choose = g.sub(lgammaShifted(g, y, alpha), logFactorial(g, y));
  const perShape = g.add(g.mul(y, logOf(g, alpha)), g.map("lgamma", alpha));
  return g.add(g.sub(kernel, perShape), choose);
}

/** The chance of success, α/(α + μ). */
const chance = (g: GraphBuilder, mu: NodeId, alpha: NodeId): NodeId =>
  g.div(alpha, g.add(alpha, mu));

/** Γ(y+α) / (y! Γ(α)) (α/(μ+α))^α (μ/(μ+α))^y: variance μ + μ²/α. */
export const negativeBinomial: FamilyDefinition = univariate({
  signature: {
    names: ["NegativeBinomial"],
    positional: ["mu", "alpha", "p", "n"],
    defaults: {},
    domains: { mu: "positive", alpha: "positive", p: "open_unit", n: "positive" },
    forms: negativeBinomialForms,
  },
  parameters: { mu: "positive", alpha: "positive" },
  most: { alpha: mostShape },
  support: "count",
  discrete: true,
  density: negativeBinomialDensity,
  logCdf: (g, y, mu, alpha) =>
    logChance(g, g.map("betainc", alpha, plus(g, y, 1), chance(g, mu, alpha))),
  logSurvival: (g, y, mu, alpha) =>
    logChance(g, g.map("betainc", plus(g, y, 1), alpha, chance(g, alpha, mu))),
  sample: drawNegativeBinomial,
  mean: (mu) => mu,
});

/** The number of trials to the first success: p (1 − p)^(y−1). */
export const geometric: FamilyDefinition = univariate({
  signature: {
    names: ["Geometric"],
    positional: ["p"],
    defaults: {},
    domains: { p: "unit" },
    forms: [direct("p")],
  },
  parameters: { p: "unit" },
  support: "count",
  discrete: true,
  ends: (g) => ({ lower: g.scalar(1) }),
  conditions: (g, y) => [g.map("ge", y, g.scalar(1))],
  density: (g, y, p) => g.add(logOf(g, p), logPower1m(g, p, plus(g, y, -1))),
  logCdf: (g, y, p) => logComplement(g, g.mul(y, log1mOf(g, p))),
  logSurvival: (g, y, p) => g.mul(y, log1mOf(g, p)),
  sample: drawGeometric,
});

/** The number of marked ones among n drawn from N of which k are marked. */
export const hypergeometric: FamilyDefinition = univariate({
  signature: {
    names: ["HyperGeometric"],
    positional: ["N", "k", "n"],
    defaults: {},
    domains: { N: "count", k: "count", n: "count" },
    forms: [direct("N", "k", "n")],
  },
  parameters: { N: "count", k: "count", n: "count" },
  most: { N: mostShape },
  support: "count",
  discrete: true,
  conditions: (g, y, N, k, n) => [
    g.map("ge", y, g.sub(g.add(n, k), N)),
    g.map("le", y, k),
    g.map("le", y, n),
  ],
  density: (g, y, N, k, n) => {
    const chosen = g.add(
      logBinomial(g, k, y),
      logBinomial(g, g.sub(N, k), g.sub(n, y)),
    );
    return g.sub(chosen, logBinomial(g, N, n));
  },
  sample: drawHypergeometric,
});

/** Binomial with a chance that is Beta(α, β). */
export const betaBinomial: FamilyDefinition = univariate({
  signature: {
    names: ["BetaBinomial"],
    positional: ["alpha", "beta", "n"],
    defaults: {},
    domains: { alpha: "positive", beta: "positive", n: "count" },
    forms: [direct("n", "alpha", "beta")],
  },
  parameters: { n: "count", alpha: "positive", beta: "positive" },
  most: { n: mostShape, alpha: mostShape, beta: mostShape },
  support: "bounded_count",
  discrete: true,
  conditions: (g, y, n) => [g.map("le", y, n)],
  density: (g, y, n, alpha, beta) => {
    const successes = lgammaShifted(g, y, alpha);
    const failures = lgammaShifted(g, g.sub(n, y), beta);
    const trials = lgammaShifted(g, n, g.add(alpha, beta));
    const posterior = g.sub(g.add(successes, failures), trials);
    return g.add(g.sub(posterior, logBeta(g, alpha, beta)), logBinomial(g, n, y));
  },
  mean: (n, alpha, beta) => n * alpha / (alpha + beta),
  sample: (random, n, alpha, beta) => drawBinomial(random, n, drawBeta(random, alpha, beta)),
});

/** Whole numbers from lower to upper alike. */
export const discreteUniform: FamilyDefinition = univariate({
  signature: {
    names: ["DiscreteUniform"],
    positional: ["lower", "upper"],
    defaults: {},
    domains: { lower: "real", upper: "real" },
    forms: [{
      names: ["lower", "upper"],
      canonical: (g, { lower, upper }) => [g.map("floor", lower), g.map("floor", upper)],
    }],
  },
  parameters: { lower: "real", upper: "real" },
  support: "interval",
  discrete: true,
  transform: () => ({ kind: "identity" }),
  ends: (_g, lower, upper) => ({ lower, upper }),
  consistent: (g, lower, upper) => [g.map("le", lower, upper)],
  conditions: (g, y, lower, upper) => [g.map("ge", y, lower), g.map("le", y, upper)],
  density: (g, _y, lower, upper) => g.neg(g.log(plus(g, g.sub(upper, lower), 1))),
  logCdf: (g, y, lower, upper) =>
    g.log(g.div(plus(g, g.sub(y, lower), 1), plus(g, g.sub(upper, lower), 1))),
  logSurvival: (g, y, lower, upper) =>
    g.log(g.div(g.sub(upper, y), plus(g, g.sub(upper, lower), 1))),
  sample: (random, lower, upper) => lower + random.below(upper - lower + 1),
});

/** q^(y^β) − q^((y+1)^β) (Nakagawa and Osaki 1975). */
export const discreteWeibull: FamilyDefinition = univariate({
  signature: {
    names: ["DiscreteWeibull"],
    positional: ["q", "beta"],
    defaults: {},
    domains: { q: "open_unit", beta: "positive" },
    forms: [direct("q", "beta")],
  },
  parameters: { q: "open_unit", beta: "positive" },
  support: "count",
  discrete: true,
  density: (g, y, q, beta) => {
    const logQ = logOf(g, q);
    const here = countPower(g, y, beta);
    const step = g.sub(countPower(g, plus(g, y, 1), beta), here);
    return g.add(g.mul(here, logQ), g.map("log1mexp", g.mul(step, logQ)));
  },
  // With q^(e^90) nothing is left above, and its power would overflow.
  logCdf: (g, y, q, beta) => {
    const logPower = g.mul(beta, g.log(plus(g, y, 1)));
    const power = g.exp(g.map("minimum", logPower, g.scalar(90)));
    return logComplement(g, g.mul(power, logOf(g, q)));
  },
  logSurvival: (g, y, q, beta) => g.mul(countPower(g, plus(g, y, 1), beta), logOf(g, q)),
  sample: (random, q, beta) => Math.ceil(pow(log(random.uniform()) / log(q), 1 / beta)) - 1,
});

/** y^β for counts; 0 stays 0, with a slope. */
function countPower(g: GraphBuilder, y: NodeId, beta: NodeId): NodeId {
  if (knownPositive(g, y)) return g.exp(g.mul(beta, g.log(y)));
  const isZero = g.map("eq", y, g.scalar(0));
  const safe = g.where(isZero, g.scalar(1), y);
  return g.where(isZero, g.scalar(0), g.exp(g.mul(beta, g.log(safe))));
}
