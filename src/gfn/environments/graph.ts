/** Environments with several paths to a state. */
import { digestOf } from "../../base/digest.ts";
import type { Environment, StateFeatures, TerminalObject } from "./environment.ts";
import { requireEnumerable } from "./checks.ts";
import { uniformLogPrior } from "./uniform_prior.ts";

/** The rules of a graph; every legal action is equally likely under its prior. */
interface GraphRules<S> {
  /** As in {@linkcode Environment}. */
  readonly kind: string;
  /** As in {@linkcode Environment}. */
  readonly spec: unknown;
  /** As in {@linkcode Environment}; the exit is the last. */
  readonly actionNames: readonly string[];
  /** Names of the backward actions. */
  readonly backwardNames: readonly string[];
  /** As in {@linkcode Environment}. */
  readonly maxActions: number;
  /** Number of objects. */
  readonly count: number;
  /** The state before any action. */
  readonly initial: S;
  /** As in {@linkcode Environment}. */
  readonly features: StateFeatures<S>;
  /** `[actions]`; the same array for states in which the same is legal. */
  legal(state: S): Uint8Array;
  /** `[backward actions]`. */
  legalBack(state: S): Uint8Array;
  /** State after a legal action. */
  after(state: S, action: number): S;
  /** State before, by a legal backward action, with the forward action that leads back. */
  before(state: S, backwardAction: number): { readonly state: S; readonly action: number };
  /** The backward action that undoes an action. */
  undoing(action: number): number;
  /** Names a state. */
  key(state: S): string;
  /** The object of a complete state, with one path to it, the exit left out. */
  object(state: S): Pick<TerminalObject, "text" | "features" | "actions">;
  /** log R of a complete state. */
  logReward(state: S): number;
  /** Log prior of the object of a complete state, over all paths to it. */
  objectLogPrior(state: S): number;
  /** The states of all objects, in a fixed order. */
  objects(): Iterable<S>;
}

/** The environment that rules span. */
export function graphEnvironment<S>(rules: GraphRules<S>): Environment<S> {
  const exitAction = rules.actionNames.length - 1;
  const require = (mask: Uint8Array, action: number) => {
    if (mask[action] !== 1) throw new Error(`internal: action ${action} is illegal`);
  };
  const logReward = (state: S) => {
    require(rules.legal(state), exitAction);
    return rules.logReward(state);
  };
  const terminal = (state: S): TerminalObject => {
    const reward = logReward(state);
    const { actions, ...object } = rules.object(state);
    const logPrior = rules.objectLogPrior(state);
    return { ...object, logPrior, actions: [...actions, exitAction], logReward: reward };
  };
  return {
    kind: rules.kind,
    digest: digestOf({ kind: rules.kind, spec: rules.spec }),
    spec: rules.spec,
    actionNames: rules.actionNames,
    exitAction,
    maxActions: rules.maxActions,
    count: rules.count,
    initialState: () => rules.initial,
    legalActions: (state) => rules.legal(state),
    step(state, action) {
      if (action === exitAction) throw new Error("internal: the exit is no step");
      require(rules.legal(state), action);
      return rules.after(state, action);
    },
    logPrior: (state) => uniformLogPrior(rules.legal(state)),
    terminal,
    *enumerate() {
      requireEnumerable(rules.kind, rules.count);
      for (const state of rules.objects()) yield terminal(state);
    },
    backward: {
      actionNames: rules.backwardNames,
      legalActions: (state) => rules.legalBack(state),
      previous(state, backwardAction) {
        require(rules.legalBack(state), backwardAction);
        return rules.before(state, backwardAction);
      },
      undoing: (_state, action) => rules.undoing(action),
    },
    stateKey: (state) => rules.key(state),
    features: rules.features,
    logReward,
  };
}
