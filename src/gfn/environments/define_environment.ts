/** Environments of one's own: the default export of a module that a pipeline names by path. */
import { digestOf } from "../../base/digest.ts";
import type { Environment } from "./environment.ts";

/** An environment without its kind, spec and digest, which Sluice adds. */
export type OwnEnvironment<S> = Omit<Environment<S>, "kind" | "spec" | "digest">;

/** Definition of environments of one's own. */
export interface EnvironmentDefinition<S = unknown> {
  /** Names it in artifacts and tables. */
  readonly name: string;
  /** Raised whenever the same parameters give another environment. */
  readonly version: number;
  /**
   * The environment with these parameters, as the pipeline wrote them.
   *
   * @throws InputError for faults that the user can mend.
   */
  create(parameters: Readonly<Record<string, unknown>>): OwnEnvironment<S>;
}

/**
 * Declares an environment of one's own.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { customEnvironment, defineEnvironment } from "./define_environment.ts";
 * const coin = defineEnvironment<number>({
 *   name: "coin",
 *   version: 1,
 *   create: () => {
 *     const half = -0.6931471805599453; // log ½
 *     const terminal = (side: number) => {
 *       if (side === 0) throw new Error("internal: the exit is not legal here");
 *       const text = side === 1 ? "heads" : "tails";
 *       const actions = [side - 1, 2];
 *       return { text, logPrior: half, actions, features: [text], logReward: side };
 *     };
 *     return {
 *       actionNames: ["heads", "tails", "exit"],
 *       exitAction: 2,
 *       maxActions: 2,
 *       initialState: () => 0,
 *       legalActions: (side) => side === 0 ? Uint8Array.of(1, 1, 0) : Uint8Array.of(0, 0, 1),
 *       step: (_side, action) => action + 1,
 *       logPrior: (side) =>
 *         Float64Array.from(side === 0 ? [half, half, -Infinity] : [-Infinity, -Infinity, 0]),
 *       terminal,
 *       enumerate: () => [terminal(1), terminal(2)],
 *       logReward: (side) => side,
 *     };
 *   },
 * });
 * const environment = customEnvironment(coin, {});
 * assert.deepEqual([...environment.enumerate()].map(({ text }) => text), ["heads", "tails"]);
 * ```
 */
export function defineEnvironment<S>(
  definition: EnvironmentDefinition<S>,
): EnvironmentDefinition<S> {
  return definition;
}

/** Artifact of an environment of one's own; the code is found among the plug-ins. */
export interface CustomSpec {
  /** Name in the definition. */
  readonly name: string;
  /** Version in the definition. */
  readonly version: number;
  /** Argument of `create`. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * The environment that a definition makes, with kind `custom`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import ladder from "../../../docs/examples/ladder_environment.ts";
 * import { customEnvironment } from "./define_environment.ts";
 * const environment = customEnvironment(ladder, { rungs: 2 });
 * assert.deepEqual([...environment.enumerate()].map(({ text }) => text), ["rung 0", "rung 1", "rung 2"]);
 * ```
 */
export function customEnvironment<S>(
  definition: EnvironmentDefinition<S>,
  parameters: Readonly<Record<string, unknown>>,
): Environment<S> {
  const { name, version } = definition;
  const own = definition.create(parameters);
  const spec: CustomSpec = { name, version, parameters };
  return {
    kind: "custom",
    digest: digestOf({ kind: "custom", spec }),
    spec,
    actionNames: own.actionNames,
    exitAction: own.exitAction,
    maxActions: own.maxActions,
    initialState: (prompt) => own.initialState(prompt),
    legalActions: (state) => own.legalActions(state),
    step: (state, action) => own.step(state, action),
    logPrior: (state) => own.logPrior(state),
    terminal: (state) => own.terminal(state),
    enumerate: () => own.enumerate(),
    ...(own.count !== undefined && { count: own.count }),
    ...(own.backward && { backward: own.backward }),
    ...(own.rows && { rows: own.rows }),
    ...(own.features && { features: own.features }),
    ...(own.stateKey && { stateKey: (state: S) => own.stateKey!(state) }),
    ...(own.logReward && { logReward: (state: S) => own.logReward!(state) }),
  };
}

/**
 * True for the default export of a module made with `defineEnvironment`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isEnvironmentDefinition } from "./define_environment.ts";
 * assert(!isEnvironmentDefinition({ name: "no create", version: 1 }));
 * ```
 */
export function isEnvironmentDefinition(value: unknown): value is EnvironmentDefinition {
  const one = value as Partial<EnvironmentDefinition> | null;
  return typeof one === "object" && one !== null && typeof one.create === "function" &&
    typeof one.name === "string" && typeof one.version === "number";
}
