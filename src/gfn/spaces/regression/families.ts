/** Families of the response: what each asks of the data, its link, and the statements it writes. */
import type { Column } from "../../../base/dataset.ts";
import { inputError } from "../../../base/diagnostic.ts";
import { log } from "../../../numerics/math/mod.ts";
import type { Response } from "../formula/formula.ts";
import { type FamilyName, familyNames } from "./family_names.ts";
import { moments, twoDigits } from "../writing/columns.ts";
import { literal, readOf } from "../writing/design.ts";

/**
 * What the linear predictor is of the mean: itself, its logarithm, its log odds. Of a share it may be
 * another link that lies about where the log odds do.
 */
type Link = "identity" | "log" | "logit";

/** Where the linear predictor lies a priori: the intercept about `mean`, effects in `scale`. */
export interface PredictorScale {
  readonly mean: number;
  readonly scale: number;
}

/** What a family needs to be written. */
interface Written {
  readonly response: Response;
  /** The name of the variable that is observed, in quotes. */
  readonly called: string;
  /** What is observed, as text. */
  readonly observed: string;
  /** Standard deviation of what is observed, where `unit` is nothing. */
  readonly sd: number;
  /** Begins products in units of the response, where the left side is a question. */
  readonly unit: string;
  /** Begins widths of priors of the family's own; nothing where they are as usual. */
  readonly width?: string;
  /** Parameters that have terms: `log_sigma` is what they add up to. */
  readonly varying: ReadonlySet<string>;
}

interface Family {
  readonly link: Link;
  /** Whether effects are of another unit than those of the other families with the link. */
  readonly ownUnit?: true;
  /** What its response must be, for messages; undefined where a value suits it. */
  readonly suits: (value: number) => boolean;
  readonly wants: string;
  /** Priors of its own parameters. */
  readonly priors: (written: Written) => readonly string[];
  /** The distribution's arguments, given `eta`. */
  readonly likelihood: readonly [name: string, args: string];
}

const isCount = (y: number) => Number.isInteger(y) && y >= 0;
const counts = { suits: isCount, wants: "counts: whole numbers from 0 on" };
const positive = { suits: (y: number) => y > 0, wants: "numbers above 0" };
const reals = { suits: Number.isFinite, wants: "any number" };

/** 1 / sd, as rstanarm scales the prior of a residual spread (Goodrich et al. 2024). */
const sigma = ({ sd, unit, width }: Written) => [
  exponential("sigma", unit === "" ? literal(twoDigits(1 / sd)) : "1 / unit", width),
];

/** An exponential prior, `width` times as wide as its rate says. */
function exponential(name: string, rate: string, width = ""): string {
  const by = width === "" ? "" : ` / ${width.slice(0, -" * ".length)}`;
  return `${name} = pm.Exponential("${name}", lam=${rate}${by})`;
}
const heavier = (written: Written) => [
  ...sigma(written),
  'nu = pm.Gamma("nu", alpha=2, beta=0.1)', // Juárez and Steel (2010)
];
const one = (statement: string) => () => [statement];
const dispersion = ({ width }: Written) => exponential("alpha", "1", width);
const zeros = 'psi = pm.Beta("psi", alpha=1, beta=1)';

const binary = { suits: (y: number) => y === 0 || y === 1, wants: "0 or 1" };
/** The normal distribution of eta, 1.7 wide: effects are log odds, nearly. */
const probit = "pm.math.invprobit(eta / 1.7)";
/** Whether it has happened, at the rate exp(eta): effects are of the logarithm of the rate. */
const cloglog = "1 - pm.math.exp(-pm.math.exp(eta))";

const families: Readonly<Record<FamilyName, Family>> = {
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
    priors: ({ width }) => [exponential("sigma", "1", width)],
    likelihood: ["LogNormal", "mu=eta, sigma=sigma"],
  },
  gamma: {
    link: "log",
    ...positive,
    priors: ({ width }) => [exponential("shape", "0.1", width)],
    likelihood: ["Gamma", "alpha=shape, beta=shape / pm.math.exp(eta)"],
  },
  exponential: {
    link: "log",
    ...positive,
    priors: () => [],
    likelihood: ["Exponential", "lam=pm.math.exp(-eta)"],
  },
  poisson: {
    link: "log",
    ...counts,
    priors: () => [],
    likelihood: ["Poisson", "mu=pm.math.exp(eta)"],
  },
  negative_binomial: {
    link: "log",
    ...counts,
    priors: (written) => [dispersion(written)],
    likelihood: ["NegativeBinomial", "mu=pm.math.exp(eta), alpha=alpha"],
  },
  zero_inflated_poisson: {
    link: "log",
    ...counts,
    priors: one(zeros),
    likelihood: ["ZeroInflatedPoisson", "psi=psi, mu=pm.math.exp(eta)"],
  },
  zero_inflated_negative_binomial: {
    link: "log",
    ...counts,
    priors: (written) => [zeros, dispersion(written)],
    likelihood: ["ZeroInflatedNegativeBinomial", "psi=psi, mu=pm.math.exp(eta), alpha=alpha"],
  },
  bernoulli: {
    link: "logit",
    ...binary,
    priors: () => [],
    likelihood: ["Bernoulli", "p=pm.math.sigmoid(eta)"],
  },
  bernoulli_probit: {
    link: "logit",
    ...binary,
    priors: () => [],
    likelihood: ["Bernoulli", `p=${probit}`],
  },
  bernoulli_cloglog: {
    link: "logit",
    ownUnit: true,
    ...binary,
    priors: () => [],
    likelihood: ["Bernoulli", `p=${cloglog}`],
  },
  binomial: {
    link: "logit",
    ...counts,
    priors: () => [],
    likelihood: ["Binomial", "n=TRIALS, p=pm.math.sigmoid(eta)"],
  },
  binomial_probit: {
    link: "logit",
    ...counts,
    priors: () => [],
    likelihood: ["Binomial", `n=TRIALS, p=${probit}`],
  },
  binomial_cloglog: {
    link: "logit",
    ownUnit: true,
    ...counts,
    priors: () => [],
    likelihood: ["Binomial", `n=TRIALS, p=${cloglog}`],
  },
  beta_binomial: {
    link: "logit",
    ...counts,
    priors: one('kappa = pm.Gamma("kappa", alpha=2, beta=0.1)'),
    likelihood: [
      "BetaBinomial",
      "n=TRIALS, alpha=kappa * pm.math.sigmoid(eta), beta=kappa * pm.math.sigmoid(-eta)",
    ],
  },
  beta: {
    link: "logit",
    suits: (y: number) => y > 0 && y < 1,
    wants: "numbers between 0 and 1",
    priors: one('kappa = pm.Gamma("kappa", alpha=2, beta=0.1)'),
    likelihood: ["Beta", "mu=pm.math.sigmoid(eta), nu=kappa"],
  },
};

