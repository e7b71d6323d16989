/** Families on an interval or a circle: beta, uniform, truncated normal, von Mises and others. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import type { Transform } from "../ir/program.ts";
import {
  drawBeta,
  drawNormal,
  drawVonMises,
  exp,
  log1p,
  logNormalCdf,
  normalCdf,
  normalQuantile,
  pow,
  sigmoid,
} from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { FamilyDefinition, Given } from "./family.ts";
import { complement, direct, plus, precision, standardised, times } from "./forms.ts";
import { ascending, atLeast, atMost } from "./guard.ts";
import { logChance, logComplement, unboundedPower, unboundedPower1m } from "./powers.ts";
import { knownPositive, rangeOf } from "./range.ts";
import { leastWidth, mostAngle, mostDistance, mostShape } from "./reach.ts";
import { halfLog2Pi, log2, logPi, normalDensity } from "./real_line.ts";
import { log1mOf, logitOf, logOf } from "./stable_log.ts";
import { univariate } from "./univariate.ts";

/** Beta by mean and concentration: alpha = mu nu, beta = (1 − mu) nu. */
function betaConcentration(g: GraphBuilder, { mu, nu }: Given): readonly NodeId[] {
  return [g.mul(mu, nu), g.mul(complement(g, mu), nu)];
}

/** Beta by mean and deviation: nu = mu (1 − mu)/sigma² − 1. */
function betaMoments(g: GraphBuilder, { mu, sigma }: Given): readonly NodeId[] {
  const spread = g.mul(mu, complement(g, mu));
  return betaConcentration(g, { mu, nu: plus(g, g.div(spread, g.square(sigma)), -1) });
}

/** x^(α−1) (1 − x)^(β−1) / B(α, β). */
export const beta: FamilyDefinition = univariate({
  signature: {
    names: ["Beta"],
    positional: ["alpha", "beta", "mu", "sigma", "nu"],
    defaults: {},
    domains: {
      alpha: "positive",
      beta: "positive",
      mu: "open_unit",
      sigma: "positive",
      nu: "positive",
    },
    forms: [
      direct("alpha", "beta"),
      { names: ["mu", "sigma"], canonical: betaMoments },
      { names: ["mu", "nu"], canonical: betaConcentration },
    ],
  },
  parameters: { alpha: "positive", beta: "positive" },
  most: { alpha: mostShape, beta: mostShape },
  support: "unit",
  density: (g, x, alpha, b) => {
    const low = unboundedPower(g, x, plus(g, alpha, -1));
    const high = unboundedPower1m(g, x, plus(g, b, -1));
    const kernel = g.add(low, high);
    const parts = g.add(g.map("lgamma", alpha), g.map("lgamma", b));
    return g.add(kernel, g.sub(g.map("lgamma", g.add(alpha, b)), parts));
  },
  logCdf: (g, x, alpha, b) => logChance(g, g.map("betainc", alpha, b, x)),
  logSurvival: (g, x, alpha, b) => logChance(g, g.map("betainc", b, alpha, complement(g, x))),
  sample: drawBeta,
  mean: (alpha, beta) => alpha / (alpha + beta),
  centre: (alpha, beta) => alpha / (alpha + beta),
});

/** a b x^(a−1) (1 − x^a)^(b−1). */
export const kumaraswamy: FamilyDefinition = univariate({
  signature: {
    names: ["Kumaraswamy"],
    positional: ["a", "b"],
    defaults: {},
    domains: { a: "positive", b: "positive" },
    forms: [direct("a", "b")],
  },
  parameters: { a: "positive", b: "positive" },
  support: "unit",
  density: (g, x, a, b) => {
    const logX = logOf(g, x);
    const rest = g.map("log1mexp", g.mul(a, logX));
    const kernel = g.add(g.mul(plus(g, a, -1), logX), g.mul(plus(g, b, -1), rest));
    return g.add(kernel, g.add(logOf(g, a), logOf(g, b)));
  },
  logCdf: (g, x, a, b) => logComplement(g, g.mul(b, logComplement(g, g.mul(a, logOf(g, x))))),
  logSurvival: (g, x, a, b) => g.mul(b, logComplement(g, g.mul(a, logOf(g, x)))),
  sample: (random, a, b) => pow(1 - pow(random.uniform(), 1 / b), 1 / a),
});

/** log(x / (1 − x)), through a logistic function if x is one. */
function logit(g: GraphBuilder, x: NodeId): NodeId {
  return logitOf(g, x) ?? g.sub(logOf(g, x), log1mOf(g, x));
}

