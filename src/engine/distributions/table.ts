/** The table of all families, and the lookup from PyMC's names. */
import { type FamilyName, familyNames } from "../ir/family_names.ts";
import type { Distribution } from "../ir/program.ts";
import { categorical, orderedLogistic, orderedProbit } from "./categories.ts";
import { censored, truncated } from "./bounded.ts";
import { mixture, normalMixture } from "./mixtures.ts";
import {
  bernoulli,
  betaBinomial,
  binomial,
  discreteUniform,
  discreteWeibull,
  geometric,
  hypergeometric,
  negativeBinomial,
  poisson,
} from "./counts.ts";
import {
  hurdleGamma,
  hurdleLogNormal,
  hurdleNegativeBinomial,
  hurdlePoisson,
  zeroInflatedBinomial,
  zeroInflatedNegativeBinomial,
  zeroInflatedPoisson,
} from "./extra_zeros.ts";
import type { FamilyDefinition } from "./family.ts";
import {
  beta,
  kumaraswamy,
  logitNormal,
  triangular,
  truncatedNormal,
  uniform,
  vonMises,
} from "./interval.ts";
import type { Lookup } from "./lookup.ts";
import { lkjCholeskyCov, mvNormal, mvStudentT } from "./matrices.ts";
import {
  chiSquared,
  exponential,
  gamma,
  halfCauchy,
  halfFlat,
  halfNormal,
  halfStudentT,
  inverseGamma,
  logNormal,
} from "./positive.ts";
import { asymmetricLaplace, exGaussian, gumbel, moyal, skewNormal } from "./asymmetric.ts";
import { cauchy, flat, laplace, logistic, normal, studentT } from "./real_line.ts";
import { pareto, rice, wald, weibull } from "./lifetimes.ts";
import { autoregression, gaussianRandomWalk } from "./series.ts";
import { dirichlet, dirichletMultinomial, multinomial, zeroSumNormal } from "./vectors.ts";

/** Distributions that are made of others find them here once the table stands. */
const lookup: Lookup = (name) => families[name];

/** One entry per family: a family without an entry does not compile. */
export const families: { readonly [name in FamilyName]: FamilyDefinition } = {
  normal,
  half_normal: halfNormal,
  log_normal: logNormal,
  truncated_normal: truncatedNormal,
  student_t: studentT,
  half_student_t: halfStudentT,
  cauchy,
  half_cauchy: halfCauchy,
  exponential,
  gamma,
  inverse_gamma: inverseGamma,
  chi_squared: chiSquared,
  weibull,
  beta,
  uniform,
  triangular,
  laplace,
  asymmetric_laplace: asymmetricLaplace,
  logistic,
  logit_normal: logitNormal,
  gumbel,
  moyal,
  skew_normal: skewNormal,
  ex_gaussian: exGaussian,
  wald,
  pareto,
  rice,
  kumaraswamy,
  von_mises: vonMises,
  flat,
  half_flat: halfFlat,
  bernoulli,
  binomial,
  poisson,
  negative_binomial: negativeBinomial,
  geometric,
  hypergeometric,
  beta_binomial: betaBinomial,
  discrete_uniform: discreteUniform,
  discrete_weibull: discreteWeibull,
  zero_inflated_poisson: zeroInflatedPoisson,
  zero_inflated_binomial: zeroInflatedBinomial,
  zero_inflated_negative_binomial: zeroInflatedNegativeBinomial,
  hurdle_poisson: hurdlePoisson,
  hurdle_negative_binomial: hurdleNegativeBinomial,
  hurdle_gamma: hurdleGamma,
  hurdle_log_normal: hurdleLogNormal,
  categorical,
  ordered_logistic: orderedLogistic,
  ordered_probit: orderedProbit,
  dirichlet,
  multinomial,
  dirichlet_multinomial: dirichletMultinomial,
  mv_normal: mvNormal,
  mv_student_t: mvStudentT,
  lkj_cholesky_cov: lkjCholeskyCov(lookup),
  zero_sum_normal: zeroSumNormal,
  gaussian_random_walk: gaussianRandomWalk(lookup),
  ar: autoregression(lookup),
  mixture: mixture(lookup),
  normal_mixture: normalMixture,
  truncated: truncated(lookup),
  censored: censored(lookup),
};

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

const byName: ReadonlyMap<string, FamilyName> = new Map(
  familyNames.flatMap((family) =>
    families[family].signature.names.map((name) => [name, family] as const)
  ),
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
