/** The one vector behind every balance objective: the potentials Φ of a trajectory's states. */
import type { ObjectiveResult } from "../objective.ts";
import type { Batch, Scores } from "../trajectory.ts";
import type { ResidualLoss } from "./residual_loss.ts";

/**
 * Potentials of trajectory `b`: Φ_t = A_t − log F(s_t) for its n states, and Φ_n = A_n − log R(x)
 * for its terminal node, where A_t = Σ_{k<t} (log P_F − log P_B). The balance residual of the
 * sub-trajectory from i to j is Φ_j − Φ_i, so every balance objective is a weighted sum over
 * differences of this one vector. Centred, which changes no difference and saves digits.
 *
 * @param logFlow log F(s_t) of state `t`, 0 ≤ t < n.
 * @returns `[n + 1]`.
 */
export function potentials(
  scores: Scores,
  batch: Batch,
  b: number,
  logFlow: (t: number) => number,
): Float64Array {
  const n = batch.lengths[b];
  const phi = new Float64Array(n + 1);
  let sum = 0;
  for (let t = 0; t < n; t++) {
    phi[t] = sum - logFlow(t);
    sum += scores.logPf[b * batch.T + t] - batch.logPb[b * batch.T + t];
  }
  phi[n] = sum - batch.logReward[b * batch.T + n - 1];
  return centre(phi);
}

function centre(phi: Float64Array): Float64Array {
  const mean = phi.reduce((sum, x) => sum + x, 0) / phi.length;
  return phi.map((x) => x - mean);
}

/** A loss over one vector of potentials, and its gradient `[n + 1]`. */
export interface PotentialLoss {
  /** Weighted mean over pairs. */
  readonly loss: number;
  /** dLoss/dΦ. */
  readonly gradient: Float64Array;
}

/**
 * Σ_{i<j} w(j − i) g(Φ_j − Φ_i) / Σ_{i<j} w(j − i): a weighted graph over the positions of a
 * trajectory, normalised within it. O(n²), which for trajectories of programs is nothing.
 */
export function pairwiseLoss(
  phi: Float64Array,
  weight: (distance: number) => number,
  residual: ResidualLoss,
): PotentialLoss {
  const gradient = new Float64Array(phi.length);
  let [loss, total] = [0, 0];
  for (let j = 1; j < phi.length; j++) {
    for (let i = 0; i < j; i++) {
      const w = weight(j - i);
      if (w === 0) continue;
      total += w;
      loss += w * residual.value(phi[j] - phi[i]);
      const force = w * residual.derivative(phi[j] - phi[i]);
      gradient[j] += force;
      gradient[i] -= force;
    }
  }
  return { loss: loss / total, gradient: gradient.map((x) => x / total) };
}

/** Gradients with respect to a batch's scores, all zero, to be filled. */
export function zeroGradients(batch: Batch): Writable<ObjectiveResult["gradients"]> {
  const zeros = () => new Float64Array(batch.B * batch.T);
  return { logPf: zeros(), logExit: zeros(), logFlow: zeros(), logZ: 0 };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The learned log F of state (b, t): log Z + head(s_t) − head(s_0). So log F of the initial state is
 * log Z itself, a scalar with its own learning rate, and the head only describes differences
 * within the tree, however large the rewards are.
 */
export function learnedLogFlow(scores: Scores, batch: Batch, logZ: number, b: number, t: number) {
  const row = b * batch.T;
  return logZ + scores.logFlow[row + t] - scores.logFlow[row];
}

/** Adds the gradient of `force` times {@linkcode learnedLogFlow}. */
export function addFlowGradient(
  gradients: Writable<ObjectiveResult["gradients"]>,
  batch: Batch,
  b: number,
  t: number,
  force: number,
): void {
  const row = b * batch.T;
  gradients.logFlow[row + t] += force;
  gradients.logFlow[row] -= force;
  gradients.logZ += force;
}

/**
 * Adds to `gradients.logPf` what dLoss/dΦ of trajectory `b` says about its actions: Φ_t holds
 * log P_F of every action before t, hence a sum over the nodes behind it.
 */
export function addActionGradients(
  logPf: Float64Array,
  batch: Batch,
  b: number,
  phiGradient: Float64Array,
  scale: number,
): void {
  let behind = 0;
  for (let t = batch.lengths[b] - 1; t >= 0; t--) {
    behind += phiGradient[t + 1];
    logPf[b * batch.T + t] += scale * behind;
  }
}