/** A number whose log odds are normal. */
export const logitNormal: FamilyDefinition = univariate({
  signature: {
    names: ["LogitNormal"],
    positional: ["mu", "sigma", "tau"],
    defaults: { mu: 0, sigma: 1 },
    domains: { mu: "real", sigma: "positive", tau: "positive" },
    forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
  },
  parameters: { mu: "real", sigma: "positive" },
  support: "open_unit",
  density: (g, x, mu, sigma) => {
    const kernel = normalDensity(g, logit(g, x), mu, sigma);
    return g.sub(g.sub(kernel, logOf(g, x)), log1mOf(g, x));
  },
  logCdf: (g, x, mu, sigma) => g.map("log_normal_cdf", standardised(g, logit(g, x), mu, sigma)),
  logSurvival: (g, x, mu, sigma) =>
    g.map("log_normal_cdf", standardised(g, mu, logit(g, x), sigma)),
  sample: (random, mu, sigma) => sigmoid(mu + sigma * drawNormal(random)),
  centre: (mu) => 1 / (1 + exp(-mu)),
  spread: (_mu, sigma) => sigma,
});

const between = (lower: NodeId, upper: NodeId): Transform => ({ kind: "interval", lower, upper });

/** 1 / (upper − lower) between the bounds. */
export const uniform: FamilyDefinition = univariate({
  signature: {
    names: ["Uniform"],
    positional: ["lower", "upper"],
    defaults: { lower: 0, upper: 1 },
    domains: { lower: "real", upper: "real" },
    forms: [direct("lower", "upper")],
  },
  parameters: { lower: "real", upper: "real" },
  support: "interval",
  transform: (_g, { args }) => between(args[0], args[1]),
  ends: (_g, lower, upper) => ({ lower, upper }),
  consistent: (g, lower, upper) => [g.map("le", lower, upper)],
  conditions: (g, x, lower, upper) => within(g, x, lower, upper),
  density: (g, _x, lower, upper) => g.neg(g.log(g.sub(upper, lower))),
  logCdf: (g, x, lower, upper) => g.log(g.div(g.sub(x, lower), g.sub(upper, lower))),
  logSurvival: (g, x, lower, upper) => g.log(g.div(g.sub(upper, x), g.sub(upper, lower))),
  sample: (random, lower, upper) => lower + (upper - lower) * random.uniform(),
  centre: (lower, upper) => (lower + upper) / 2,
});

/** lower ≤ x ≤ upper, but for what the construction of x by the interval transform ensures. */
function within(g: GraphBuilder, x: NodeId, lower: NodeId, upper: NodeId): NodeId[] {
  const [a, b, inside] = [rangeOf(g, lower), rangeOf(g, upper), rangeOf(g, x)];
  const conditions: NodeId[] = [];
  if (isScaledUnit(g, x, lower, upper)) return conditions;
  if (!(inside.low >= a.high)) conditions.push(g.map("ge", x, lower));
  if (!(inside.high <= b.low)) conditions.push(g.map("le", x, upper));
  return conditions;
}

/** Whether x is lower + (upper − lower) σ(q), or lower + e^q, or upper − e^q. */
function isScaledUnit(g: GraphBuilder, x: NodeId, lower: NodeId, upper: NodeId): boolean {
  const node = g.nodes[x];
  if (node.kind !== "map") return false;
  const [p, q] = node.args;
  if (node.op === "sub") {
    return p === upper && rangeOf(g, lower).high === -Infinity && knownPositive(g, q);
  }
  if (node.op !== "add" || !(p === lower || q === lower)) return false;
  const rest = g.nodes[p === lower ? q : p];
  if (rangeOf(g, upper).low === Infinity) return knownPositive(g, p === lower ? q : p);
  if (rest.kind !== "map" || rest.op !== "mul") return false;
  const width = g.sub(upper, lower);
  const unit = rest.args[0] === width ? rest.args[1] : rest.args[0];
  return rest.args.includes(width) && logitOf(g, unit) !== undefined;
}

