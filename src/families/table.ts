/** The table of all families, and the lookup from PyMC's names. */
import { type FamilyName, familyNames } from "../graph/family_names.ts";
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
  pareto,
  rice,
  wald,
  weibull,
} from "./positive.ts";
import {
  asymmetricLaplace,
  cauchy,
  exGaussian,
  flat,
  gumbel,
  laplace,
  logistic,
  moyal,
  normal,
  skewNormal,
  studentT,
} from "./real_line.ts";

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
};

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
