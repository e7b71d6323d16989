/** Interface of environments: states, legal actions, exit; on graphs with several paths, backward actions. */
import { type InputError, inputError } from "../../base/diagnostic.ts";
import type { RandomStream } from "../../base/random.ts";

/** A sequence of actions from the initial state; the exit action comes last if it is terminated. */
export type Actions = readonly number[];

/** Request that a trajectory answers: objects and rewards are conditional on it. */
export interface Prompt {
  /** Equal ids, equal tokens. Empty where there is nothing to answer. */
  readonly id: string;
  /** Ids that the policy reads before the first action; they are no actions. */
  readonly tokens: readonly number[];
  /** Text of the tokens, where the prompt was a text: an environment may reward by it. */
  readonly text?: string;
  /** Whether they include the beginning of the text, as a conversation does: no token is put before them. */
  readonly begins?: boolean;
}

/** The prompt of environments that answer none. */
export const noPrompt: Prompt = { id: "", tokens: [] };

/** End of a trajectory: text, and its log prior. */
export interface TerminalObject {
  /** Text, one per object; for a grammar the program. */
  readonly text: string;
  /** Log probability under the environment's own weights; sums to 1 over all terminal objects. */
  readonly logPrior: number;
  /** The actions that lead here, exit included; one of several paths where there are several. */
  readonly actions: Actions;
  /** Names of the productions used, which inclusion probabilities count. */
  readonly features: readonly string[];
  /** log R, where the environment states its own reward; then neither data nor executor is asked. */
  readonly logReward?: number;
}

/**
 * Backward actions, for environments in which several sequences of actions lead to one state. Every
 * step has exactly one backward action that undoes it; two steps from one parent to one child are
 * two backward actions. The exit is never undone: an object has one state.
 */
export interface BackwardPart<S> {
  /** Names of the backward actions. */
  readonly actionNames: readonly string[];
  /** `[backward actions]`; 1 = legal. All 0 at the initial state, and only there. */
  legalActions(state: S): Uint8Array;
  /**
   * The state before, and the forward action that leads from it to `state`.
   *
   * @throws internal, if illegal.
   */
  previous(state: S, backwardAction: number): { readonly state: S; readonly action: number };
  /** The backward action that undoes the legal forward action `action` taken in `state`. */
  undoing(state: S, action: number): number;
}

/** Numbers that describe a state, for networks that are not sequence models. */
export interface StateFeatures<S> {
  /** Number of features. */
  readonly size: number;
  /** Writes the features of `state` into `out` from `offset` on; other elements stay 0. */
  encode(state: S, out: Float32Array, offset: number): void;
}

/**
 * The legal actions of a state, in rising order; `"all"` where every action of the vocabulary is.
 * With 151,936 actions a mask per state of 8 × 256 is 311 MB, a list of three actions 12 bytes.
 */
export type LegalActions = "all" | Int32Array;

/**
 * Legal actions and priors without arrays over the whole vocabulary: for environments whose actions
 * are the tokens of a language model. They agree with `legalActions` and `logPrior`.
 */
export interface ActionRows<S> {
  /** The legal actions in rising order, or `"all"`. */
  legal(state: S): LegalActions;
  /** Log prior of one legal action. */
  logPriorOf(state: S, action: number): number;
}

/** Origin of an environment whose objects are those of another one, written in other actions. */
export interface WrittenIn {
  /** The other one. */
  readonly of: Environment;
  /** The actions that write its object of this text, exit included; undefined if there is none. */
  actionsOf(text: string): Actions | undefined;
}

/** Thoughts of an environment, which stand before its objects and are no part of them. */
export interface ThoughtPart {
  /**
   * Number of actions of the thought at the beginning, opening and closing tokens included; 0 where
   * it never closed.
   */
  length(actions: Actions): number;
  /** Every thought, where there are no more than `limit`; else undefined. */
  list(limit: number): readonly Actions[] | undefined;
}

/**
 * A finite graph of decisions without cycles. Without {@linkcode Environment.backward} it is a
 * tree: every state is reached by exactly one sequence of actions, so that log P_B = 0 throughout.
 * `S` is the implementation's own state.
 */
