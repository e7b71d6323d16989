/** A program as a file of its own: loads the data, samples and scores itself in PyMC. */
import type { DatasetJson } from "../base/dataset.ts";

export type RunData = DatasetJson;

/** What stands in the file's heading. */
export interface ProgramFacts {
  readonly text: string;
  readonly features: readonly string[];
  readonly target: number;
  readonly elpd_loo: number | null;
  readonly se: number | null;
}

/** Python source; the program's text stands in it unchanged. */
export function standaloneProgram(facts: ProgramFacts, data: RunData): string {
  const { text, features, target, elpd_loo, se } = facts;
  const score = elpd_loo === null
    ? "could not be scored"
    : `ELPD-LOO ${elpd_loo.toFixed(2)} ± ${(se ?? 0).toFixed(2)}`;
  return `"""${features.join(", ")}

Weight ${(100 * target).toFixed(3)} % of the target; ${score} on "${data.name}".
Run it beside data.csv: it samples and scores itself with PyMC and ArviZ.
"""
from pathlib import Path

import pandas as pd

data = pd.read_csv(Path(__file__).with_name("data.csv"))

${text.trim()}

if __name__ == "__main__":
    import arviz as az

    with model:
        trace = pm.sample(
            draws=1000, tune=1000, chains=4, random_seed=1, idata_kwargs={"log_likelihood": True}
        )
    print(az.summary(trace))
    print(az.loo(trace))
`;
}
