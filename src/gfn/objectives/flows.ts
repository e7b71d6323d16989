/** Sources of log F of a state: a learned head, the reward of stopping there, or both. */
import { InputError } from "../../base/diagnostic.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";
import { addLogZGradient, type Gradients, type LogZ, logZOf } from "./gradients.ts";

/** log F of every state of a batch, and its source: the head, or the exit. */
export interface StateFlows {
  /** `[B, T]`. */
  readonly logFlow: Float64Array;
  /** `[B, T]`: 1 where log F = log R − log P_F(exit), 0 where it is learned. */
  readonly exact: Uint8Array;
}

/**
 * The learned flow: log Z + head(s_t) − head(s_0). So log F of the initial state is log Z itself
 * (that of the prompt, where there are prompts), a scalar with its own learning rate, and the head only describes differences within the
 * environment, however large the rewards are.
 */
export function learnedFlows(scores: Scores, batch: Batch, logZ: LogZ): StateFlows {
  const logFlow = new Float64Array(batch.B * batch.T);
  for (let b = 0; b < batch.B; b++) {
    const row = b * batch.T;
    const start = logZOf(logZ, b) - scores.logFlow[row];
    for (let t = 0; t < batch.lengths[b]; t++) logFlow[row + t] = start + scores.logFlow[row + t];
  }
  return { logFlow, exact: new Uint8Array(batch.B * batch.T) };
}

/**
 * The hybrid: where the exit is legal, flow conservation on the exit edge gives log F(s) =
 * log R(s⊤) − log P_F(⊤|s) (Deleu et al. 2022, arXiv 2202.13903; Hu et al. 2024,
 * arXiv 2310.04363); elsewhere the flow is learned.
 */
export function exactWhereTerminable(scores: Scores, batch: Batch, logZ: LogZ): StateFlows {
  const { logFlow } = learnedFlows(scores, batch, logZ);
  const exact = batch.terminable.slice();
  for (let at = 0; at < exact.length; at++) {
    if (exact[at] === 1) logFlow[at] = batch.logReward[at] - scores.logExit[at];
  }
  return { logFlow, exact };
}

/**
 * The forward-looking flow (Pan et al. 2023, arXiv 2302.01687): log F(s) = log F̃(s) +
 * log R̃(s) with a partial reward R̃ that is known in every state, so that the head only learns
 * the rest of the flow. Shifted so that log F of the initial state is log Z.
 *
 * @param partial `[B, T]`: log R̃ of each state, a function of the state alone.
 */
export function forwardLookingFlows(
  scores: Scores,
  batch: Batch,
  logZ: LogZ,
  partial: Float64Array,
): StateFlows {
  const flows = learnedFlows(scores, batch, logZ);
  for (let b = 0; b < batch.B; b++) {
    const row = b * batch.T;
    for (let t = 0; t < batch.lengths[b]; t++) {
      flows.logFlow[row + t] += partial[row + t] - partial[row];
    }
  }
  return flows;
}

/** Adds the gradients of the flows of trajectory `b`, given dLoss/dΦ; Φ = A − log F. */
export function addFlowGradients(
  gradients: Gradients,
  batch: Batch,
  b: number,
  { exact }: StateFlows,
  force: Float64Array,
): void {
  const row = b * batch.T;
  let learned = 0;
  for (let t = 0; t < batch.lengths[b]; t++) {
    if (exact[row + t] === 1) gradients.logExit[row + t] += force[t];
    else {
      gradients.logFlow[row + t] -= force[t];
      learned -= force[t];
    }
  }
  gradients.logFlow[row] -= learned;
  addLogZGradient(gradients, b, learned);
}

/** Mean over trajectories of log F(s_0). */
export function meanInitialFlow({ logFlow }: StateFlows, batch: Batch): number {
  let sum = 0;
  for (let b = 0; b < batch.B; b++) sum += logFlow[b * batch.T];
  return sum / batch.B;
}

/**
 * For objectives that need the reward of stopping in every state.
 *
 * @throws InputError if some state of the batch is not a complete object.
 */
export function requireTerminable(
  name: string,
  batch: Batch,
  hint = 'use "sub_trajectory_balance" with flow = "exact_where_terminable"',
): void {
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0; t < batch.lengths[b]; t++) {
      if (batch.terminable[b * batch.T + t] === 1) continue;
      const { kind } = batch.environment;
      const message = `Cannot use the objective "${name}" on the ${kind} environment: ` +
        "the exit is not legal in every state";
      throw new InputError([{
        code: "objective/not-terminable",
        severity: "error",
        message,
        hint,
      }]);
    }
  }
}
