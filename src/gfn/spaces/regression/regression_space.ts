/** Options of a space of regressions. */
import type { Formula } from "../formula/formula.ts";
import type { SpacePriors } from "../writing/priors.ts";
import type { FamilyName } from "./family_names.ts";

/** The parts from which a space of regressions is made. */
export interface RegressionSpace {
  readonly formula: Formula;
  /** Families, equally likely a priori unless `priors` gives others. */
  readonly families: readonly FamilyName[];
  /**
   * Prior probabilities of a question's answers: of `in` for an optional term, by answer for
   * alternatives and `family`. Those of an interaction hold where its margins are in.
   */
  readonly priors?: SpacePriors;
  /** `all`: the intercept and the parameters of families are reported beside the terms. */
  readonly effects?: "terms" | "all" | undefined;
  /** False: interactions may be in without the terms that they are made of. */
  readonly margins?: boolean;
}
