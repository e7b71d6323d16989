/** Families of the response of regressions that policies for many data sets are trained on. */

/** Names in a pipeline; binomial has Bernoulli, single trials, among its data sets. */
export const regressionFamilies = ["normal", "student_t", "poisson", "binomial"] as const;

/** One of {@linkcode regressionFamilies}. */
export type RegressionFamily = (typeof regressionFamilies)[number];

/** Families whose rewards have no closed form. */
export type OtherFamily = Exclude<RegressionFamily, "normal">;

/** Whether responses are counts or successes, which have no unit. */
export function isCounted(family: RegressionFamily | undefined): boolean {
  return family === "poisson" || family === "binomial";
}

/** Families of programs that a policy of one answers about, as the model space calls them. */
export function answeredFamilies(family: RegressionFamily): readonly string[] {
  return family === "binomial" ? ["bernoulli", "binomial"] : [family];
}