/** Rises linearly from lower to c and falls to upper. */
export const triangular: FamilyDefinition = univariate({
  signature: {
    names: ["Triangular"],
    positional: ["lower", "upper", "c"],
    defaults: { lower: 0, upper: 1, c: 0.5 },
    domains: { lower: "real", upper: "real", c: "real" },
    forms: [direct("lower", "upper", "c")],
  },
  parameters: { lower: "real", upper: "real", c: "real" },
  support: "interval",
  transform: (_g, { args }) => between(args[0], args[1]),
  ends: (_g, lower, upper) => ({ lower, upper }),
  consistent: (g, lower, upper, c) => [g.map("le", lower, c), g.map("le", c, upper)],
  conditions: (g, x, lower, upper) => within(g, x, lower, upper),
  density: (g, x, lower, upper, c) => {
    const rises = g.map("lt", x, c);
    const height = g.where(rises, g.sub(x, lower), g.sub(upper, x));
    const run = g.where(rises, g.sub(c, lower), g.sub(upper, c));
    return plus(g, g.log(g.div(height, g.mul(g.sub(upper, lower), run))), log2);
  },
  logCdf: (g, x, lower, upper, c) => {
    const { rises, near, far } = triangularLogs(g, x, lower, upper, c);
    return g.where(rises, near, far);
  },
  logSurvival: (g, x, lower, upper, c) => {
    const { rises, near, far } = triangularLogs(g, x, lower, upper, c);
    return g.where(rises, far, near);
  },
  sample: (random, lower, upper, c) => {
    const u = random.uniform();
    const width = upper - lower;
    return u * width < c - lower
      ? lower + Math.sqrt(u * width * (c - lower))
      : upper - Math.sqrt((1 - u) * width * (upper - c));
  },
  centre: (lower, upper, c) => (lower + upper + c) / 3,
});

/**
 * The logarithms of the mass between x and the end of its side (left of x where the density rises), and of
 * the rest. Both are of one share that is chosen first, so that no branch which is not taken has an
 * infinite slope.
 */
function triangularLogs(g: GraphBuilder, x: NodeId, lower: NodeId, upper: NodeId, c: NodeId) {
  const rises = g.map("le", x, c);
  const distance = g.where(rises, g.sub(x, lower), g.sub(upper, x));
  const run = g.where(rises, g.sub(c, lower), g.sub(upper, c));
  const share = g.div(g.square(distance), g.mul(g.sub(upper, lower), run));
  const isPart = g.map("lt", share, g.scalar(1)); // outside of the support it need not be
  return {
    rises,
    near: g.log(share),
    far: g.map("log1p", g.neg(g.where(isPart, share, g.scalar(0)))),
  };
}

/** log(Φ(b) − Φ(a)) for a ≤ b, taken on the side where nothing cancels. */
export function logNormalInterval(g: GraphBuilder, a: NodeId, b: NodeId): NodeId {
  const flip = g.map("gt", a, g.scalar(0));
  const low = g.where(flip, g.neg(b), a);
  const high = g.where(flip, g.neg(a), b);
  const logHigh = g.map("log_normal_cdf", high);
  const ratio = g.sub(g.map("log_normal_cdf", low), logHigh);
  return g.add(logHigh, g.map("log1mexp", ratio));
}

/** log of the normal mass between two bounds, either of which may be a constant infinity. */
function logMassBetween(g: GraphBuilder, mu: NodeId, sigma: NodeId, lower: NodeId, upper: NodeId) {
  const openBelow = g.constantOf(lower) === -Infinity;
  const openAbove = g.constantOf(upper) === Infinity;
  if (openBelow && openAbove) return g.scalar(0);
  if (openBelow) return g.map("log_normal_cdf", standardised(g, upper, mu, sigma));
  if (openAbove) return g.map("log_normal_cdf", standardised(g, mu, lower, sigma));
  const [a, b] = [standardised(g, lower, mu, sigma), standardised(g, upper, mu, sigma)];
  return logNormalInterval(g, a, b);
}

/**
 * Whether a double still represents the mass between the bounds and the density there: the normal distribution is not
 * so far from them that the square of the distance has lost its digits, nor so wide that they are one point of it.
 */
function withinReach(
  g: GraphBuilder,
  mu: NodeId,
  sigma: NodeId,
  lower: NodeId,
  upper: NodeId,
): NodeId[] {
  const hasLower = g.constantOf(lower) !== -Infinity;
  const hasUpper = g.constantOf(upper) !== Infinity;
  const far = times(g, mostDistance, sigma);
  return [
    ...(hasLower ? ascending(g, g.sub(lower, mu), far) : []),
    ...(hasUpper ? ascending(g, g.sub(mu, upper), far) : []),
    ...(hasLower && hasUpper ? ascending(g, times(g, leastWidth, sigma), g.sub(upper, lower)) : []),
  ];
}

