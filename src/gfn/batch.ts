/** Puts trajectories into a padded batch by replaying them; masks come from the environment. */
import type { Environment, TerminalObject } from "./environment.ts";
import type { Batch } from "./trajectory.ts";

/** Log rewards of one trajectory: one value per terminable state, in the order of t. */
export type StateLogRewards = readonly number[] | Float64Array;

interface Prefix<S> {
  readonly state: S;
  readonly next: Map<number, Prefix<S>>;
}

/**
 * Pads trajectories of one environment to the longest, with the masks of every state. Prefixes
 * that trajectories share are walked once.
 *
 * @param trajectories each ends with the exit action.
 * @param logRewards for each trajectory one value per terminable state; zeros if left out.
 * @throws internal, if an action is illegal, the exit does not come last, or counts differ.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeBatch } from "./batch.ts";
 * import { grammarEnvironment } from "./grammar/environment.ts";
 * const production = (name: string, text: string) => ({
 *   name, weight: 1, text, requires: [], requiresAny: [], excludes: [],
 * });
 * const environment = grammarEnvironment({
 *   format: 1, name: "coin", template: "side = {side}", exit: 1, clauses: [],
 *   holes: [{
 *     name: "side", type: "number",
 *     productions: [production("heads", "1"), production("tails", "0")],
 *   }],
 * });
 * const batch = makeBatch(environment, [{ actions: [1, 2] }], [[-3.5]]);
 * assert.deepEqual([...batch.masks], [1, 1, 0, 0, 0, 1]);
 * assert.deepEqual([...batch.terminable], [0, 1]);
 * assert.deepEqual([...batch.logReward], [0, -3.5]);
 * ```
 */
export function makeBatch<S>(
  environment: Environment<S>,
  trajectories: readonly { readonly actions: readonly number[] }[],
  logRewards?: readonly StateLogRewards[],
): Batch {
  const batch = emptyBatch(environment, trajectories);
  if (logRewards && logRewards.length !== batch.B) {
    throw new Error(`internal: ${batch.B} trajectories with log rewards of ${logRewards.length}`);
  }
  const root: Prefix<S> = { state: environment.initialState(), next: new Map() };
  trajectories.forEach(({ actions }, b) => {
    fillRow(environment, batch, root, b, actions);
    if (logRewards) fillLogRewards(batch, b, logRewards[b]);
  });
  return batch;
}

function emptyBatch<S>(
  environment: Environment<S>,
  trajectories: readonly { readonly actions: readonly number[] }[],
): Batch {
  const B = trajectories.length;
  const T = trajectories.reduce((most, { actions }) => Math.max(most, actions.length), 0);
  const A = environment.actionNames.length;
  return {
    environment: environment as Environment,
    B,
    T,
    A,
    actions: new Int32Array(B * T),
    lengths: Int32Array.from(trajectories, ({ actions }) => actions.length),
    masks: new Uint8Array(B * T * A),
    terminable: new Uint8Array(B * T),
    logReward: new Float64Array(B * T),
    logPb: new Float64Array(B * T),
  };
}

function fillRow<S>(
  environment: Environment<S>,
  batch: Batch,
  root: Prefix<S>,
  b: number,
  actions: readonly number[],
): void {
  let prefix = root;
  actions.forEach((action, t) => {
    const mask = environment.legalActions(prefix.state);
    checkAction(environment, mask, action, t === actions.length - 1);
    const cell = b * batch.T + t;
    batch.actions[cell] = action;
    batch.masks.set(mask, cell * batch.A);
    batch.terminable[cell] = mask[environment.exitAction];
    if (action !== environment.exitAction) prefix = childOf(environment, prefix, action);
  });
}

function childOf<S>(environment: Environment<S>, prefix: Prefix<S>, action: number): Prefix<S> {
  const known = prefix.next.get(action);
  if (known) return known;
  const child = { state: environment.step(prefix.state, action), next: new Map() };
  prefix.next.set(action, child);
  return child;
}

function checkAction<S>(
  environment: Environment<S>,
  mask: Uint8Array,
  action: number,
  isLast: boolean,
): void {
  if (mask[action] !== 1) throw new Error(`internal: action ${action} is not legal here`);
  if ((action === environment.exitAction) !== isLast) {
    throw new Error("internal: the exit must be the last action, and only that");
  }
}

function fillLogRewards(batch: Batch, b: number, values: StateLogRewards): void {
  let used = 0;
  for (let t = 0; t < batch.lengths[b]; t++) {
    const cell = b * batch.T + t;
    if (batch.terminable[cell] === 1) batch.logReward[cell] = values[used++];
  }
  if (used !== values.length) {
    throw new Error(`internal: ${used} terminable states with ${values.length} log rewards`);
  }
}

/**
 * The complete objects that a trajectory passes, its own last: what must be executed and judged
 * when the flow is exact wherever the exit is legal.
 *
 * @param actions exit included.
 */
export function terminablePrefixes<S>(
  environment: Environment<S>,
  actions: readonly number[],
): { readonly t: number; readonly object: TerminalObject }[] {
  const prefixes: { t: number; object: TerminalObject }[] = [];
  let state = environment.initialState();
  actions.forEach((action, t) => {
    const mask = environment.legalActions(state);
    checkAction(environment, mask, action, t === actions.length - 1);
    if (mask[environment.exitAction] === 1) {
      prefixes.push({ t, object: environment.terminal(state) });
    }
    if (action !== environment.exitAction) state = environment.step(state, action);
  });
  return prefixes;
}
