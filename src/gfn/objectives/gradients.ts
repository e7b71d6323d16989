/** What an objective fills: the gradients of its loss by the scores of a batch. */
import type { ObjectiveResult } from "./objective.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";

/** Gradients with respect to a batch's scores, to be filled. */
export type Gradients = {
  -readonly [K in keyof ObjectiveResult["gradients"]]: ObjectiveResult["gradients"][K];
};

/** Gradients that are all zero; with log P_B where the scores have a learned one. */
export function zeroGradients(batch: Batch, scores: Scores): Gradients {
  const zeros = () => new Float64Array(batch.B * batch.T);
  const gradients = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), logZ: 0 };
  return scores.logPb ? { ...gradients, logPb: zeros() } : gradients;
}