export interface Environment<S = unknown> {
  /** `grammar`, `hypergrid`, … */
  readonly kind: string;
  /** SHA-256 over everything that defines the environment. */
  readonly digest: string;
  /** The plain JSON of its artifact, from which the environment is rebuilt. */
  readonly spec: unknown;
  /** Names of the actions; `actionNames.length` is the size of the policy's vocabulary. */
  readonly actionNames: readonly string[];
  /** Index of the exit among the actions. */
  readonly exitAction: number;
  /** Most actions that a trajectory can have, the exit included. */
  readonly maxActions: number;
  /** Number of terminal objects, where it is known without enumerating them. */
  readonly count?: number;
  /**
   * The state before any action; of environments that answer prompts, the one under `prompt`. The
   * objects are the same under all prompts; their rewards may differ.
   */
  initialState(prompt?: Prompt): S;
  /** `[actions]`; 1 = legal. Exit is legal exactly where the state is a complete object. */
  legalActions(state: S): Uint8Array;
  /** The state after a legal action that is not the exit. @throws internal, if illegal. */
  step(state: S, action: number): S;
  /** Log prior of each legal action in `state` (−Infinity where illegal); sums to 1. */
  logPrior(state: S): Float64Array;
  /** The object that exiting here gives. @throws internal, if exit is illegal. */
  terminal(state: S): TerminalObject;
  /** Present where the vocabulary is too large for a mask in every state. */
  readonly rows?: ActionRows<S>;
  /** Every terminal object, once, in a fixed order. */
  enumerate(): Iterable<TerminalObject>;
  /**
   * The actions of an exact sample from R / Z, exit included, where one can be had without a list.
   * Only environments that state their own reward have it.
   */
  drawTarget?(random: RandomStream): Actions;
  /** At most so many objects that together have every feature, found without an enumeration. */
  some?(most: number): readonly TerminalObject[];
  /** Present where several sequences of actions lead to one state; then so is `stateKey`. */
  readonly backward?: BackwardPart<S>;
  /** Names a state: equal keys, equal states. Left out on trees, where the prefix names it. */
  stateKey?(state: S): string;
  /** Present where numbers describe states better than their actions do. */
  readonly features?: StateFeatures<S>;
  /** log R of exiting in `state`, where the environment states its own reward. @throws internal. */
  logReward?(state: S): number;
  /** Present where the objects are those of another environment, in a language model's tokens. */
  readonly written?: WrittenIn;
  /**
   * Present where a thought stands before each object: then several trajectories lead to one object,
   * and `enumerate` gives the one with an empty thought.
   */
  readonly thoughts?: ThoughtPart;
}

/**
 * Error for an environment in which trajectories exceed `maxActions`: one that is infinite, or that
 * names too small a bound.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "./built_in_environments.ts";
 * import { tooLong } from "./environment.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * assert.match(tooLong(environment, "some text").message, /takes more than maxActions/);
 * ```
 */
export function tooLong(environment: Environment, text: string): InputError {
  const most = environment.maxActions.toLocaleString("en");
  const message = `Cannot walk the ${calledOf(environment)}: ${text} takes more than ` +
    `maxActions = ${most} actions`;
  const hint = "make it finite: let the exit alone be legal after the last action, or raise " +
    "maxActions to the length of the longest trajectory";
  return inputError("environment/too-long", message, undefined, hint);
}

/** `hypergrid`, or `environment "ladder"` for one of the user's own. */
export function calledOf({ kind, spec }: Environment): string {
  return kind === "custom" ? `environment "${(spec as { readonly name: string }).name}"` : kind;
}

/**
 * The state in which a sequence of actions exits, under a prompt if one is given.
 *
 * @param actions exit included.
 */
export function stateAfter<S>(
  environment: Environment<S>,
  actions: Actions,
  prompt?: Prompt,
): S {
  return actions.slice(0, -1).reduce(
    (state, action) => environment.step(state, action),
    environment.initialState(prompt),
  );
}

/** The key that a state of a tree has where nothing is asked. */
export function unaskedKey({ stateKey }: Pick<Environment, "stateKey">, key: string): string {
  return stateKey ? key : key.slice(key.lastIndexOf(":") + 1);
}

/**
 * The key of the initial state of a tree under a prompt: keys of states are those of their prompt,
 * then the actions. Without a prompt it is empty.
 */
export function rootKey({ id }: Prompt): string {
  return id === "" ? "" : `${JSON.stringify(id)}:`;
}

/** The key of the state after `actions`, given that of the state before the last of them. */
export function keyAfter(parentKey: string, action: number): string {
  const separator = parentKey === "" || parentKey.endsWith(":") ? "" : ",";
  return `${parentKey}${separator}${action}`;
}
