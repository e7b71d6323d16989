/** The analytic optimum on an enumerated tree: flows by summing rewards from the leaves. */
import type { PrefixTree } from "./prefix_tree.ts";
import type { Batch, Scores } from "./trajectory.ts";

/**
 * What a perfect policy says about a batch: log P_F(a|s) = log F(s a) − log F(s), and the log flow
 * head log F(s) − log Z, where F(s) is the sum of rewards below s. Every balance objective is 0
 * here, with gradient 0.
 *
 * @param tree Of all objects of the batch's environment.
 * @param logReward `[objects]`.
 */
export function optimalScores(
  tree: PrefixTree,
  logReward: ArrayLike<number>,
  batch: Batch,
): Scores {
  const logFlow = tree.logMass(logReward);
  const zeros = () => new Float64Array(batch.B * batch.T);
  const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), handle: 0 };
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0; t < batch.lengths[b]; t++) {
      const at = b * batch.T + t;
      const prefix = [...batch.actions.subarray(b * batch.T, at)];
      const flow = logFlow[nodeOf(tree, prefix)];
      const exit = [...prefix, batch.environment.exitAction];
      scores.logPf[at] = logFlow[nodeOf(tree, [...prefix, batch.actions[at]])] - flow;
      if (batch.terminable[at]) scores.logExit[at] = logFlow[nodeOf(tree, exit)] - flow;
      scores.logFlow[at] = flow - logFlow[0];
    }
  }
  return scores;
}

function nodeOf(tree: PrefixTree, prefix: readonly number[]): number {
  const node = tree.find(prefix);
  if (node === undefined) throw new Error(`internal: prefix ${prefix} was not enumerated`);
  return node;
}
