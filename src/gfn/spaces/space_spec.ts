/** The keys of a model space in a pipeline. */
import type { SpaceName } from "./space_names.ts";
import type { SpacePriors } from "./writing/priors.ts";

/** What a pipeline says of a space; which keys a kind has is in `spaceKeys`. */
export interface SpaceSpec {
  readonly space: SpaceName;
  readonly formula: string;
  readonly families?: readonly string[];
  readonly curves?: readonly string[];
  readonly kernels?: readonly string[];
  readonly period?: number;
  readonly depth?: 1 | 2;
  readonly priors?: SpacePriors;
  readonly margins?: boolean;
}
