/** Trajectories that together pass every state of an environment, so that a policy can be asked. */
import type { StateGraph } from "../environments/state_graph.ts";

/**
 * As few trajectories as a spanning tree has leaves: each state is reached by the first step into
 * it, and from a leaf the trajectory goes on by first steps until it may exit.
 *
 * @returns Sequences of actions, exit included, in the order of their leaves.
 */
export function coveringTrajectories<S>(graph: StateGraph<S>): number[][] {
  const { from, keys } = graph;
  const stepInto = firstSteps(graph);
  const isInner = new Uint8Array(keys.length);
  for (let state = 1; state < keys.length; state++) isInner[from[stepInto[state]]] = 1;
  const leaves = [...keys.keys()].filter((state) => isInner[state] === 0);
  return leaves.map((leaf) => [...wayTo(graph, stepInto, leaf), ...wayOut(graph, leaf)]);
}

/** The actions that lead to a state by first steps. */
export function firstWayTo<S>(graph: StateGraph<S>, state: number): number[] {
  return wayTo(graph, firstSteps(graph), state);
}

/** `[states]`: the first step into each state; −1 for the initial one. */
function firstSteps<S>({ to, keys }: StateGraph<S>): Int32Array {
  const stepInto = new Int32Array(keys.length).fill(-1);
  for (let step = to.length - 1; step >= 0; step--) stepInto[to[step]] = step;
  return stepInto;
}

function wayTo<S>({ from, action }: StateGraph<S>, stepInto: Int32Array, state: number): number[] {
  const reversed: number[] = [];
  for (let s = state; s !== 0; s = from[stepInto[s]]) reversed.push(action[stepInto[s]]);
  return reversed.reverse();
}

function wayOut<S>(graph: StateGraph<S>, leaf: number): number[] {
  const { terminable, firstStep, action, to, environment } = graph;
  const actions: number[] = [];
  for (let s = leaf; terminable[s] !== 1; s = to[firstStep[s]]) actions.push(action[firstStep[s]]);
  return [...actions, environment.exitAction];
}
