/** Divergences between trajectories, and the states in which they arise, on trees and graphs. */
import { exp, logAddExp } from "../../numerics/math/mod.ts";
import type { PolicyFlow } from "./policy_flow.ts";

/** Two divergences between P_F(τ) and the target's π(x) P_B(τ|x), and their shares by state. */
interface TrajectoryGaps {
  /** log Z − E_{P_F}[log R + log P_B − log P_F] = KL(P_F‖π P_B): at least KL(policy‖target). */
  readonly elboGap: number;
  /** E_{π P_B}[log R + log P_B − log P_F] − log Z = KL(π P_B‖P_F): at least KL(target‖policy). */
  readonly euboGap: number;
  /** `[states]`: share of the choice in each state in `elboGap`, nats. */
  readonly elboShares: Float64Array;
  /** `[states]`: likewise in `euboGap`. */
  readonly euboShares: Float64Array;
}

/**
 * By the chain rule both gaps are sums over states of the probability of passing the state times
 * the divergence of two choices there: the policy's, and that of the perfect policy for this P_B,
 * log P*(s′|s) = log F*(s′) + log P_B(s|s′) − log F*(s), log P*(⊤|s) = log R(s) − log F*(s), where
 * F* is the flow that the rewards and P_B define (Bengio et al. 2023, proposition 19). On trees the
 * gaps are the divergences between policy and target themselves.
 *
 * @param logTarget `[states]`: log π of ending in each state; −Infinity where that is impossible.
 */
export function trajectoryGaps(flow: PolicyFlow, logTarget: Float64Array): TrajectoryGaps {
  const { graph, logStep, logExit, logVisit } = flow;
  const { keys, from, to, logPb } = graph;
  const logFlow = logTarget.slice(); // log F* − log Z: how often the target passes each state
  for (let step = to.length - 1; step >= 0; step--) {
    logFlow[from[step]] = logAddExp(logFlow[from[step]], logFlow[to[step]] + logPb[step]);
  }
  const [elboShares, euboShares] = [new Float64Array(keys.length), new Float64Array(keys.length)];
  const add = (state: number, logPolicy: number, logPerfect: number) => {
    const [policy, perfect] = [exp(logVisit[state] + logPolicy), exp(logFlow[state] + logPerfect)];
    if (policy > 0) elboShares[state] += policy * (logPolicy - logPerfect);
    if (perfect > 0) euboShares[state] += perfect * (logPerfect - logPolicy);
  };
  for (let step = 0; step < to.length; step++) {
    const state = from[step];
    add(state, logStep[step], logFlow[to[step]] + logPb[step] - logFlow[state]);
  }
  logTarget.forEach((one, state) => {
    if (graph.terminable[state] === 1) add(state, logExit[state], one - logFlow[state]);
  });
  return { elboGap: sum(elboShares), euboGap: sum(euboShares), elboShares, euboShares };
}

function sum(values: Float64Array): number {
  return values.reduce((total, x) => total + x, 0);
}
