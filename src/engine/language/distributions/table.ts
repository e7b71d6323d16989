/** The table of all distributions, one line each, and the lookup from PyMC's names. */
import type { Distribution } from "../ir/program.ts";
import * as asymmetric from "./asymmetric.ts";
import * as bounded from "./bounded.ts";
import * as categories from "./categories.ts";
import * as counts from "./counts.ts";
import * as extraZeros from "./extra_zeros.ts";
import * as interval from "./interval.ts";
import * as lifetimes from "./lifetimes.ts";
import * as matrices from "./matrices.ts";
import * as mixtures from "./mixtures.ts";
import * as positive from "./positive.ts";
import * as realLine from "./real_line.ts";
import * as series from "./series.ts";
import * as vectors from "./vectors.ts";
import type { FamilyDefinition } from "./family.ts";
import type { Lookup } from "./lookup.ts";

/** Distributions that are made of others find them here once the table stands. */
const lookup: Lookup = (name) => families[name];

/** Every distribution that there is, in the order in which messages and documentation name them. */
const table = {
  normal: realLine.normal,
  half_normal: positive.halfNormal,
  log_normal: positive.logNormal,
  truncated_normal: interval.truncatedNormal,
  student_t: realLine.studentT,
  half_student_t: positive.halfStudentT,
  cauchy: realLine.cauchy,
  half_cauchy: positive.halfCauchy,
  exponential: positive.exponential,
  gamma: positive.gamma,
  inverse_gamma: positive.inverseGamma,
  chi_squared: positive.chiSquared,
  weibull: lifetimes.weibull,
  beta: interval.beta,
  uniform: interval.uniform,
  triangular: interval.triangular,
  laplace: realLine.laplace,
  asymmetric_laplace: asymmetric.asymmetricLaplace,
  logistic: realLine.logistic,
  logit_normal: interval.logitNormal,
  gumbel: asymmetric.gumbel,
  moyal: asymmetric.moyal,
  skew_normal: asymmetric.skewNormal,
  ex_gaussian: asymmetric.exGaussian,
  wald: lifetimes.wald,
  pareto: lifetimes.pareto,
  rice: lifetimes.rice,
  kumaraswamy: interval.kumaraswamy,
  von_mises: interval.vonMises,
  flat: realLine.flat,
  half_flat: positive.halfFlat,
  bernoulli: counts.bernoulli,
  binomial: counts.binomial,
  poisson: counts.poisson,
  negative_binomial: counts.negativeBinomial,
  geometric: counts.geometric,
  hypergeometric: counts.hypergeometric,
  beta_binomial: counts.betaBinomial,
  discrete_uniform: counts.discreteUniform,
  discrete_weibull: counts.discreteWeibull,
  zero_inflated_poisson: extraZeros.zeroInflatedPoisson,
  zero_inflated_binomial: extraZeros.zeroInflatedBinomial,
  zero_inflated_negative_binomial: extraZeros.zeroInflatedNegativeBinomial,
  hurdle_poisson: extraZeros.hurdlePoisson,
  hurdle_negative_binomial: extraZeros.hurdleNegativeBinomial,
  hurdle_gamma: extraZeros.hurdleGamma,
  hurdle_log_normal: extraZeros.hurdleLogNormal,
  categorical: categories.categorical,
  ordered_logistic: categories.orderedLogistic,
  ordered_probit: categories.orderedProbit,
  dirichlet: vectors.dirichlet,
  multinomial: vectors.multinomial,
  dirichlet_multinomial: vectors.dirichletMultinomial,
  mv_normal: matrices.mvNormal,
  mv_student_t: matrices.mvStudentT,
  lkj_cholesky_cov: matrices.lkjCholeskyCov(lookup),
  zero_sum_normal: vectors.zeroSumNormal,
  gaussian_random_walk: series.gaussianRandomWalk(lookup),
  ar: series.autoregression(lookup),
  mixture: mixtures.mixture(lookup),
  normal_mixture: mixtures.normalMixture,
  truncated: bounded.truncated(lookup),
  censored: bounded.censored(lookup),
  windowed: bounded.intervalCensored(lookup),
};

/** Name of a family: a key of the table. */
export type FamilyName = keyof typeof table;

/** The facts of each family by its name. */
export const families: Readonly<Record<string, FamilyDefinition>> = table;

/** Names of all families. */
export const familyNames: readonly string[] = Object.keys(table);

/** Event axes of a distribution's values: those of its components, or as many as sum to zero. */
export function eventRankOf(
  distribution: Pick<Distribution, "family" | "components" | "sizes">,
): number {
  const { support, eventRank } = families[distribution.family];
  if (support === "components") return eventRankOf(distribution.components![0]);
  return support === "zero_sum" ? distribution.sizes?.[0] ?? 1 : eventRank;
}

/** Whether a distribution's values are whole numbers. */
export function isDiscrete(distribution: Pick<Distribution, "family" | "components">): boolean {
  const { support, discrete } = families[distribution.family];
  return support === "components" ? isDiscrete(distribution.components![0]) : discrete;
}

/** The family of responses in windows, for which PyMC has no name: a function of programs stands for it. */
export const windowedFamily: FamilyName = "windowed";

const byName: ReadonlyMap<string, FamilyName> = new Map(
  (Object.keys(table) as FamilyName[]).filter((one) => one !== windowedFamily).flatMap((
    family,
  ) => families[family].signature.names.map((name) => [name, family] as const)),
);

/**
 * The family that `pm.NAME` stands for.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { familyOf } from "./table.ts";
 * assert.equal(familyOf("Lognormal"), "log_normal");
 * ```
 */
export function familyOf(name: string): FamilyName | undefined {
  return byName.get(name);
}

/** `pm.` names of all families. */
export const distributionNames: readonly string[] = [...byName.keys()];
