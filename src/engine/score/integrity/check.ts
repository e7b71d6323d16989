/** Checks that the likelihood of a program is a distribution at any parameters. */
import type { Dataset } from "../../../base/dataset.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import { importanceTolerance, type LikelihoodCheck, massTolerance } from "./bounds.ts";
import { importanceIdentity } from "./importance_identity.ts";
import { distributionsAtPrior, type RowDistributions } from "./distribution_at.ts";
import { totalMass } from "./total_mass.ts";

/** Numbers that quadrature may compute for one program: about five seconds. */
const massWork = 1e8;

/**
 * Checks the likelihood of a program at parameters drawn from their priors; undefined if the
 * response is not a number per row.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { checkProgram } from "../../language/mod.ts";
 * import { checkLikelihoodMass } from "./check.ts";
 * const text = `import pymc as pm
 *
 * with pm.Model() as model:
 *     mean = pm.Normal("mean", 0, 1)
 *     pm.Normal("y", mean, 1, observed=data["y"])
 * `;
 * const values = Float64Array.of(0.5, -0.2, 1.1);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * const checked = checkProgram(text, data);
 * assert(checked.ok);
 * const { holds, massError } = checkLikelihoodMass(checked.program, data, 2)!;
 * assert(holds && massError < 1e-6);
 * ```
 *
 * @param draws of the parameters.
 */
export function checkLikelihoodMass(
  program: CheckedProgram,
  dataset: Dataset,
  draws: number,
): LikelihoodCheck | undefined {
  const key = ["integrity", program.hash, dataset.digest];
  const distributions = distributionsAtPrior(program, dataset, draws, key);
  return distributions && checkDistributions(distributions, key);
}

/** Checks distributions, one for each value of the parameters. */
export function checkDistributions(
  distributions: readonly RowDistributions[],
  key: readonly (string | number)[],
  work: number = massWork,
): LikelihoodCheck {
  const limit = { left: work };
  let notShown = 0;
  let massError = 0;
  let importanceZ: number | undefined;
  for (const [s, distribution] of distributions.entries()) {
    const { masses, notShown: open } = totalMass(distribution, [...key, s], limit);
    // Nodes that meet no peak find no mass: too little mass is "not shown", too much is an error.
    const unseen = masses.filter((mass) => mass < 1 - massTolerance).length;
    for (const mass of masses) {
      if (!(mass < 1 - massTolerance)) massError = Math.max(massError, distance(mass));
    }
    notShown += open + unseen;
    // Two hundred draws do not meet peaks that quadrature has not come to the end of.
    if (distribution.discrete || distribution.atoms.length > 0 || open + unseen > 0) continue;
    const { mean, standardError } = importanceIdentity(distribution, 200, [...key, s]);
    importanceZ = Math.max(importanceZ ?? 0, distance(mean) / Math.max(standardError, 1e-12));
  }
  const holds = notShown === 0 && massError <= massTolerance &&
    (importanceZ ?? 0) <= importanceTolerance;
  const count = distributions.reduce((sum, { rows }) => sum + rows, 0);
  return {
    distributions: count,
    massError,
    ...(importanceZ === undefined ? {} : { importanceZ }),
    notShown,
    holds,
  };
}

function distance(mass: number): number {
  return Number.isNaN(mass) ? Infinity : Math.abs(mass - 1);
}
