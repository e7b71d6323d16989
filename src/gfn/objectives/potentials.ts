/** The one vector behind every balance objective: the potentials Φ of a trajectory's states. */
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import { addFlowGradients, type StateFlows } from "./flows.ts";
import { type Gradients, zeroGradients } from "./gradients.ts";
import type { ResidualLoss } from "./residual_loss.ts";

/** log P_B of each step: learned where the policy has one, else uniform over parents. */
function logPbOf(scores: Scores, batch: Batch): Float64Array {
  return scores.logPb ?? batch.logPb;
}

/**
 * Writes the potentials of trajectory `b` into `phi` and returns its number of actions n:
 * Φ_t = A_t − log F(s_t) for its n states, and Φ_n = A_n − log R(x) for its terminal node, where
 * A_t = Σ_{k<t} (log P_F − log P_B). The balance residual of the sub-trajectory from i to j is
 * Φ_j − Φ_i, so every balance objective is a weighted sum over differences of this one vector.
 * Centred, which changes no difference and saves digits.
 *
 * @param phi At least n + 1 long.
 * @param logFlow `[B, T]`.
 */
function fillPotentials(
  phi: Float64Array,
  scores: Scores,
  batch: Batch,
  b: number,
  logFlow: Float64Array,
): number {
  const [n, row, logPb] = [batch.lengths[b], b * batch.T, logPbOf(scores, batch)];
  let [sum, mean] = [0, 0];
  for (let t = 0; t < n; t++) {
    phi[t] = sum - logFlow[row + t];
    mean += phi[t];
    sum += scores.logPf[row + t] - logPb[row + t];
  }
  phi[n] = sum - batch.logReward[row + n - 1];
  mean = (mean + phi[n]) / (n + 1);
  for (let t = 0; t <= n; t++) phi[t] -= mean;
  return n;
}

/** Which differences of Φ are to vanish: adds to `gradient` and returns the loss. */
export interface BalanceGraph {
  /**
   * The loss of one trajectory.
   *
   * @param phi Its potentials; n + 1 of them count.
   * @param gradient dLoss/dΦ, all 0 before; at least n + 1 long.
   * @param b Which trajectory of the batch it is.
   */
  loss(phi: Float64Array, n: number, gradient: Float64Array, b: number): number;
  /** Residuals so far beyond the limit of an exponential. */
  readonly beyondLimit: number;
}

/**
 * The mean over trajectories of a graph's loss, with all its gradients: a balance objective only
 * chooses flows and differences.
 */
export function evaluateBalance(
  scores: Scores,
  batch: Batch,
  flows: StateFlows,
  graph: BalanceGraph,
): { readonly loss: number; readonly gradients: Gradients } {
  const gradients = zeroGradients(batch, scores);
  const [phi, force] = [new Float64Array(batch.T + 1), new Float64Array(batch.T + 1)];
  const scale = 1 / batch.B;
  let total = 0;
  for (let b = 0; b < batch.B; b++) {
    const n = fillPotentials(phi, scores, batch, b, flows.logFlow);
    force.fill(0);
    total += graph.loss(phi, n, force, b);
    for (let t = 0; t <= n; t++) force[t] *= scale;
    addActionGradients(gradients, batch, b, force);
    addFlowGradients(gradients, batch, b, flows, force);
  }
  return { loss: total / batch.B, gradients };
}

/**
 * Adds the gradients of the actions of trajectory `b`, given dLoss/dΦ: Φ_t holds log P_F − log P_B of
 * every action before t, hence a sum over the nodes behind it.
 */
function addActionGradients(
  gradients: ScoreGradients,
  batch: Batch,
  b: number,
  force: Float64Array,
): void {
  const row = b * batch.T;
  let behind = 0;
  for (let t = batch.lengths[b] - 1; t >= 0; t--) {
    behind += force[t + 1];
    gradients.logPf[row + t] += behind;
    // The exit has no log P_B to learn.
    if (gradients.logPb && t < batch.lengths[b] - 1) gradients.logPb[row + t] -= behind;
  }
}

/** Adds `force` to dLoss of every log P_F of trajectory `b`, and takes it from every log P_B. */
export function addPathGradient(
  gradients: ScoreGradients,
  batch: Batch,
  b: number,
  force: number,
): void {
  const [row, n] = [b * batch.T, batch.lengths[b]];
  for (let t = 0; t < n; t++) gradients.logPf[row + t] += force;
  if (gradients.logPb) { for (let t = 0; t < n - 1; t++) gradients.logPb[row + t] -= force; }
}

/** Metrics of residuals at which a loss with an exponential was cut. */
export function limitMetrics(
  graph: { readonly beyondLimit: number },
  exponential: boolean,
): Record<string, number> {
  return exponential ? { residuals_beyond_limit: graph.beyondLimit } : {};
}

/** One scalar residual, for objectives that have one per trajectory. */
export class ScalarResidual {
  readonly #delta = new Float64Array(1);
  readonly #value = new Float64Array(1);
  readonly #slope = new Float64Array(1);
  /** Residuals so far beyond the limit of an exponential. */
  beyondLimit = 0;

  /** Takes the loss of a residual. */
  constructor(readonly residual: ResidualLoss) {}

  /** Takes δ and returns g(δ). */
  at(delta: number): number {
    this.#delta[0] = delta;
    this.beyondLimit += this.residual(this.#delta, 1, this.#value, this.#slope);
    return this.#value[0];
  }

  /** g' of the δ that was taken last. */
  get slope(): number {
    return this.#slope[0];
  }
}
