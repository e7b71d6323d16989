/** Holds the families of a response: link, values, priors of their own, and likelihood of each. */
import type { Response } from "../formula/formula.ts";
import { twoDigits } from "../writing/columns.ts";
import { concentration, exponential, gammaShape, heavyTails } from "../writing/own_priors.ts";
import type { FamilyName } from "./family_names.ts";

/**
 * The linear predictor as a function of the mean: itself, its logarithm, its log odds, log odds of each level
 * against the first. Of a share it may be another link that lies about where the log odds do.
 */
export type Link = "identity" | "log" | "logit" | "softmax";

/** Bounds within which a likelihood is written, as text: `None` where there is none. */
export interface ResponseBounds {
  readonly within: "Censored" | "Truncated" | "interval_censored";
  readonly lower: string;
  readonly upper?: string;
}

/** Facts of a response that its family is written with. */
export interface Written {
  readonly response: Response;
  /** The name of the variable that is observed, in quotes. */
  readonly called: string;
  /** The observed values, as text. */
  readonly observed: string;
  /** Standard deviation of the response, where `unit` is empty. */
  readonly sd: number;
  /** Begins products in units of the response, where the left side is a question. */
  readonly unit: string;
  /** Begins widths of priors of the family's own; nothing where they are as usual. */
  readonly width?: string;
  /** Parameters that have terms: `log_sigma` is their sum. */
  readonly varying: ReadonlySet<string>;
  /** Bounds of a censored or truncated response. */
  readonly bounds?: ResponseBounds | undefined;
}

/** A distribution of the response about the linear predictor `eta`. */
interface Family {
  readonly link: Link;
  /** Whether effects are of another unit than those of the other families with the link. */
  readonly ownUnit?: true;
  /** Its response's requirement, for messages; undefined where a value suits it. */
  readonly suits: (value: number) => boolean;
  readonly wants: string;
  /** Priors of its own parameters. */
  readonly priors: (written: Written) => readonly string[];
  /** The distribution's arguments, given `eta`. */
  readonly likelihood: readonly [name: string, args: string];
  /** Present where it is cut off by itself. */
  readonly bounds?: ResponseBounds;
}

/**
 * Names of the share of zeros in formulas: PyMC's `psi` is that of the other rows, the `zi` and `hu` of
 * brms are those of zeros, inflated ones and all.
 */
export const zeroShares: readonly string[] = ["psi", "zi", "hu"];

/** The variable that terms of such a share add up to. */
export function logitOf(parameter: string): string {
  return `logit_${parameter}`;
}

const isCount = (y: number) => Number.isInteger(y) && y >= 0;
const counts = { suits: isCount, wants: "counts: whole numbers from 0 on" };
const someCounts = { suits: (y: number) => isCount(y) && y > 0, wants: "counts from 1 on" };
const positive = { suits: (y: number) => y > 0, wants: "numbers above 0" };
const notNegative = { suits: (y: number) => y >= 0, wants: "numbers from 0 on" };
const reals = { suits: Number.isFinite, wants: "any number" };
const binary = { suits: (y: number) => y === 0 || y === 1, wants: "0 or 1" };
const shares = { suits: (y: number) => y > 0 && y < 1, wants: "numbers between 0 and 1" };

type Priors = Family["priors"];

const none: Priors = () => [];
/** 1 / sd, as rstanarm scales the prior of a residual spread (Goodrich et al. 2024). */
const sigma: Priors = ({ sd, unit, width }) => [
  exponential("sigma", unit === "" ? twoDigits(1 / sd) : "1 / unit", width),
];
/** Prior of the standard deviation of the logarithm: if small, the coefficient of variation. */
const logSigma: Priors = ({ width }) => [exponential("sigma", 1, width)];
const heavier: Priors = (written) => [...sigma(written), ...heavyTails(written.width)];
const shape: Priors = ({ width }) => gammaShape(width);
const alpha: Priors = ({ width }) => concentration("alpha", width);
const kappa: Priors = ({ width }) => concentration("kappa", width);
/**
 * The share of rows that are no zeros of their own: all, in the family without them. Where it has terms
 * its log odds have an intercept, whose prior is about the uniform one of the share.
 */
const zeros: Priors = ({ varying }) => {
  const parameter = zeroShares.find((one) => varying.has(one));
  if (parameter === undefined) return ['psi = pm.Beta("psi", alpha=1, beta=1)'];
  const [own, odds] = [`${parameter}_intercept`, logitOf(parameter)];
  const sum = `${own} + ${odds}`;
  return [
    `${own} = pm.Normal("${own}", mu=0, sigma=1.7)`,
    `psi = pm.math.sigmoid(${parameter === "psi" ? sum : `-(${sum})`})`,
  ];
};
const both = (...all: readonly Priors[]): Priors => (written) => all.flatMap((one) => one(written));

const fromOne = { within: "Truncated", lower: "1" } as const;
const rate = "pm.math.exp(eta)";
const logit = "pm.math.sigmoid(eta)";
/** The normal distribution of eta, 1.7 wide: effects are log odds, nearly. */
const probit = "pm.math.invprobit(eta / 1.7)";
/** Whether it has happened, at the rate exp(eta): effects are of the logarithm of the rate. */
const cloglog = "1 - pm.math.exp(-pm.math.exp(eta))";
const gammaArgs = `alpha=shape, beta=shape / ${rate}`;

