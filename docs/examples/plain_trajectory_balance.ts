/** An objective of one's own: trajectory balance (Malkin et al. 2022, eq. 14), squared. */
import { defineObjective } from "sluice";

export default defineObjective({
  name: "plain_trajectory_balance",
  version: 1,
  reads: "ends",
  moves: ["log_z", "backward"],
  evaluate(scores, batch, { logZ }) {
    const zeros = () => new Float64Array(batch.B * batch.T);
    const { logPb = batch.logPb } = scores; // learned where the policy learns it
    const gradients = {
      ...{ logPf: zeros(), logExit: zeros(), logFlow: zeros(), logZ: 0 },
      ...scores.logPb && { logPb: zeros() },
    };
    let loss = 0;
    for (let b = 0; b < batch.B; b++) {
      const [first, last] = [b * batch.T, b * batch.T + batch.lengths[b] - 1];
      let residual = logZ - batch.logReward[last];
      for (let i = first; i <= last; i++) residual += scores.logPf[i];
      for (let i = first; i < last; i++) residual -= logPb[i]; // the exit has no way back
      loss += residual ** 2 / batch.B;
      gradients.logPf.fill((2 * residual) / batch.B, first, last + 1);
      gradients.logPb?.fill((-2 * residual) / batch.B, first, last);
      gradients.logZ += (2 * residual) / batch.B;
    }
    return { loss, gradients, metrics: {} };
  },
});
