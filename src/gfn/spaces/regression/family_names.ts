/** The families of a response in a space of regressions. */
export const familyNames = [
  ...["normal", "student_t"] as const,
  ...["log_normal", "gamma", "exponential", "hurdle_log_normal", "hurdle_gamma"] as const,
  ...["poisson", "negative_binomial", "zero_inflated_poisson"] as const,
  ...["zero_inflated_negative_binomial", "hurdle_poisson", "hurdle_negative_binomial"] as const,
  ...["zero_truncated_poisson", "zero_truncated_negative_binomial"] as const,
  ...["bernoulli", "bernoulli_probit", "bernoulli_cloglog"] as const,
  ...["binomial", "binomial_probit", "binomial_cloglog"] as const,
  ...["beta_binomial", "zero_inflated_binomial", "beta", "zero_inflated_beta"] as const,
  "categorical",
] as const;

/** Name of a family. */
export type FamilyName = (typeof familyNames)[number];
