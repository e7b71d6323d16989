/** Environments whose states form a tree: a state is the actions so far and a value of the rules. */
import { digestOf } from "../../base/digest.ts";
import type { Environment, TerminalObject } from "./environment.ts";
import { requireInner } from "./legal_actions.ts";
import { uniformLogPrior } from "./uniform_prior.ts";

/** A state of a tree: the actions that reach it, and a value that the rules keep. */
export interface TreeState<I> {
  /** Actions so far. */
  readonly actions: readonly number[];
  /** Value of the rules for this state. */
  readonly inner: I;
  /** Log prior of the actions so far. */
  readonly logPrior: number;
}

/** The rules of a tree; `I` is the value that they keep for a state. */
interface TreeRules<I> {
  /** As in {@linkcode Environment}. */
  readonly kind: string;
  /** As in {@linkcode Environment}. */
  readonly spec: unknown;
  /** As in {@linkcode Environment}; the exit is the last. */
  readonly actionNames: readonly string[];
  /** As in {@linkcode Environment}. */
  readonly maxActions: number;
  /** As in {@linkcode Environment}. */
  readonly count?: number;
  /** Value of the initial state. */
  readonly initial: I;
  /** Value after a legal action. */
  after(inner: I, action: number): I;
  /** `[actions]`; the same array for states in which the same is legal. */
  legal(inner: I): Uint8Array;
  /** Log prior of each action; every legal action is equally likely if left out. */
  logPrior?(inner: I): Float64Array;
  /** The object of a complete state. */
  object(
    inner: I,
    actions: readonly number[],
  ): { readonly text: string; readonly features: readonly string[] };
  /** log R of a complete state; left out of an environment without rewards of its own. */
  logReward?(inner: I, logPrior: number): number;
  /** Throws if there are too many objects. */
  requireEnumerable?(): void;
}

/** The environment that rules span. */
export function treeEnvironment<I>(rules: TreeRules<I>): Environment<TreeState<I>> {
  const exitAction = rules.actionNames.length - 1;
  const initial: TreeState<I> = { actions: [], inner: rules.initial, logPrior: 0 };
  const prior = (inner: I) => rules.logPrior?.(inner) ?? uniformLogPrior(rules.legal(inner));
  const objectLogPrior = ({ inner, logPrior }: TreeState<I>) => {
    if (rules.legal(inner)[exitAction] !== 1) throw new Error("internal: exit is illegal");
    return logPrior + prior(inner)[exitAction];
  };
  const ownReward = rules.logReward && {
    logReward: (state: TreeState<I>) => rules.logReward!(state.inner, objectLogPrior(state)),
  };
  const environment: Environment<TreeState<I>> = {
    kind: rules.kind,
    digest: digestOf({ kind: rules.kind, spec: rules.spec }),
    spec: rules.spec,
    actionNames: rules.actionNames,
    exitAction,
    maxActions: rules.maxActions,
    ...(rules.count !== undefined && { count: rules.count }),
    initialState: () => initial,
    legalActions: ({ inner }) => rules.legal(inner),
    logPrior: ({ inner }) => prior(inner),
    step({ actions, inner, logPrior }, action) {
      requireInner(rules.legal(inner), action, exitAction);
      return {
        actions: [...actions, action],
        inner: rules.after(inner, action),
        logPrior: logPrior + prior(inner)[action],
      };
    },
    terminal(state): TerminalObject {
      const { actions, inner } = state;
      const logPrior = objectLogPrior(state);
      return {
        ...rules.object(inner, actions),
        logPrior,
        actions: [...actions, exitAction],
        ...(ownReward && { logReward: ownReward.logReward(state) }),
      };
    },
    ...ownReward,
    enumerate() {
      rules.requireEnumerable?.();
      return enumerateFrom(environment, initial);
    },
  };
  return environment;
}

/** Depth first; an object comes before those that extend it. */
function* enumerateFrom<S>(environment: Environment<S>, state: S): Generator<TerminalObject> {
  const mask = environment.legalActions(state);
  if (mask[environment.exitAction] === 1) yield environment.terminal(state);
  for (let action = 0; action < mask.length; action++) {
    if (mask[action] !== 1 || action === environment.exitAction) continue;
    yield* enumerateFrom(environment, environment.step(state, action));
  }
}

/** Masks that are made once: `[actions]`, 1 at the given actions. */
export function maskOf(size: number, legal: Iterable<number>): Uint8Array {
  const mask = new Uint8Array(size);
  for (const action of legal) mask[action] = 1;
  return mask;
}
