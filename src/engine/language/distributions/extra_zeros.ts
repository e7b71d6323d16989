/** Distributions with a mass of their own at zero: zero-inflated and hurdle families. */
import type { RandomStream } from "../../../base/random.ts";
import type { GraphBuilder } from "../ir/builder.ts";
import type { NodeId } from "../ir/node.ts";
import {
  drawBinomial,
  drawGamma,
  drawNegativeBinomial,
  drawNormal,
  drawPoisson,
  exp,
  expm1,
  log1p,
} from "../../../numerics/math/mod.ts";
import { logAddExp } from "./arrays.ts";
import {
  binomial,
  negativeBinomialDensity,
  negativeBinomialForms,
  poissonDensity,
} from "./counts.ts";
import type { Domain, FamilyDefinition, Form, Mean, Signature, Support } from "./family.ts";
import { direct, precision } from "./forms.ts";
import { knownPositive } from "./range.ts";
import { gammaDensity, gammaForms, logNormalDensity } from "./positive.ts";
import { mostShape } from "./reach.ts";
import { logNormalMean } from "./real_line.ts";
import { log1mOf, logOf } from "./stable_log.ts";
import { type Formula, univariate } from "./univariate.ts";

/** The distribution that zeros are added to. */
interface Base {
  readonly name: string;
  /** Its own name in the table, if it is continuous. */
  readonly besideZero?: string;
  readonly positional: readonly string[];
  readonly defaults?: Readonly<Record<string, number>>;
  readonly domains: Readonly<Record<string, Domain>>;
  readonly forms: readonly Form[];
  readonly parameters: Readonly<Record<string, Domain>>;
  readonly most?: Readonly<Record<string, number>>;
  readonly support: Support;
  readonly discrete: boolean;
  readonly conditions?: (g: GraphBuilder, x: NodeId, ...params: NodeId[]) => readonly NodeId[];
  readonly density: Formula;
  /** log p(0) for counts, without the terms that cancel there. */
  readonly atZero?: (g: GraphBuilder, ...params: NodeId[]) => NodeId;
  readonly mean: Mean;
  /** Probability that it is not 0, of counts. */
  readonly aboveZero?: Mean;
  readonly sample: (random: RandomStream, ...params: number[]) => number;
}

/** A form with `psi` before its canonical parameters. */
function withShare({ names, canonical }: Form): Form {
  return {
    names: ["psi", ...names],
    canonical: (g, given) => [given.psi, ...canonical(g, given)],
  };
}

function signatureOf(base: Base): Signature {
  return {
    names: [base.name],
    positional: ["psi", ...base.positional],
    defaults: base.defaults ?? {},
    domains: { psi: "unit", ...base.domains },
    forms: base.forms.map(withShare),
  };
}

/** log(1 − ψ + ψ p(0)) at zero and log ψ + log p(x) elsewhere; ψ is the share of the base distribution. */
function zeroInflated(base: Base): FamilyDefinition {
  return univariate({
    signature: signatureOf(base),
    parameters: { psi: "unit", ...base.parameters },
    most: base.most,
    support: base.support,
    discrete: base.discrete,
    conditions: (g, x, _psi, ...params) => base.conditions?.(g, x, ...params) ?? [],
    density: (g, x, psi, ...params) => {
      const fromBase = g.add(base.density(g, x, ...params), logOf(g, psi));
      const extra = log1mOf(g, psi);
      const atZero = knownPositive(g, psi)
        ? logAddExp(g, extra, fromBase)
        : g.where(g.map("gt", psi, g.scalar(0)), logAddExp(g, extra, fromBase), extra);
      return g.where(g.map("eq", x, g.scalar(0)), atZero, fromBase);
    },
    mean: (psi, ...params) => psi * base.mean(...params),
    sample: (random, psi, ...params) => random.uniform() < psi ? base.sample(random, ...params) : 0,
  });
}

/** log(1 − ψ) at zero and log ψ + log p(x | x ≠ 0) elsewhere. */
function hurdle(base: Base): FamilyDefinition {
  return univariate({
    signature: signatureOf(base),
    parameters: { psi: "unit", ...base.parameters },
    most: base.most,
    support: base.discrete ? "count" : "non_negative",
    discrete: base.discrete,
    // PyMC gives it no transform of its own: it is for data.
    transform: () => ({ kind: "identity" }),
    besideZero: base.besideZero,
    density: (g, x, psi, ...params) => {
      const isZero = g.map("eq", x, g.scalar(0));
      const safe = g.where(isZero, g.scalar(1), x);
      let rest = g.add(base.density(g, safe, ...params), logOf(g, psi));
      if (base.discrete) {
        const atZero = base.atZero!(g, ...params);
        rest = g.sub(rest, g.map("log1mexp", atZero));
      }
      return g.where(isZero, log1mOf(g, psi), rest);
    },
    mean: (psi, ...params) => psi * base.mean(...params) / (base.aboveZero?.(...params) ?? 1),
    sample: (random, psi, ...params) => {
      if (random.uniform() >= psi) return 0;
      for (let tries = 0; tries < 10000; tries++) {
        const x = base.sample(random, ...params);
        if (x !== 0) return x;
      }
      return NaN;
    },
  });
}

