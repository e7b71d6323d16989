/** The objective's interface: a pure function from scores to a loss and its gradients, in f64. */
import type { Batch, ScoreGradients, Scores } from "./trajectory.ts";

/** What an objective may read beside scores and batch. */
export interface ObjectiveState {
  /** Estimate of log Z; learned by the learner where `gradients.logZ` is not 0. */
  readonly logZ: number;
  /** Parameters of the objective as the pipeline wrote them, e.g. `lambda`, `flow`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What an objective returns. */
export interface ObjectiveResult {
  /** Mean over trajectories. */
  readonly loss: number;
  /** dLoss/dScores and dLoss/dlogZ. */
  readonly gradients: ScoreGradients & { readonly logZ: number };
  /** Named numbers for the `metric` table. */
  readonly metrics: Readonly<Record<string, number>>;
}

/** Pure; called once per gradient step. */
export type ObjectiveFunction = (
  scores: Scores,
  batch: Batch,
  state: ObjectiveState,
) => ObjectiveResult;

/** An objective with its name, and what it needs of the learner. */
export interface Objective {
  /** As a pipeline and the `metric` table call it. */
  readonly name: string;
  /** Raised whenever the same scores would give another loss. */
  readonly version: number;
  /** True if the learner keeps a log Z for it and learns it. */
  readonly learnsLogZ: boolean;
  /** The objective itself. */
  readonly evaluate: ObjectiveFunction;
}

/**
 * Makes an objective of one's own: the default export of a module that a pipeline names by path.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineObjective } from "./objective.ts";
 * const nothing = defineObjective({
 *   name: "nothing",
 *   version: 1,
 *   learnsLogZ: false,
 *   evaluate: ({ logPf, logExit, logFlow }) => ({
 *     loss: 0,
 *     gradients: {
 *       logPf: new Float64Array(logPf.length),
 *       logExit: new Float64Array(logExit.length),
 *       logFlow: new Float64Array(logFlow.length),
 *       logZ: 0,
 *     },
 *     metrics: {},
 *   }),
 * });
 * assert.equal(nothing.name, "nothing");
 * ```
 */
export function defineObjective(objective: Objective): Objective {
  return objective;
}