/** All families, by name. */
export const families: Readonly<Record<FamilyName, Family>> = {
  normal: {
    link: "identity",
    ...reals,
    priors: sigma,
    likelihood: ["Normal", "mu=eta, sigma=sigma"],
  },
  student_t: {
    link: "identity",
    ...reals,
    priors: heavier,
    likelihood: ["StudentT", "nu=nu, mu=eta, sigma=sigma"],
  },
  log_normal: {
    link: "log",
    ...positive,
    priors: logSigma,
    likelihood: ["LogNormal", "mu=eta, sigma=sigma"],
  },
  gamma: { link: "log", ...positive, priors: shape, likelihood: ["Gamma", gammaArgs] },
  exponential: {
    link: "log",
    ...positive,
    priors: none,
    likelihood: ["Exponential", "lam=pm.math.exp(-eta)"],
  },
  hurdle_log_normal: {
    link: "log",
    ...notNegative,
    priors: both(zeros, logSigma),
    likelihood: ["HurdleLogNormal", "psi=psi, mu=eta, sigma=sigma"],
  },
  hurdle_gamma: {
    link: "log",
    ...notNegative,
    priors: both(zeros, shape),
    likelihood: ["HurdleGamma", `psi=psi, ${gammaArgs}`],
  },
  poisson: { link: "log", ...counts, priors: none, likelihood: ["Poisson", `mu=${rate}`] },
  negative_binomial: {
    link: "log",
    ...counts,
    priors: alpha,
    likelihood: ["NegativeBinomial", `mu=${rate}, alpha=alpha`],
  },
  zero_inflated_poisson: {
    link: "log",
    ...counts,
    priors: zeros,
    likelihood: ["ZeroInflatedPoisson", `psi=psi, mu=${rate}`],
  },
  zero_inflated_negative_binomial: {
    link: "log",
    ...counts,
    priors: both(zeros, alpha),
    likelihood: ["ZeroInflatedNegativeBinomial", `psi=psi, mu=${rate}, alpha=alpha`],
  },
  hurdle_poisson: {
    link: "log",
    ...counts,
    priors: zeros,
    likelihood: ["HurdlePoisson", `psi=psi, mu=${rate}`],
  },
  hurdle_negative_binomial: {
    link: "log",
    ...counts,
    priors: both(zeros, alpha),
    likelihood: ["HurdleNegativeBinomial", `psi=psi, mu=${rate}, alpha=alpha`],
  },
  zero_truncated_poisson: {
    link: "log",
    ...someCounts,
    priors: none,
    likelihood: ["Poisson", `mu=${rate}`],
    bounds: fromOne,
  },
  zero_truncated_negative_binomial: {
    link: "log",
    ...someCounts,
    priors: alpha,
    likelihood: ["NegativeBinomial", `mu=${rate}, alpha=alpha`],
    bounds: fromOne,
  },
  bernoulli: { link: "logit", ...binary, priors: none, likelihood: ["Bernoulli", `p=${logit}`] },
  bernoulli_probit: {
    link: "logit",
    ...binary,
    priors: none,
    likelihood: ["Bernoulli", `p=${probit}`],
  },
  bernoulli_cloglog: {
    link: "logit",
    ownUnit: true,
    ...binary,
    priors: none,
    likelihood: ["Bernoulli", `p=${cloglog}`],
  },
  binomial: {
    link: "logit",
    ...counts,
    priors: none,
    likelihood: ["Binomial", `n=TRIALS, p=${logit}`],
  },
  binomial_probit: {
    link: "logit",
    ...counts,
    priors: none,
    likelihood: ["Binomial", `n=TRIALS, p=${probit}`],
  },
  binomial_cloglog: {
    link: "logit",
    ownUnit: true,
    ...counts,
    priors: none,
    likelihood: ["Binomial", `n=TRIALS, p=${cloglog}`],
  },
  beta_binomial: {
    link: "logit",
    ...counts,
    priors: kappa,
    likelihood: [
      "BetaBinomial",
      "n=TRIALS, alpha=kappa * pm.math.sigmoid(eta), beta=kappa * pm.math.sigmoid(-eta)",
    ],
  },
  zero_inflated_binomial: {
    link: "logit",
    ...counts,
    priors: zeros,
    likelihood: ["ZeroInflatedBinomial", `psi=psi, n=TRIALS, p=${logit}`],
  },
  beta: { link: "logit", ...shares, priors: kappa, likelihood: ["Beta", `mu=${logit}, nu=kappa`] },
  /** Beta, or 0: a point mass beside a density that has none there, as PyMC's hurdles are made. */
  zero_inflated_beta: {
    link: "logit",
    suits: (y: number) => y >= 0 && y < 1,
    wants: "numbers from 0 on below 1",
    priors: both(zeros, kappa),
    likelihood: [
      "Mixture",
      "w=STACKED, comp_dists=[pm.DiracDelta.dist(0.0), " +
      `pm.Truncated.dist(pm.Beta.dist(mu=${logit}, nu=kappa), lower=1e-15)]`,
    ],
  },
  categorical: {
    link: "softmax",
    suits: isCount,
    wants: "names without an order",
    priors: none,
    likelihood: ["Categorical", "logit_p=eta"],
  },
};
