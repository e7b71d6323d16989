/** Findings on a likelihood, and how far it may be from an honest one. */

/** Findings about one program. */
export interface LikelihoodCheck {
  /** Distributions that were checked: rows times draws of the parameters. */
  readonly distributions: number;
  /** Largest distance from 1 of a total mass that is not less. */
  readonly massError: number;
  /** Largest distance of an importance mean from 1, in standard errors; absent for counts. */
  readonly importanceZ?: number;
  /** Distributions whose mass was not shown to be 1: a comb of narrow teeth has more corners than there is time for. */
  readonly notShown: number;
  /** Both within their bounds, and all of them shown. */
  readonly holds: boolean;
}

/** How far a total mass may be from 1. */
export const massTolerance = 1e-6;
/** How many standard errors an importance mean may be from 1. */
export const importanceTolerance = 4;
