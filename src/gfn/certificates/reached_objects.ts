/** Objects that trajectories reach without asking a reward: a partial list of too many to enumerate. */
import type { RandomStream } from "../../base/random.ts";
import type { Actions, Environment, TerminalObject } from "../environments/environment.ts";
import { actionAt, legalCount, legalIn, placeIn } from "../environments/legal_actions.ts";
import { endOf } from "./ancestor_graph.ts";
import type { BroadWalks } from "./broad_walks.ts";
import { broadWalk, walkOf } from "./moves.ts";
import type { ScoredObjects } from "./scored_objects.ts";

/** Actions beyond which an environment writes free text, of which random trajectories reach only noise. */
const mostActions = 4096;

/** Trajectories of a round; a round with fewer new objects than a tenth of them is the last. */
const round = 400;

/** Share of the objects from broad walks; the others are neighbours. */
const walked = 0.3;

/** Most objects, and source of randomness. */
interface Reach {
  readonly most: number;
  readonly random: RandomStream;
}

/**
 * Distinct objects: all that were scored, those that broad walks pass, and neighbours of all these, of
 * the best first. The sum of rewards over them is at most that over all, so that lower bounds of this
 * part hold for the whole.
 */
export function reachedObjects(
  base: BroadWalks,
  scored: ScoredObjects,
  { most, random }: Reach,
): TerminalObject[] {
  const { environment } = base;
  const best = scored.all.toSorted((a, b) => b.logReward - a.logReward);
  const reached = new Map(best.map(({ object }) => [object.text, object]));
  if (environment.actionNames.length > mostActions) return [...reached.values()];
  const add = (state: unknown) => {
    if (reached.size >= most || !canStop(environment, state)) return;
    const object = environment.terminal(state);
    if (!reached.has(object.text)) reached.set(object.text, object);
  };
  let before = -Infinity;
  for (let k = 0; reached.size < walked * most; k++) {
    if (k % round === 0) {
      if (reached.size < before + round / 10) break;
      before = reached.size;
    }
    broadWalk(base, random).states.forEach(add);
  }
  for (const { actions } of reached.values()) { // grows as it goes
    if (reached.size >= most) break;
    for (const state of neighbours(environment, actions)) add(state);
  }
  return [...reached.values()];
}

function canStop(environment: Environment, state: unknown): boolean {
  return placeIn(legalIn(environment, state), environment.exitAction) >= 0;
}

/** States one step from the end of a trajectory; on trees also its ends with one action replaced. */
function* neighbours(environment: Environment, actions: Actions): Iterable<unknown> {
  const { backward } = environment;
  const end = endOf(environment, actions);
  for (const action of opened(environment, end)) yield environment.step(end, action);
  if (backward) yield* waysAround(environment, end);
  else yield* replaced(environment, actions);
}

/** States before a state, and those one step from these. */
function* waysAround(environment: Environment, end: unknown): Iterable<unknown> {
  const { legalActions, previous } = environment.backward!;
  for (const [back, legal] of legalActions(end).entries()) {
    if (legal === 0) continue;
    const { state } = previous(end, back);
    yield state;
    for (const action of opened(environment, state)) yield environment.step(state, action);
  }
}

function* replaced(environment: Environment, actions: Actions): Iterable<unknown> {
  let state = environment.initialState();
  for (const [t, taken] of actions.slice(0, -1).entries()) {
    for (const action of opened(environment, state)) {
      if (action === taken) continue;
      const walk = walkOf(environment, actions.with(t, action));
      if (walk) yield walk.states[walk.states.length - 1];
    }
    state = environment.step(state, taken);
    if (t < actions.length - 2) yield state;
  }
}

/** Actions other than the exit that are legal in a state. */
function opened(environment: Environment, state: unknown): number[] {
  const legal = legalIn(environment, state);
  const count = legalCount(legal, environment.actionNames.length);
  const all = Array.from({ length: count }, (_, k) => actionAt(legal, k));
  return all.filter((action) => action !== environment.exitAction);
}
