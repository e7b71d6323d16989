/** The keys of a model space in a pipeline. */
import type { SpaceName } from "./space_names.ts";
import type { SpacePriors } from "./writing/priors.ts";

/** Declaration of a space in a pipeline; `spaceKeys` has the keys of each kind. */
export interface SpaceSpec {
  /** Kind of space: `regression`, `growth`. */
  readonly space: SpaceName;
  /** Formula in the notation of brms, open questions in brackets. */
  readonly formula: string;
  /** Observation models that are in question; those that suit the response if left out. */
  readonly families?: readonly string[];
  /** Curves that are in question; all of the kind if left out. */
  readonly curves?: readonly string[];
  /** Kernels that are in question; all of the kind if left out. */
  readonly kernels?: readonly string[];
  /** Period of a season or a periodic kernel, in rows or units of x. */
  readonly period?: number;
  /** Most levels of sums and products of kernels. */
  readonly depth?: 1 | 2;
  /** Priors of coefficients and answers; those of the kind if left out. */
  readonly priors?: SpacePriors;
  /** `all` reports the intercept and the parameters of families beside the terms. */
  readonly effects?: "terms" | "all";
  /** False lets interactions be in where their margins are out. */
  readonly margins?: boolean;
}
