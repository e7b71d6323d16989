/** A proposer of one's own: begins where the policy is farthest from its rewards, and regrows. */
import { defineProposer } from "sluice";

/**
 * Starts are drawn by the size of their balance residual, log R + log P_B − log P_F less its median
 * (after Malek et al. 2025, who train a second policy on the loss; here the known objects stand for
 * it); each is cut and grown again by uniform choice.
 */
export default defineProposer({
  name: "loss_guided",
  version: 1,
  async propose({ environment, count, known, logProbabilities, random }) {
    if (known.length === 0) return [];
    const scores = await logProbabilities(known.map(({ actions }) => actions));
    const zetas = known.map(({ logReward }, i) => logReward + scores[i].logPb - scores[i].logPf);
    const median = zetas.toSorted((a, b) => a - b)[zetas.length >> 1];
    let sum = 0;
    const cumulative = zetas.map((zeta) => sum += Math.min(20, Math.abs(zeta - median)) + 1e-6);
    return Array.from({ length: count }, () => {
      const u = random.uniform() * sum;
      const { actions } = known[cumulative.findIndex((one) => u <= one)];
      const way = actions.slice(0, random.below(actions.length));
      let state = way.reduce<unknown>(
        (at, action) => environment.step(at, action),
        environment.initialState(),
      );
      for (;;) {
        const mask = environment.legalActions(state);
        const legal = [...mask.keys()].filter((action) => mask[action] === 1);
        const action = legal[random.below(legal.length)];
        way.push(action);
        if (action === environment.exitAction) return way;
        state = environment.step(state, action);
      }
    });
  },
});
