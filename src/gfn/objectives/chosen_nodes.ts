/** Differences of potentials among some of the states of a trajectory, the others passed over. */
import type { BalanceGraph } from "./potentials.ts";

/**
 * A graph over the states `nodesOf(b)` of each trajectory alone: all actions between two of them are
 * one step. The terminal node is none of them.
 *
 * @param nodesOf At least one state of trajectory `b`, in rising order.
 * @param longest Most actions of a trajectory.
 */
export function amongNodes(
  graph: BalanceGraph,
  nodesOf: (b: number) => readonly number[],
  longest: number,
): BalanceGraph {
  const [chosen, forces] = [new Float64Array(longest), new Float64Array(longest)];
  return {
    get beyondLimit() {
      return graph.beyondLimit;
    },
    loss(phi, _n, gradient, b) {
      const nodes = nodesOf(b);
      nodes.forEach((t, k) => chosen[k] = phi[t]);
      forces.fill(0, 0, nodes.length);
      const loss = graph.loss(chosen, nodes.length - 1, forces, b);
      nodes.forEach((t, k) => gradient[t] += forces[k]);
      return loss;
    },
  };
}
