/** Gradients of an objective's loss by the scores of a batch. */
import type { ObjectiveResult, ObjectiveState } from "./objective.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";

/** Gradients with respect to a batch's scores, to be filled. */
export type Gradients =
  & {
    -readonly [K in keyof ObjectiveResult["gradients"]]: ObjectiveResult["gradients"][K];
  }
  & { readonly logZs: Float64Array };

/** Gradients that are all zero; with log P_B where the scores have a learned one. */
export function zeroGradients(batch: Batch, scores: Scores): Gradients {
  const zeros = () => new Float64Array(batch.B * batch.T);
  const gradients = {
    logPf: zeros(),
    logExit: zeros(),
    logFlow: zeros(),
    logZ: 0,
    logZs: new Float64Array(batch.B),
  };
  return scores.logPb ? { ...gradients, logPb: zeros() } : gradients;
}

/** Estimates of log Z: of the batch, and by trajectory. */
export type LogZ = Pick<ObjectiveState, "logZ" | "logZs">;

/** log Z of the prompt that trajectory `b` answers. */
export function logZOf({ logZ, logZs }: LogZ, b: number): number {
  return logZs ? logZs[b] : logZ;
}

/** Adds the part that trajectory `b` has in dLoss/dlogZ. */
export function addLogZGradient(gradients: Gradients, b: number, force: number): void {
  gradients.logZ += force;
  gradients.logZs[b] += force;
}
