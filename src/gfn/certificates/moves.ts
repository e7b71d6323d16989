/** Moves between trajectories, each with the ratio that makes it reversible: cut, substitute, insert, delete. */
import type { RandomStream } from "../../base/random.ts";
import { log } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { actionAt, legalCount, legalIn, placeIn } from "../environments/legal_actions.ts";
import { type BroadWalks, prior } from "./broad_walks.ts";

/** A trajectory to an object. */
export interface Walk {
  /** Exit included. */
  readonly actions: readonly number[];
  /** `[actions]`: the state in which each is taken. */
  readonly states: readonly unknown[];
  /** True if it is a draw from the prior, independent of all else. */
  readonly fromPrior?: boolean;
}

/** A trajectory with the terms of its weight. */
export interface WeighedWalk extends Walk {
  readonly object: TerminalObject;
  /** log P_B of the trajectory, uniform over the parents of each state; 0 on trees. */
  readonly logPb: number;
  /** Its log density under the broad walks. */
  readonly logBase: number;
}

/** A proposed trajectory, and log q(back) − log q(there). */
interface Proposal {
  readonly walk: Walk;
  readonly logRatio: number;
}

/** Elementary moves that one proposal is made of: large steps cost no more rewards than small ones. */
const lengths = [1, 1, 2, 3] as const;

/** A trajectory from the broad mixture. */
export function broadWalk(base: BroadWalks, random: RandomStream): Walk {
  const { environment } = base;
  const component = base.drawComponent(random);
  const { actions } = base.grow(environment.initialState(), component, random);
  return { ...walkOf(environment, actions)!, fromPrior: component === prior };
}

/** The states of a sequence of actions; undefined if one of them is illegal. */
export function walkOf(environment: Environment, actions: readonly number[]): Walk | undefined {
  const states: unknown[] = [];
  let state = environment.initialState();
  for (const [t, action] of actions.entries()) {
    if (placeIn(legalIn(environment, state), action) < 0) return undefined;
    states.push(state);
    if (action === environment.exitAction) {
      return t === actions.length - 1 ? { actions, states } : undefined;
    }
    state = environment.step(state, action);
  }
  return undefined;
}

/**
 * The object that a sequence of actions leads to.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { objectOf } from "./moves.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const [first] = environment.enumerate();
 * assert.equal(objectOf(environment, first.actions).text, first.text);
 * ```
 */
export function objectOf(environment: Environment, actions: readonly number[]): TerminalObject {
  const { states } = walkOf(environment, actions)!;
  return environment.terminal(states[states.length - 1]);
}

/** The object that a trajectory leads to, and its weights. */
export function weighed(base: BroadWalks, walk: Walk): WeighedWalk {
  const logBase = base.logDensity(walk.states, walk.actions);
  return { ...reached(base.environment, walk), logBase };
}

/** The object that a trajectory leads to, and its log P_B. */
export function reached(environment: Environment, walk: Walk): Omit<WeighedWalk, "logBase"> {
  const { states } = walk;
  const object = environment.terminal(states[states.length - 1]);
  const { backward } = environment;
  let logPb = 0;
  if (backward) {
    for (const state of states.slice(1)) {
      logPb -= log(backward.legalActions(state).reduce((sum, legal) => sum + legal, 0));
    }
  }
  return { ...walk, object, logPb };
}

/**
 * A neighbour of a trajectory by one to three elementary moves, or undefined where one of them is illegal.
 * The trajectories in between are auxiliary, so the ratios add up (Metropolis–Hastings with a path as
 * auxiliary variable; each move is its own reverse, insertion that of deletion).
 */
export function propose(
  base: BroadWalks,
  walk: Walk,
  random: RandomStream,
): Proposal | undefined {
  let proposal: Proposal | undefined = { walk, logRatio: 0 };
  const moves = lengths[random.below(lengths.length)];
  for (let i = 0; i < moves && proposal; i++) {
    const { walk: from, logRatio }: Proposal = proposal;
    const next = elementary(base, from, random);
    proposal = next && { walk: next.walk, logRatio: logRatio + next.logRatio };
  }
  return proposal;
}

function elementary(base: BroadWalks, walk: Walk, random: RandomStream): Proposal | undefined {
  const kind = random.below(4);
  if (kind === 0) return regrown(base, walk, random);
  if (kind === 1) return substituted(base.environment, walk, random);
  return kind === 2
    ? inserted(base.environment, walk, random)
    : deleted(base.environment, walk, random);
}

/** Cuts at a random place and completes by one component of the broad walks. */
function regrown(base: BroadWalks, { actions, states }: Walk, random: RandomStream): Proposal {
  const component = base.drawComponent(random);
  const cut = random.below(actions.length);
  const grown = base.grow(states[cut], component, random);
  const walk = walkOf(base.environment, [...actions.slice(0, cut), ...grown.actions])!;
  const before = base.logOf(states.slice(cut), actions.slice(cut), component);
  return {
    walk,
    logRatio: before - grown.logP + log(actions.length) - log(walk.actions.length),
  };
}

/** The actions other than the exit that are legal in a state. */
function open(environment: Environment, state: unknown): number[] {
  const legal = legalIn(environment, state);
  const count = legalCount(legal, environment.actionNames.length);
  const actions = Array.from({ length: count }, (_, k) => actionAt(legal, k));
  return actions.filter((action) => action !== environment.exitAction);
}

/** Another action in one place, the others as they were. */
function substituted(
  environment: Environment,
  { actions, states }: Walk,
  random: RandomStream,
): Proposal | undefined {
  if (actions.length < 2) return undefined;
  const at = random.below(actions.length - 1);
  const others = open(environment, states[at]).filter((action) => action !== actions[at]);
  if (others.length === 0) return undefined;
  const chosen = others[random.below(others.length)];
  const walk = walkOf(environment, actions.with(at, chosen));
  return walk && { walk, logRatio: 0 };
}

/** One more action, in one of as many places as the longer trajectory has to delete from. */
function inserted(
  environment: Environment,
  { actions, states }: Walk,
  random: RandomStream,
): Proposal | undefined {
  const at = random.below(actions.length);
  const choices = open(environment, states[at]);
  if (choices.length === 0) return undefined;
  const walk = walkOf(environment, actions.toSpliced(at, 0, choices[random.below(choices.length)]));
  return walk && { walk, logRatio: log(choices.length) };
}

/** One action less. */
function deleted(
  environment: Environment,
  { actions, states }: Walk,
  random: RandomStream,
): Proposal | undefined {
  if (actions.length < 2) return undefined;
  const at = random.below(actions.length - 1);
  const walk = walkOf(environment, actions.toSpliced(at, 1));
  return walk && { walk, logRatio: -log(open(environment, states[at]).length) };
}
