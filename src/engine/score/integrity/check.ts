/** What must hold of every honest likelihood, checked on a program: it is a distribution at any parameters. */
import type { Dataset } from "../../../base/dataset.ts";
import type { CheckedProgram } from "../../ir/program.ts";
import { importanceIdentity } from "./importance_identity.ts";
import { distributionsAtPrior, type RowDistributions } from "./distribution_at.ts";
import { totalMass } from "./total_mass.ts";

/** Findings about one program. */
export interface LikelihoodCheck {
  /** Distributions that were checked: rows times draws of the parameters. */
  readonly distributions: number;
  /** Largest distance of a total mass from 1. */
  readonly massError: number;
  /** Largest distance of an importance mean from 1, in standard errors; absent for counts. */
  readonly importanceZ?: number;
  /** Both within their bounds. */
  readonly holds: boolean;
}

/** How far a total mass may be from 1. */
export const massTolerance = 1e-6;
/** How many standard errors an importance mean may be from 1. */
export const importanceTolerance = 4;

/**
 * Checks the likelihood of a program at parameters drawn from their priors; undefined if the
 * response is not a number per row.
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
): LikelihoodCheck {
  let massError = 0;
  let importanceZ: number | undefined;
  for (const [s, distribution] of distributions.entries()) {
    for (const mass of totalMass(distribution, [...key, s])) {
      massError = Math.max(massError, distance(mass));
    }
    if (distribution.discrete || distribution.atoms.length > 0) continue;
    const { mean, standardError } = importanceIdentity(distribution, 200, [...key, s]);
    importanceZ = Math.max(importanceZ ?? 0, distance(mean) / Math.max(standardError, 1e-12));
  }
  const holds = massError <= massTolerance && (importanceZ ?? 0) <= importanceTolerance;
  const count = distributions.reduce((sum, { rows }) => sum + rows, 0);
  return {
    distributions: count,
    massError,
    ...(importanceZ === undefined ? {} : { importanceZ }),
    holds,
  };
}

function distance(mass: number): number {
  return Number.isNaN(mass) ? Infinity : Math.abs(mass - 1);
}
