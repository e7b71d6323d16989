/** The table of all families: what the engine knows of each. */
import type { Family } from "../../lang/graph.ts";
import type { FamilyRule } from "../term.ts";
import { beta, truncatedNormal, uniform } from "./bounded.ts";
import { exponential, gamma, inverseGamma, weibull } from "./gamma.ts";
import { halfNormal, logNormal, normal } from "./normal.ts";
import { gumbel, laplace, logistic, skewNormal } from "./real_line.ts";
import { cauchy, halfCauchy, halfStudentT, studentT } from "./student_t.ts";

/** Log densities in PyMC's parametrisation, constants included. */
export const familyRules: { readonly [family in Family]: FamilyRule } = {
  normal,
  half_normal: halfNormal,
  log_normal: logNormal,
  student_t: studentT,
  half_student_t: halfStudentT,
  cauchy,
  half_cauchy: halfCauchy,
  exponential,
  gamma,
  inverse_gamma: inverseGamma,
  weibull,
  beta,
  uniform,
  laplace,
  logistic,
  gumbel,
  skew_normal: skewNormal,
  truncated_normal: truncatedNormal,
};
