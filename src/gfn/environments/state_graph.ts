/** Every state and every step of a finite environment, in an order in which mass can be pushed. */
import { inputError } from "../../base/diagnostic.ts";
import { log } from "../../numerics/math/mod.ts";
import { calledOf, type Environment, keyAfter } from "./environment.ts";

/** Most states of a graph, by default. */
const defaultStateLimit = 4_000_000;

/** States are numbered so that every step leads from a smaller number to a larger one; 0 is s_0. */
export interface StateGraph<S> {
  /** Environment of the states. */
  readonly environment: Environment<S>;
  /** `[states]`. */
  readonly states: readonly S[];
  /** `[states]`: names as in a batch. */
  readonly keys: readonly string[];
  /** Number of a state, by its key. */
  readonly index: ReadonlyMap<string, number>;
  /** `[states + 1]`: the steps out of state s are firstStep[s] … firstStep[s + 1] − 1. */
  readonly firstStep: Int32Array;
  /** `[steps]`: the forward action; never the exit. */
  readonly action: Int32Array;
  /** `[steps]`: the state before. */
  readonly from: Int32Array;
  /** `[steps]`: the state after. */
  readonly to: Int32Array;
  /** `[steps]`: log P_B of the step, uniform over the steps into its end; 0 on trees. */
  readonly logPb: Float64Array;
  /** `[states]`: 1 where the exit is legal. */
  readonly terminable: Uint8Array;
}

/**
 * Visits all states of an environment.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { stateGraph } from "./state_graph.ts";
 * const grid = environmentNamed("hypergrid", { ndim: 2, height: 3 });
 * assert(stateGraph(grid).states.length >= 9);
 * ```
 *
 * @throws InputError if there are more than `limit`.
 */
export function stateGraph<S>(
  environment: Environment<S>,
  limit = defaultStateLimit,
): StateGraph<S> {
  const found = discover(environment, limit);
  const order = environment.backward ? topologicalOrder(found) : undefined;
  const graph = order ? renumbered(found, order) : found;
  const parents = new Int32Array(graph.states.length);
  for (const child of graph.to) parents[child]++;
  return {
    environment,
    ...graph,
    index: new Map(graph.keys.map((key, i) => [key, i])),
    logPb: Float64Array.from(graph.to, (child) => 0 - log(parents[child])),
    terminable: Uint8Array.from(
      graph.states,
      (state) => environment.legalActions(state)[environment.exitAction],
    ),
  };
}

/** States in some order, and the steps out of each in order of the states. */
interface Found<S> {
  readonly states: readonly S[];
  readonly keys: readonly string[];
  readonly firstStep: Int32Array;
  readonly action: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Breadth first, which on trees is an order in which parents come first. */
function discover<S>(environment: Environment<S>, limit: number): Found<S> {
  const initial = environment.initialState();
  const states = [initial];
  const keys = [environment.stateKey?.(initial) ?? ""];
  const numbers = new Map([[keys[0], 0]]);
  const [firstStep, action, from, to]: number[][] = [[0], [], [], []];
  for (let node = 0; node < states.length; node++) {
    const mask = environment.legalActions(states[node]);
    for (let taken = 0; taken < mask.length; taken++) {
      if (mask[taken] !== 1 || taken === environment.exitAction) continue;
      const state = environment.step(states[node], taken);
      const key = environment.stateKey?.(state) ?? keyAfter(keys[node], taken);
      let child = environment.stateKey && numbers.get(key);
      if (child === undefined) {
        child = states.push(state) - 1;
        if (child >= limit) throw tooMany(calledOf(environment), limit);
        keys.push(key);
        if (environment.stateKey) numbers.set(key, child);
      }
      action.push(taken);
      from.push(node);
      to.push(child);
    }
    firstStep.push(to.length);
  }
  const [first, a, f, t] = [firstStep, action, from, to].map((list) => Int32Array.from(list));
  return { states, keys, firstStep: first, action: a, from: f, to: t };
}

function tooMany(called: string, limit: number): Error {
  const message = `Cannot enumerate the ${called}: it has more than ${limit} states`;
  return inputError("environment/too-large", message, undefined, "make it smaller");
}

/** Kahn 1962: a state comes when all steps into it have been counted. */
function topologicalOrder<S>({ states, firstStep, to }: Found<S>): Int32Array {
  const waiting = new Int32Array(states.length);
  for (const child of to) waiting[child]++;
  const order = new Int32Array(states.length);
  let known = 1;
  for (let i = 0; i < known; i++) {
    for (let step = firstStep[order[i]]; step < firstStep[order[i] + 1]; step++) {
      if (--waiting[to[step]] === 0) order[known++] = to[step];
    }
  }
  if (known !== states.length) throw cyclic();
  return order;
}

function cyclic(): Error {
  const message = "Cannot enumerate the environment: some of its steps lead back, in a cycle";
  const hint = "let no sequence of steps come to the same state again; a count of steps helps";
  return inputError("environment/cycle", message, undefined, hint);
}

function renumbered<S>(found: Found<S>, order: Int32Array): Found<S> {
  const rank = new Int32Array(order.length);
  order.forEach((node, i) => rank[node] = i);
  const firstStep = new Int32Array(order.length + 1);
  const [action, from, to] = [0, 0, 0].map(() => new Int32Array(found.to.length));
  order.forEach((node, i) => {
    let step = firstStep[i];
    for (let old = found.firstStep[node]; old < found.firstStep[node + 1]; old++, step++) {
      [action[step], from[step], to[step]] = [found.action[old], i, rank[found.to[old]]];
    }
    firstStep[i + 1] = step;
  });
  return {
    states: Array.from(order, (node) => found.states[node]),
    keys: Array.from(order, (node) => found.keys[node]),
    firstStep,
    action,
    from,
    to,
  };
}
