/** An objective of one's own: trajectory balance (Malkin et al. 2022, eq. 14), squared. */
import { defineObjective } from "sluice";

export default defineObjective({
  name: "plain_trajectory_balance",
  version: 1,
  reads: "ends",
  moves: ["log_z"],
  evaluate(scores, batch, { logZ }) {
    const zeros = () => new Float64Array(batch.B * batch.T);
    const gradients = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), logZ: 0 };
    let loss = 0;
    for (let b = 0; b < batch.B; b++) {
      const [first, last] = [b * batch.T, b * batch.T + batch.lengths[b] - 1];
      let residual = logZ - batch.logReward[last];
      for (let i = first; i <= last; i++) residual += scores.logPf[i] - batch.logPb[i];
      loss += residual ** 2 / batch.B;
      gradients.logPf.fill((2 * residual) / batch.B, first, last + 1);
      gradients.logZ += (2 * residual) / batch.B;
    }
    return { loss, gradients, metrics: {} };
  },
});
