/** All states from which some objects can be reached: enough to know the policy's mass on them. */
import type { Actions, Environment } from "../environments/environment.ts";
import { log } from "../../numerics/math/mod.ts";
import type { StateGraph } from "../environments/state_graph.ts";

interface Step {
  readonly from: string;
  readonly action: number;
  readonly to: string;
}

/**
 * The part of an environment's graph on paths to the ends of some sequences of actions. Every step
 * into one of its states is in it, so mass that is pushed through it is exact.
 *
 * @returns Undefined if it has more than `limit` states.
 */
export function ancestorGraph(
  environment: Environment,
  sequences: readonly Actions[],
  limit: number,
): StateGraph<unknown> | undefined {
  const states = new Map<string, unknown>();
  const waiting: string[] = [];
  const visit = (state: unknown): string => {
    const key = environment.stateKey!(state);
    if (!states.has(key)) waiting.push(key);
    if (!states.has(key)) states.set(key, state);
    return key;
  };
  for (const actions of sequences) visit(endOf(environment, actions));
  const into = new Map<string, Step[]>();
  while (waiting.length > 0) {
    if (states.size > limit) return undefined;
    const key = waiting.pop()!;
    into.set(key, stepsInto(environment, states.get(key), key, visit));
  }
  return numbered(environment, states, into);
}

/** The state in which a sequence of actions exits. */
export function endOf(environment: Environment, actions: Actions): unknown {
  let state = environment.initialState();
  for (const action of actions.slice(0, -1)) state = environment.step(state, action);
  return state;
}

function stepsInto(
  environment: Environment,
  state: unknown,
  key: string,
  visit: (state: unknown) => string,
): Step[] {
  const mask = environment.backward!.legalActions(state);
  const steps: Step[] = [];
  for (let back = 0; back < mask.length; back++) {
    if (mask[back] !== 1) continue;
    const { state: before, action } = environment.backward!.previous(state, back);
    steps.push({ from: visit(before), action, to: key });
  }
  return steps;
}

/** States in an order in which every step leads from a smaller number to a larger one. */
function numbered(
  environment: Environment,
  states: ReadonlyMap<string, unknown>,
  into: ReadonlyMap<string, readonly Step[]>,
): StateGraph<unknown> {
  const outOf = Map.groupBy([...into.values()].flat(), ({ from }) => from);
  const waiting = new Map([...into].map(([key, steps]) => [key, steps.length]));
  const keys = [...waiting].filter(([, count]) => count === 0).map(([key]) => key);
  for (let i = 0; i < keys.length; i++) {
    for (const { to } of outOf.get(keys[i]) ?? []) {
      const left = waiting.get(to)! - 1;
      waiting.set(to, left);
      if (left === 0) keys.push(to);
    }
  }
  const index = new Map(keys.map((key, i) => [key, i]));
  const steps = keys.flatMap((key) => outOf.get(key) ?? []);
  const firstStep = new Int32Array(keys.length + 1);
  keys.forEach((key, i) => firstStep[i + 1] = firstStep[i] + (outOf.get(key)?.length ?? 0));
  return {
    environment,
    states: keys.map((key) => states.get(key)),
    keys,
    index,
    firstStep,
    action: Int32Array.from(steps, ({ action }) => action),
    from: Int32Array.from(steps, ({ from }) => index.get(from)!),
    to: Int32Array.from(steps, ({ to }) => index.get(to)!),
    logPb: Float64Array.from(steps, ({ to }) => 0 - log(into.get(to)!.length)),
    terminable: Uint8Array.from(keys, (key) => {
      return environment.legalActions(states.get(key))[environment.exitAction];
    }),
  };
}