const poissonBase = (name: string): Base => ({
  name,
  positional: ["mu"],
  domains: { mu: "non_negative" },
  forms: [direct("mu")],
  parameters: { mu: "non_negative" },
  support: "count",
  discrete: true,
  density: poissonDensity,
  atZero: (g, mu) => g.neg(mu),
  mean: (mu) => mu,
  aboveZero: (mu) => -expm1(-mu),
  sample: drawPoisson,
});

const negativeBinomialBase = (name: string): Base => ({
  name,
  positional: ["mu", "alpha", "p", "n"],
  domains: { mu: "positive", alpha: "positive", p: "open_unit", n: "positive" },
  forms: negativeBinomialForms,
  parameters: { mu: "positive", alpha: "positive" },
  most: { alpha: mostShape },
  support: "count",
  discrete: true,
  density: negativeBinomialDensity,
  // α log(α / (μ + α)): of the rest, log Γ(α) − log Γ(α), rounding would be left.
  atZero: (g, mu, alpha) => g.neg(g.mul(alpha, g.map("log1p", g.div(mu, alpha)))),
  mean: (mu) => mu,
  aboveZero: (mu, alpha) => -expm1(-alpha * log1p(mu / alpha)),
  sample: drawNegativeBinomial,
});

const binomialBase: Base = {
  name: "ZeroInflatedBinomial",
  positional: ["n", "p"],
  domains: { n: "count", p: "unit" },
  forms: [direct("n", "p")],
  parameters: { n: "count", p: "unit" },
  most: { n: mostShape },
  support: "bounded_count",
  discrete: true,
  conditions: (g, y, n) => [g.map("le", y, n)],
  density: (g, y, n, p) =>
    binomial.logDensity(g, y, { family: "binomial", args: [n, p], shape: [] }),
  mean: (n, p) => n * p,
  sample: drawBinomial,
};

/** Poisson with probability psi, else 0. */
export const zeroInflatedPoisson: FamilyDefinition = zeroInflated(
  poissonBase("ZeroInflatedPoisson"),
);
/** Binomial with probability psi, else 0. */
export const zeroInflatedBinomial: FamilyDefinition = zeroInflated(binomialBase);
/** Negative binomial with probability psi, else 0. */
export const zeroInflatedNegativeBinomial: FamilyDefinition = zeroInflated(
  negativeBinomialBase("ZeroInflatedNegativeBinomial"),
);
/** Poisson given that it is not 0 with probability psi, else 0. */
export const hurdlePoisson: FamilyDefinition = hurdle(poissonBase("HurdlePoisson"));
/** Negative binomial given that it is not 0 with probability psi, else 0. */
export const hurdleNegativeBinomial: FamilyDefinition = hurdle(
  negativeBinomialBase("HurdleNegativeBinomial"),
);

/** Gamma with probability psi, else 0. */
export const hurdleGamma: FamilyDefinition = hurdle({
  name: "HurdleGamma",
  besideZero: "gamma",
  positional: ["alpha", "beta", "mu", "sigma"],
  domains: { alpha: "positive", beta: "positive", mu: "positive", sigma: "positive" },
  forms: gammaForms,
  parameters: { alpha: "positive", beta: "positive" },
  most: { alpha: mostShape },
  support: "non_negative",
  discrete: false,
  density: gammaDensity,
  mean: (alpha, beta) => alpha / beta,
  sample: (random, alpha, beta) => drawGamma(random, alpha) / beta,
});

/** Log-normal with probability psi, else 0. */
export const hurdleLogNormal: FamilyDefinition = hurdle({
  name: "HurdleLogNormal",
  besideZero: "log_normal",
  positional: ["mu", "sigma", "tau"],
  defaults: { mu: 0, sigma: 1 },
  domains: { mu: "real", sigma: "positive", tau: "positive" },
  forms: [direct("mu", "sigma"), precision("tau", ["mu", "tau"], ["mu", "sigma"])],
  parameters: { mu: "real", sigma: "positive" },
  support: "non_negative",
  discrete: false,
  density: logNormalDensity,
  mean: logNormalMean,
  sample: (random, mu, sigma) => exp(mu + sigma * drawNormal(random)),
});
