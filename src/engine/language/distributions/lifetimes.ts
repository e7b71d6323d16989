/** Families of lifetimes, sizes and lengths: Weibull, inverse Gaussian, Pareto and Rice. */
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import {
  drawExponential,
  drawNormal,
  drawWald,
  exp,
  lgamma,
  pow,
} from "../../../numerics/math/mod.ts";
import type { FamilyDefinition } from "./family.ts";
import { direct, plus, scaled, times } from "./forms.ts";
import { logComplement, unboundedPower } from "./powers.ts";
import { knownPositive } from "./range.ts";
import { mostRatio } from "./reach.ts";
import { halfLog2Pi } from "./real_line.ts";
import { logOf } from "./stable_log.ts";
import { univariate } from "./univariate.ts";

/** (x/β)^α; 0 at 0, with a slope. */
function weibullExponent(g: GraphBuilder, x: NodeId, alpha: NodeId, beta: NodeId): NodeId {
  const power = (x: NodeId) => g.exp(g.mul(alpha, g.sub(logOf(g, x), logOf(g, beta))));
  if (knownPositive(g, x)) return power(x);
  const outside = g.map("le", x, g.scalar(0));
  return g.where(outside, g.scalar(0), power(g.where(outside, g.scalar(1), x)));
}

/** (α/β) (x/β)^(α−1) e^(−(x/β)^α), by shape and scale. */
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
  logCdf: (g, x, alpha, beta) => logComplement(g, g.neg(weibullExponent(g, x, alpha, beta))),
  logSurvival: (g, x, alpha, beta) => g.neg(weibullExponent(g, x, alpha, beta)),
  sample: (random, alpha, beta) => beta * pow(drawExponential(random), 1 / alpha),
  mean: (alpha, beta) => beta * exp(lgamma(1 + 1 / alpha)),
  centre: (_alpha, beta) => beta,
});

/** Inverse Gaussian: √(λ/2πc³) e^(−λ (c − μ)² / 2μ²c), c = x − α. */
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
    return g.add(above, logComplement(g, g.sub(far, above)));
  },
  sample: (random, mu, lam, alpha) => alpha + drawWald(random, mu, lam),
  centre: (mu) => mu,
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

/** α m^α / x^(α+1) for x ≥ m. */
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
  logCdf: (g, x, alpha, m) => logComplement(g, g.mul(alpha, g.sub(logOf(g, m), logOf(g, x)))),
  logSurvival: (g, x, alpha, m) => g.mul(alpha, g.sub(logOf(g, m), logOf(g, x))),
  sample: (random, alpha, m) => m * exp(drawExponential(random) / alpha),
  centre: (alpha, m) => m * (1 + 1 / alpha),
});

/** The length of a normal vector in the plane: x/σ² · e^(−(z² + b²)/2) I₀(z b), z = x/σ. */
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
  most: { b: mostRatio },
  support: "positive",
  density: (g, x, b, sigma) => {
    const z = scaled(g, x, sigma);
    // log I₀(zb) − ½ (z² + b²)
    const squares = times(g, 0.5, g.add(g.square(z), g.square(b)));
    const kernel = g.sub(g.map("log_i0", g.mul(z, b)), squares);
    return g.add(g.add(kernel, logOf(g, x)), times(g, -2, logOf(g, sigma)));
  },
  peak: (g, [b, sigma]) => ({ centre: g.mul(b, sigma), scale: sigma }),
  sample: (random, b, sigma) => {
    const [x, y] = [b + drawNormal(random), drawNormal(random)];
    return sigma * Math.sqrt(x * x + y * y);
  },
  centre: (nu, sigma) => nu + sigma,
});
