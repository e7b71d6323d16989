/** A proposer of one's own: begins where the policy has less than is due, and regrows. */
import { defineProposer } from "sluice";
import { exp } from "sluice/numerics/math";

/**
 * Starts are drawn from known objects by the share of their reward that the policy misses,
 * R (1 − P Z / R)₊ (after Dall'Antonia et al. 2026, who train a second policy on such regions; here the
 * known objects stand for it); each is cut and grown again by uniform choice. Z is taken from the
 * median of R / P.
 */
export default defineProposer({
  name: "divergent",
  version: 1,
  async propose({ environment, count, known, logProbabilities, random }) {
    if (known.length === 0) return [];
    const scores = await logProbabilities(known.map(({ actions }) => actions));
    const zetas = known.map(({ logReward }, i) => logReward + scores[i].logPb - scores[i].logPf);
    const median = zetas.toSorted((a, b) => a - b)[zetas.length >> 1];
    const highest = known[0].logReward; // the best comes first
    let sum = 0;
    const cumulative = known.map(({ logReward }, i) => {
      const missed = Math.max(0, 1 - exp(median - zetas[i]));
      return sum += exp(logReward - highest) * missed + 1e-6;
    });
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
