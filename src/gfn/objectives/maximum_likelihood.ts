/** Maximum likelihood on given trajectories: supervised fine-tuning. */
import { z } from "../../base/zod.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import { zeroGradients } from "./gradients.ts";

/** L = −(1/B) Σ_τ Σ_t log P_F(a_t | s_t). Rewards are not read. */
const evaluate: ObjectiveFunction = (scores, batch) => {
  const gradients = zeroGradients(batch, scores);
  let [total, actions] = [0, 0];
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0; t < batch.lengths[b]; t++) {
      total -= scores.logPf[b * batch.T + t];
      gradients.logPf[b * batch.T + t] = -1 / batch.B;
      actions++;
    }
  }
  return { loss: total / batch.B, gradients, metrics: { nll_per_action: total / actions } };
};

/** Negative mean log likelihood of trajectories, in nats per trajectory. */
export const maximumLikelihood: Objective = defineObjective({
  name: "maximum_likelihood",
  version: 1,
  parameters: z.strictObject({}),
  reads: "none",
  moves: [],
  evaluate,
});