/** Normal given that it lies between its bounds, either of which may be infinite. */
export const truncatedNormal: FamilyDefinition = univariate({
  signature: {
    names: ["TruncatedNormal"],
    positional: ["mu", "sigma", "tau", "lower", "upper"],
    keywordSince: ["tau", "lower", "upper"],
    defaults: { mu: 0, sigma: 1, lower: -Infinity, upper: Infinity },
    domains: { mu: "real", sigma: "positive", tau: "positive", lower: "bound", upper: "bound" },
    forms: [
      direct("mu", "sigma", "lower", "upper"),
      precision("tau", ["mu", "tau", "lower", "upper"], ["mu", "sigma", "lower", "upper"]),
    ],
  },
  parameters: { mu: "real", sigma: "positive", lower: "bound", upper: "bound" },
  support: "interval",
  transform: (_g, { args }) => between(args[2], args[3]),
  ends: (_g, _mu, _sigma, lower, upper) => ({ lower, upper }),
  consistent: (g, mu, sigma, lower, upper) => [
    g.map("le", lower, upper),
    ...withinReach(g, mu, sigma, lower, upper),
  ],
  conditions: (g, x, _mu, _sigma, lower, upper) => within(g, x, lower, upper),
  density: (g, x, mu, sigma, lower, upper) => {
    const z = standardised(g, x, mu, sigma);
    const mass = logMassBetween(g, mu, sigma, lower, upper);
    const normaliser = g.add(plus(g, logOf(g, sigma), halfLog2Pi), mass);
    return g.sub(times(g, -0.5, g.square(z)), normaliser);
  },
  logCdf: (g, x, mu, sigma, lower, upper) =>
    g.sub(
      logMassBetween(g, mu, sigma, lower, x),
      logMassBetween(g, mu, sigma, lower, upper),
    ),
  logSurvival: (g, x, mu, sigma, lower, upper) =>
    g.sub(
      logMassBetween(g, mu, sigma, x, upper),
      logMassBetween(g, mu, sigma, lower, upper),
    ),
  sample: (random, mu, sigma, lower, upper) =>
    mu + sigma * drawTruncated(random, (lower - mu) / sigma, (upper - mu) / sigma),
  centre(mu, sigma, lower, upper) {
    if (lower < mu && mu < upper) return mu;
    const reach = (upper - lower) / 2;
    return mu <= lower ? lower + Math.min(sigma, reach) : upper - Math.min(sigma, reach);
  },
});

/** A standard normal number between a and b, by the quantile on the side of the smaller mass. */
function drawTruncated(random: RandomStream, a: number, b: number): number {
  if (!(a <= b)) return NaN;
  if (a > 0) return -drawTruncated(random, -b, -a);
  const [low, high] = [normalCdf(a), normalCdf(b)];
  if (high > 1e-290) {
    return Math.min(b, Math.max(a, normalQuantile(low + (high - low) * random.uniform())));
  }
  // Far below: the tail is exponential to within rounding of the draw.
  const width = b === a ? 0 : 1 - exp(logNormalCdf(a) - logNormalCdf(b));
  return Math.max(a, b - log1p(-width * random.uniform()) / b);
}

/** e^(κ cos(x − μ)) / (2π I₀(κ)) on the circle. */
export const vonMises: FamilyDefinition = univariate({
  signature: {
    names: ["VonMises"],
    positional: ["mu", "kappa"],
    defaults: { mu: 0, kappa: 1 },
    domains: { mu: "real", kappa: "positive" },
    forms: [direct("mu", "kappa")],
  },
  parameters: { mu: "real", kappa: "positive" },
  most: { kappa: mostShape },
  consistent: (g, mu) => [...atMost(g, mu, mostAngle), ...atLeast(g, mu, -mostAngle)],
  support: "circle",
  density: (g, x, mu, kappa) => {
    const kernel = g.mul(kappa, g.map("cos", g.sub(mu, x)));
    return g.sub(kernel, plus(g, g.map("log_i0", kappa), log2 + logPi));
  },
  // Of the turns of the peak the one that is nearest.
  peak: (g, [mu, kappa], { low, high }) => {
    const turn = 2 * Math.PI;
    const away = g.sub(mu, times(g, 0.5, g.add(low, high)));
    const turns = g.map("round", times(g, 1 / turn, away));
    const centre = g.sub(mu, times(g, turn, turns));
    return { centre, scale: g.div(g.scalar(1.2), g.map("sqrt", kappa)) };
  },
  sample: (random, mu, kappa) => {
    const angle = mu + drawVonMises(random, kappa);
    return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  },
  centre: (mu) => mu,
});
