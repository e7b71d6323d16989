/** Stages that pipelines of tests have in common, so that each says what is its own. */

/** The lengths of dugongs by their age, recorded to a hundredth. */
export const dugongsData = `[stages.data]
kind = "dataset"
path = "data/dugongs.csv"
[stages.data.columns]
age = { role = "predictor" }
length = { role = "response", resolution = 0.01 }
`;

/** Fit and prior of `programs` on `data`; `judge` is a built-in one, or the path of a module. */
export function fitAndPrior(judge = "elpd_loo"): string {
  return `[stages.target]
kind = "target"
inputs = { environment = "programs", data = "data" }
log_reward = [{ judge = "${judge}" }, { judge = "log_prior" }]
`;
}

/** A policy that knows nothing yet. */
export const freshTable = `[stages.fresh]
kind = "policy"
inputs = { environment = "programs" }
policy = { kind = "table" }
`;
