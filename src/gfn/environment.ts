/** What a policy walks: states, legal actions, exit. */

/** A sequence of actions from the initial state; the exit action comes last if it is terminated. */
export type Actions = readonly number[];

/** What stands at the end of a trajectory: text, and its log prior. */
export interface TerminalObject {
  /** For a grammar: the program. One text per object. */
  readonly text: string;
  /** Log probability under the environment's own weights; sums to 1 over all terminal objects. */
  readonly logPrior: number;
  /** The actions that lead here, exit included. */
  readonly actions: Actions;
  /** Names of the productions used: what inclusion probabilities count. */
  readonly features: readonly string[];
}

/**
 * A finite tree of decisions: every state is reached by exactly one sequence of actions, so that
 * log P_B = 0 throughout. States are addressed by their prefix of actions; an implementation is
 * free to memoise them. `S` is the implementation's own state.
 */
export interface Environment<S = unknown> {
  /** `grammar`, `hypergrid`, … */
  readonly kind: string;
  /** SHA-256 over everything that defines the environment. */
  readonly digest: string;
  /** The plain JSON from which the environment is rebuilt: what its artifact holds. */
  readonly spec: unknown;
  /** Names of the actions; `actionNames.length` is the size of the policy's vocabulary. */
  readonly actionNames: readonly string[];
  /** Index of the exit among the actions. */
  readonly exitAction: number;
  /** Most actions that a trajectory can have, the exit included. */
  readonly maxActions: number;
  /** The state before any action. */
  initialState(): S;
  /** `[actions]`; 1 = legal. Exit is legal exactly where the state is a complete object. */
  legalActions(state: S): Uint8Array;
  /** The state after a legal action that is not the exit. @throws internal, if illegal. */
  step(state: S, action: number): S;
  /** Log prior of each legal action in `state` (−Infinity where illegal); sums to 1. */
  logPrior(state: S): Float64Array;
  /** The object that exiting here gives. @throws internal, if exit is illegal. */
  terminal(state: S): TerminalObject;
  /** Every terminal object, once, in a fixed order. */
  enumerate(): Iterable<TerminalObject>;
}
