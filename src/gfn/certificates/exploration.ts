/** Results of an explorer: objects it asked for, objects it saw, and samples near the target. */
import type { RandomStream } from "../../base/random.ts";
import type { Estimate } from "../evaluation/importance_estimates.ts";
import type { Scored } from "./scored_objects.ts";

/** A weighted sample of the target by an explorer. */
export interface WeightedObject {
  /** Text of the object, which identifies it. */
  readonly text: string;
  /** Up to a constant of all groups together. */
  readonly logWeight: number;
}

/** Budget and randomness of an explorer. */
export interface ExplorerOptions {
  /** Objects that it may be the first to ask the reward of. */
  readonly limit: number;
  readonly random: RandomStream;
}

/** Work and finds of one explorer. */
export interface Exploration {
  /** `sequential_monte_carlo`, `metropolis_hastings`, `local_search` … */
  readonly name: string;
  /** True if it depends on the policy under evaluation. */
  readonly consultsPolicy: boolean;
  /** True if it is to bring back samples of the target, false if finds alone. */
  readonly samples: boolean;
  /** Objects that it was the first to ask for. */
  readonly evaluations: number;
  /** Everything that it saw. */
  readonly found: ReadonlyMap<string, Scored>;
  /** Independent groups (islands, chains) of samples of the target; none of a plain search. */
  readonly groups: readonly (readonly WeightedObject[])[];
  /** Independent samples of the target that its samples amount to; none if left out. */
  readonly effective?: number;
  /** Independent draws from the prior, all of which it scored; none if left out. */
  readonly priorDraws?: number;
  /** Its estimate of log Z, where it has one. */
  readonly logZ?: Estimate;
}
