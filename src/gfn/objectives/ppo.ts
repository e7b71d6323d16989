/** Proximal policy optimisation (Schulman et al. 2017) with a critic and generalised advantages. */
import { z } from "../../base/zod.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";
import { clip, clippedSurrogate, epochs } from "./clipped_surrogate.ts";
import { learnedFlows } from "./flows.ts";
import { addLogZGradient, type Gradients, type LogZ, zeroGradients } from "./gradients.ts";
import { actionPay, kl, klMovesOptimum, meanOf, trajectoryReturns } from "./returns.ts";

const parameters = z.strictObject({
  kl,
  clip,
  epochs: epochs.default(4),
  trace: z.number().positive().max(1).default(0.95).describe("lambda of generalised advantages"),
});

const name = "ppo";

/** Weight of the critic's squared error, as in the paper's experiments. */
const criticWeight = 0.5;

const evaluate: ObjectiveFunction<z.output<typeof parameters>> = (scores, batch, state) => {
  const { kl, clip, trace } = state.parameters;
  const first = state.first ?? scores;
  const gradients = zeroGradients(batch, scores);
  const pay = actionPay(first, batch, kl);
  const before = values(first, batch, state);
  const advantages = generalisedAdvantages(pay, before, batch, trace);
  const surrogate = clippedSurrogate(
    scores,
    first,
    batch,
    advantages,
    clip,
    gradients.logPf,
  );
  const targets = before.map((value, at) => value + advantages[at]);
  const error = criticLoss(values(scores, batch, state), targets, batch, gradients);
  const metrics = {
    mean_return: meanOf(trajectoryReturns(pay, batch)),
    clipped_share: surrogate.clippedShare,
    critic_loss: error,
    log_z: state.logZ,
  };
  return { loss: surrogate.loss + criticWeight * error, gradients, metrics };
};

/**
 * `[B, T]`: the critic V(s_t), from the flow head. On trees less the log prior of the actions so
 * far: at kl = 1 the best V is then log F(s) − log prior(s), so the head is log F as in balance.
 */
function values(scores: Scores, batch: Batch, logZ: LogZ): Float64Array {
  const { logFlow } = learnedFlows(scores, batch, logZ);
  if (batch.backward) return logFlow;
  for (let b = 0; b < batch.B; b++) {
    let prior = 0;
    for (let t = 0, at = b * batch.T; t < batch.lengths[b]; t++, at++) {
      logFlow[at] -= prior;
      prior += batch.logPrior[at];
    }
  }
  return logFlow;
}

/** A_t = δ_t + trace A_{t+1}, δ_t = pay_t + V(s_{t+1}) − V(s_t), V = 0 after the exit. */
function generalisedAdvantages(
  pay: Float64Array,
  value: Float64Array,
  batch: Batch,
  trace: number,
): Float64Array {
  const advantages = new Float64Array(batch.B * batch.T);
  for (let b = 0; b < batch.B; b++) {
    const row = b * batch.T;
    let [next, advantage] = [0, 0];
    for (let t = batch.lengths[b] - 1; t >= 0; t--) {
      advantage = pay[row + t] + next - value[row + t] + trace * advantage;
      advantages[row + t] = advantage;
      next = value[row + t];
    }
  }
  return advantages;
}

/** Mean over states of (V − target)², with its weighted gradient for head and log Z. */
function criticLoss(
  value: Float64Array,
  targets: Float64Array,
  batch: Batch,
  gradients: Gradients,
): number {
  const states = batch.lengths.reduce((sum, n) => sum + n, 0);
  let loss = 0;
  for (let b = 0; b < batch.B; b++) {
    const row = b * batch.T;
    let whole = 0;
    for (let t = 0; t < batch.lengths[b]; t++) {
      const error = value[row + t] - targets[row + t];
      const force = 2 * criticWeight * error / states;
      loss += error * error / states;
      gradients.logFlow[row + t] += force;
      whole += force;
    }
    gradients.logFlow[row] -= whole;
    addLogZGradient(gradients, b, whole);
  }
  return loss;
}

/**
 * The clipped surrogate with advantages from generalised advantage estimation (Schulman et al.
 * 2016, arXiv 1506.02438, equation 16; 2017, arXiv 1707.06347, equations 7 and 11), the flow head
 * as critic, and no normalisation of advantages. Rewards of actions are those of
 * {@linkcode actionPay}: at `kl = 1` (default) the optimum is the target, at `kl = 0` the reward is
 * maximised. No entropy bonus: it would move the optimum.
 *
 * Parameters `kl`, `clip` (0.2), `epochs` (gradient steps per batch, 4), `trace` (λ of the
 * advantages, 0.95). For the policy's own trajectories only. Learns log Z, as V(s_0).
 */
export const ppo: Objective = defineObjective({
  name,
  version: 1,
  parameters,
  reads: "ends",
  moves: ["log_z", "flow"],
  onPolicy: true,
  stepsPerBatch: ({ epochs }) => epochs,
  movesOptimum: klMovesOptimum(name),
  evaluate,
});
