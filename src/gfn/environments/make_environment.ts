/** Makes environments from the least parts: actions, states, objects and their reward. */
import { log } from "../../numerics/math/mod.ts";
import { customEnvironment } from "./define_environment.ts";
import {
  type Actions,
  type Environment,
  noPrompt,
  type Prompt,
  type StateFeatures,
  type TerminalObject,
} from "./environment.ts";

/** A tree of decisions with a reward; the prior over legal actions is uniform. */
export interface PlainEnvironment<S> {
  /** Names of the actions. */
  readonly actionNames: readonly string[];
  /** Index of the exit among them. */
  readonly exitAction: number;
  /** Most actions of a trajectory, the exit included. */
  readonly maxActions: number;
  /** The state before any action, under a prompt such as a data set; the empty prompt if there is none. */
  initialState(prompt: Prompt): S;
  /** `[actions]`; 1 = legal. Exit is legal exactly where the state is a complete object. */
  legalActions(state: S): Uint8Array;
  /** The state after a legal action that is not the exit. Every state is reached by one path. */
  step(state: S, action: number): S;
  /** The text of a complete object: one for each. */
  objectOf(state: S): string;
  /** Its log reward, finite. */
  logReward(state: S): number;
  /** Numbers that describe a state, for an mlp. */
  readonly features?: StateFeatures<S>;
}

/**
 * An environment for training in a program, where no artifact is written: its objects are
 * enumerated over the tree. For pipelines, for graphs with several paths to one state and for
 * a prior of one's own there is `defineEnvironment`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeEnvironment } from "./make_environment.ts";
 * const coin = makeEnvironment<number>("coin", {
 *   actionNames: ["heads", "tails", "exit"],
 *   exitAction: 2,
 *   maxActions: 2,
 *   initialState: () => -1,
 *   legalActions: (side) => side < 0 ? Uint8Array.of(1, 1, 0) : Uint8Array.of(0, 0, 1),
 *   step: (_, action) => action,
 *   objectOf: (side) => ["heads", "tails"][side],
 *   logReward: (side) => side,
 * });
 * assert.deepEqual([...coin.enumerate()].map(({ text }) => text), ["heads", "tails"]);
 * ```
 */
export function makeEnvironment<S>(name: string, plain: PlainEnvironment<S>): Environment {
  const { actionNames, exitAction, maxActions } = plain;
  const logPrior = (state: S) => uniform(plain.legalActions(state));
  const object = (state: S, actions: Actions, prior: number): TerminalObject => {
    const text = plain.objectOf(state);
    const logReward = plain.logReward(state);
    return { text, logPrior: prior, actions, features: [text], logReward };
  };
  function* below({ state, actions, prior }: Walked<S>): Generator<TerminalObject> {
    const priors = logPrior(state);
    for (const [action, legal] of plain.legalActions(state).entries()) {
      if (legal === 0) continue;
      const [way, sum] = [[...actions, action], prior + priors[action]];
      if (action === exitAction) yield object(state, way, sum);
      else yield* below({ state: plain.step(state, action), actions: way, prior: sum });
    }
  }
  return customEnvironment<Walked<S>>({
    name,
    version: 1,
    create: () => ({
      actionNames,
      exitAction,
      maxActions,
      initialState: (prompt = noPrompt) => {
        return { state: plain.initialState(prompt), actions: [], prior: 0 };
      },
      legalActions: ({ state }) => plain.legalActions(state),
      step: ({ state, actions, prior }, action) => ({
        state: plain.step(state, action),
        actions: [...actions, action],
        prior: prior + logPrior(state)[action],
      }),
      logPrior: ({ state }) => logPrior(state),
      terminal: ({ state, actions, prior }) =>
        object(state, [...actions, exitAction], prior + logPrior(state)[exitAction]),
      enumerate: () => below({ state: plain.initialState(noPrompt), actions: [], prior: 0 }),
      logReward: ({ state }) => plain.logReward(state),
      ...(plain.features && { features: ofState(plain.features) }),
    }),
  }, {}) as Environment;
}

/** The features of a visited state. */
function ofState<S>({ size, encode }: StateFeatures<S>): StateFeatures<Walked<S>> {
  return { size, encode: ({ state }, out, offset) => encode(state, out, offset) };
}

/** A state with the path to it and its log prior. */
interface Walked<S> {
  readonly state: S;
  readonly actions: Actions;
  readonly prior: number;
}

function uniform(mask: Uint8Array): Float64Array {
  const each = -log(mask.reduce((sum, legal) => sum + legal, 0));
  return Float64Array.from(mask, (legal) => legal === 1 ? each : -Infinity);
}
