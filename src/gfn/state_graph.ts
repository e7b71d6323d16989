/** Every state and every step of a finite environment, in an order in which mass can be pushed. */
import { inputError } from "../base/diagnostic.ts";
import { log } from "../math/elementary.ts";
import { type Environment, keyAfter } from "./environment.ts";

/** States at which a graph is given up, unless the caller says otherwise. */
export const defaultStateLimit = 4_000_000;

/** States are numbered so that every step leads from a smaller number to a larger one; 0 is s_0. */
export interface StateGraph<S> {
  /** What was walked. */
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
 * Walks all states of an environment.
 *
 * @throws InputError if there are more than `limit`.
 */
export function stateGraph<S>(
  environment: Environment<S>,
  limit = defaultStateLimit,
): StateGraph<S> {
  const found = discover(environment, limit);
  const order = topologicalOrder(found);
  const rank = new Int32Array(order.length);
  order.forEach((node, i) => rank[node] = i);
  const firstStep = new Int32Array(order.length + 1);
  order.forEach((node, i) => firstStep[i + 1] = firstStep[i] + found.next[node].length);
  const steps = firstStep[order.length];
  const [action, from, to] = [0, 0, 0].map(() => new Int32Array(steps));
  const parents = new Int32Array(order.length);
  order.forEach((node, i) => {
    found.next[node].forEach(([taken, child], k) => {
      const step = firstStep[i] + k;
      [action[step], from[step], to[step]] = [taken, i, rank[child]];
      parents[rank[child]]++;
    });
  });
  const keys = order.map((node) => found.keys[node]);
  const states = order.map((node) => found.states[node]);
  return {
    environment,
    states,
    keys,
    index: new Map(keys.map((key, i) => [key, i])),
    firstStep,
    action,
    from,
    to,
    logPb: Float64Array.from(to, (child) => 0 - log(parents[child])),
    terminable: Uint8Array.from(
      states,
      (state) => environment.legalActions(state)[environment.exitAction],
    ),
  };
}

interface Found<S> {
  readonly states: S[];
  readonly keys: string[];
  /** Steps out of each state: action and child. */
  readonly next: [number, number][][];
}

function discover<S>(environment: Environment<S>, limit: number): Found<S> {
  const initial = environment.initialState();
  const found: Found<S> = {
    states: [initial],
    keys: [environment.stateKey?.(initial) ?? ""],
    next: [],
  };
  const numbers = new Map([[found.keys[0], 0]]);
  for (let node = 0; node < found.states.length; node++) {
    const mask = environment.legalActions(found.states[node]);
    const steps: [number, number][] = [];
    for (let action = 0; action < mask.length; action++) {
      if (mask[action] !== 1 || action === environment.exitAction) continue;
      const state = environment.step(found.states[node], action);
      const key = environment.stateKey?.(state) ?? keyAfter(found.keys[node], action);
      let child = numbers.get(key);
      if (child === undefined) {
        child = found.states.push(state) - 1;
        if (child >= limit) throw tooMany(environment.kind, limit);
        found.keys.push(key);
        numbers.set(key, child);
      }
      steps.push([action, child]);
    }
    found.next.push(steps);
  }
  return found;
}

function tooMany(kind: string, limit: number): Error {
  const message = `Cannot enumerate the ${kind}: it has more than ${limit} states`;
  return inputError("environment/too-large", message, undefined, "make it smaller");
}

/** Kahn 1962: a state comes when all steps into it have been counted. */
function topologicalOrder<S>({ next }: Found<S>): number[] {
  const waiting = new Int32Array(next.length);
  for (const steps of next) for (const [, child] of steps) waiting[child]++;
  const order = [0];
  for (let i = 0; i < order.length; i++) {
    for (const [, child] of next[order[i]]) if (--waiting[child] === 0) order.push(child);
  }
  if (order.length !== next.length) throw new Error("internal: the environment has a cycle");
  return order;
}
