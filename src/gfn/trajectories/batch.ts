/** Puts trajectories into a padded batch by replaying them in the environment, with its legal actions. */
import { log } from "../../numerics/math/mod.ts";
import {
  type Environment,
  type LegalActions,
  noPrompt,
  type Prompt,
  type TerminalObject,
} from "../environments/environment.ts";
import { legalIn, placeIn } from "../environments/legal_actions.ts";
import { type BatchNode, BatchNodes } from "./batch_nodes.ts";
import type { Batch, Walked } from "./trajectory.ts";

/** Log rewards of one trajectory: one value per terminable state, in the order of t. */
export type StateLogRewards = readonly number[] | Float64Array;

/**
 * Pads trajectories of one environment to the longest, with the legal actions of every state.
 * States that trajectories share are visited once.
 *
 * @param trajectories each ends with the exit action.
 * @param logRewards for each trajectory one value per terminable state; if left out, those that
 *   the environment states itself, or zeros.
 * @throws internal, if an action is illegal, the exit does not come last, or counts differ.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeBatch } from "./batch.ts";
 * import { grammarEnvironment } from "../grammar/environment.ts";
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
 * assert.deepEqual(batch.states.legal.map((row) => [...row]), [[0, 1], [2]]);
 * assert.deepEqual([...batch.terminable], [0, 1]);
 * assert.deepEqual([...batch.logReward], [0, -3.5]);
 * ```
 */
export function makeBatch<S>(
  environment: Environment<S>,
  trajectories: readonly Walked[],
  logRewards?: readonly StateLogRewards[],
): Batch {
  if (logRewards && logRewards.length !== trajectories.length) {
    const [wanted, found] = [trajectories.length, logRewards.length];
    throw new Error(`internal: ${wanted} trajectories with log rewards of ${found}`);
  }
  const nodes = new BatchNodes(environment);
  const walks = trajectories.map((one) => walk(environment, nodes, one));
  const batch = emptyBatch(environment, trajectories, nodes);
  walks.forEach((visited, b) => {
    fillRow(nodes, batch, b, trajectories[b].actions, visited);
    if (logRewards) fillLogRewards(batch, b, logRewards[b]);
    else if (environment.logReward) fillOwnLogRewards(environment, batch, b, visited);
  });
  return batch;
}

/** The nodes in which the actions are taken. */
function walk<S>(
  environment: Environment<S>,
  nodes: BatchNodes<S>,
  { actions, prompt = noPrompt }: Walked,
): BatchNode<S>[] {
  const visited: BatchNode<S>[] = [];
  let node = nodes.root(prompt);
  actions.forEach((action, t) => {
    checkAction(environment, node.legal, action, t === actions.length - 1);
    visited.push(node);
    if (action !== environment.exitAction) node = nodes.child(node, action);
  });
  return visited;
}

function emptyBatch<S>(
  environment: Environment<S>,
  trajectories: readonly Walked[],
  nodes: BatchNodes<S>,
): Batch {
  const B = trajectories.length;
  const T = trajectories.reduce((most, { actions }) => Math.max(most, actions.length), 0);
  const A = environment.actionNames.length;
  const zeros = () => new Float64Array(B * T);
  const backward = environment.backward && {
    A: environment.backward.actionNames.length,
    actions: new Int32Array(B * T).fill(-1),
    legal: nodes.legalBack(environment.backward),
  };
  return {
    environment: environment as Environment,
    B,
    T,
    A,
    actions: new Int32Array(B * T),
    lengths: Int32Array.from(trajectories, ({ actions }) => actions.length),
    terminable: new Uint8Array(B * T),
    logReward: zeros(),
    logPb: zeros(),
    logPrior: zeros(),
    objectLogPrior: new Float64Array(B),
    prompts: trajectories.map(({ prompt = noPrompt }) => prompt),
    versions: Int32Array.from(trajectories, ({ version = -1 }) => version),
    states: {
      index: new Int32Array(B * T).fill(-1),
      keys: nodes.keys(),
      legal: nodes.legal(),
      ...nodes.features(),
    },
    ...(backward && { backward }),
  };
}

function fillRow<S>(
  nodes: BatchNodes<S>,
  batch: Batch,
  b: number,
  actions: readonly number[],
  visited: readonly BatchNode<S>[],
): void {
  const environment = batch.environment as Environment<S>;
  const thought = environment.thoughts?.length(actions) ?? 0;
  visited.forEach((node, t) => {
    const cell = b * batch.T + t;
    batch.actions[cell] = actions[t];
    batch.terminable[cell] = placeIn(node.legal, environment.exitAction) < 0 ? 0 : 1;
    batch.states.index[cell] = node.id;
    batch.logPrior[cell] = nodes.logPrior(node, actions[t]);
    // A thought is no part of the object: its log P_B is that of uniform choice.
    if (t < thought) batch.logPb[cell] = batch.logPrior[cell];
    else batch.objectLogPrior[b] += batch.logPrior[cell];
    if (t > 0 && environment.backward) {
      batch.backward!.actions[cell - 1] = environment.backward.undoing(
        visited[t - 1].state,
        actions[t - 1],
      );
      batch.logPb[cell - 1] = 0 - log(node.parents);
    }
  });
  if (environment.backward && visited.length > 0) {
    const { state } = visited[visited.length - 1];
    batch.objectLogPrior[b] = environment.terminal(state).logPrior;
  }
}

function checkAction<S>(
  environment: Environment<S>,
  legal: LegalActions,
  action: number,
  isLast: boolean,
): void {
  if (placeIn(legal, action) < 0) throw new Error(`internal: action ${action} is not legal here`);
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

function fillOwnLogRewards<S>(
  environment: Environment<S>,
  batch: Batch,
  b: number,
  visited: readonly BatchNode<S>[],
): void {
  visited.forEach(({ state }, t) => {
    const cell = b * batch.T + t;
    if (batch.terminable[cell] === 1) batch.logReward[cell] = environment.logReward!(state);
  });
}

/**
 * The complete objects that a trajectory passes, its own last. Objectives whose balance holds
 * wherever the exit is legal need the rewards of all of them.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { terminablePrefixes } from "./batch.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const [first] = environment.enumerate();
 * const ends = terminablePrefixes(environment, first.actions);
 * assert.equal(ends.at(-1)!.object.text, first.text);
 * ```
 *
 * @param actions exit included.
 * @param prompt Prompt that they answer, if any.
 */
export function terminablePrefixes<S>(
  environment: Environment<S>,
  actions: readonly number[],
  prompt?: Prompt,
): { readonly t: number; readonly object: TerminalObject }[] {
  const prefixes: { t: number; object: TerminalObject }[] = [];
  let state = environment.initialState(prompt);
  actions.forEach((action, t) => {
    const legal = legalIn(environment, state);
    checkAction(environment, legal, action, t === actions.length - 1);
    if (placeIn(legal, environment.exitAction) >= 0) {
      prefixes.push({ t, object: environment.terminal(state) });
    }
    if (action !== environment.exitAction) state = environment.step(state, action);
  });
  return prefixes;
}