/**
 * The link that the families of a space share.
 *
 * @throws InputError `families/links` where they do not, `families/trials` where the number of
 * trials is missing or nobody asks for it.
 */
export function linkOf(names: readonly FamilyName[], { trials }: Response): Link {
  const links = new Map(names.map((name) => [families[name].link, name]));
  if (links.size > 1) {
    const [[a, one], [b, other]] = links;
    const message = `Cannot compare the families ${one} and ${other}: the terms of one are of ` +
      `its mean by the link ${a}, those of the other by ${b}`;
    const hint = "their coefficients are not the same questions: rank them in two spaces";
    throw inputError("families/links", message, undefined, hint);
  }
  for (const name of names) checkTrials(name, trials);
  return [...links.keys()][0];
}

/** Whether effects of all families are of one unit, so that an average of them means something. */
export function haveOneUnit(names: readonly FamilyName[]): boolean {
  const own = names.filter((name) => families[name].ownUnit).length;
  return own === 0 || own === names.length;
}

function checkTrials(name: FamilyName, trials: string | undefined): void {
  const asked = families[name].likelihood[1].includes("TRIALS");
  if (asked === (trials !== undefined)) return;
  const message = asked
    ? `Cannot use family ${name}: the formula does not say how many trials there were`
    : `Cannot use family ${name}: it has no trials, and the formula says trials(${trials})`;
  const hint = asked
    ? "write y | trials(n) ~ …"
    : "use binomial, binomial_probit, binomial_cloglog or beta_binomial";
  throw inputError("families/trials", message, undefined, hint);
}

/** @throws InputError `families/response` at the first row whose response a family cannot have. */
export function checkResponse(name: FamilyName, column: Column, values: Float64Array): void {
  const row = values.findIndex((value) => !families[name].suits(value));
  if (row < 0) return;
  const message = `Cannot use family ${name}: it is for ${families[name].wants}, and ` +
    `${column.name} is ${values[row]} in row ${row + 1}`;
  const fits = familyNames.filter((other) => values.every((value) => families[other].suits(value)));
  throw inputError(
    "families/response",
    message,
    undefined,
    `families that fit: ${fits.join(", ")}`,
  );
}

/** The scale of the linear predictor (rstanarm's: 2.5 sd of the response where the link is none). */
export function predictorScale(
  link: Link,
  values: Float64Array,
  trials?: Float64Array,
): PredictorScale {
  const { mean, sd } = moments(values);
  if (link === "identity") return { mean, scale: sd };
  if (link === "log") return { mean: log(mean), scale: 1 };
  const share = (mean + 0.5) / (trials ? moments(trials).mean + 1 : 2);
  return { mean: log(share / (1 - share)), scale: 1 };
}

/** Parameters of a family that are above 0, whose logarithm may depend on terms. */
function positiveParameters(name: FamilyName): string[] {
  const { likelihood: [, args] } = families[name];
  return ["sigma", "shape", "alpha", "kappa"].filter((one) =>
    new RegExp(`\\b${one}\\b(?!=)`).test(args)
  );
}

/** @throws InputError `families/parameter` where a family lacks a parameter that has terms. */
export function checkParameters(
  names: readonly FamilyName[],
  parameters: readonly string[],
): void {
  for (const name of names) {
    const known = positiveParameters(name);
    const strange = parameters.find((one) => !known.includes(one));
    if (strange === undefined) continue;
    const message = `Cannot use ${strange} ~ …: family ${name} has no parameter ${strange}`;
    const hint = known.length > 0 ? `it has ${known.join(", ")}` : "it has none but the mean";
    throw inputError("families/parameter", message, undefined, hint);
  }
}

/** Priors and likelihood of a family: the last statements of a program. */
export function statementsOf(name: FamilyName, written: Written): string[] {
  const { priors, likelihood: [distribution, args] } = families[name];
  const { response: { trials }, called, observed, varying } = written;
  const scaled = positiveParameters(name).filter((one) => varying.has(one)).map((one) =>
    `${one} = ${one} * pm.math.exp(log_${one})`
  );
  const own = args.replace("TRIALS", () => trials === undefined ? "" : readOf(trials));
  return [
    ...priors(written),
    ...scaled,
    `pm.${distribution}(${called}, ${own}, observed=${observed})`,
  ];
}
