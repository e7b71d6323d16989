/** The objective's interface: a pure function from scores to a loss and its gradients, in f64. */
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";

/** What an objective may read beside scores and batch. */
export interface ObjectiveState {
  /** Estimate of log Z; learned by the learner where `gradients.logZ` is not 0. */
  readonly logZ: number;
  /** Parameters of the objective as the pipeline wrote them, e.g. `lambda`, `flow`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /**
   * Scores of this batch before the first of several steps on it, for objectives that bound how
   * far those steps go; absent at the first.
   */
  readonly first?: Scores;
  /** Share of the training that is over, in [0, 1); 0 if left out. */
  readonly fraction?: number;
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
  /** True if its expectation is right for trajectories of the policy itself only: no replay. */
  readonly onPolicy?: boolean;
  /** Gradient steps on one batch, from 1; 1 if left out. Each is given the scores of the first. */
  readonly stepsPerBatch?: (parameters: ObjectiveState["parameters"]) => number;
  /**
   * One sentence for summary and certificate where the optimum is not R / Z with these
   * parameters; undefined where it is. Left out: it always is.
   */
  readonly movesOptimum?: (parameters: ObjectiveState["parameters"]) => string | undefined;
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
