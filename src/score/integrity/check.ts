/** What must hold of every honest likelihood, checked on a program: it is a law at any parameters. */
import type { Dataset } from "../../base/dataset.ts";
import type { CheckedProgram } from "../../graph/program.ts";
import { importanceIdentity } from "./importance.ts";
import { lawsAtPrior, type RowLaws } from "./law_at.ts";
import { totalMass } from "./total_mass.ts";

/** Findings about one program. */
export interface LikelihoodCheck {
  /** Laws that were checked: rows times draws of the parameters. */
  readonly laws: number;
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
  const laws = lawsAtPrior(program, dataset, draws, key);
  return laws && checkLaws(laws, key);
}

/** Checks laws, one for each value of the parameters. */
export function checkLaws(
  laws: readonly RowLaws[],
  key: readonly (string | number)[],
): LikelihoodCheck {
  let massError = 0;
  let importanceZ: number | undefined;
  for (const [s, law] of laws.entries()) {
    for (const mass of totalMass(law, [...key, s])) {
      massError = Math.max(massError, distance(mass));
    }
    if (law.discrete || law.atoms.length > 0) continue;
    const { mean, standardError } = importanceIdentity(law, 200, [...key, s]);
    importanceZ = Math.max(importanceZ ?? 0, distance(mean) / Math.max(standardError, 1e-12));
  }
  const holds = massError <= massTolerance && (importanceZ ?? 0) <= importanceTolerance;
  const count = laws.reduce((sum, { rows }) => sum + rows, 0);
  return { laws: count, massError, ...(importanceZ === undefined ? {} : { importanceZ }), holds };
}

function distance(mass: number): number {
  return Number.isNaN(mass) ? Infinity : Math.abs(mass - 1);
}
