/** Policies of one's own: the default export of a module that a pipeline names by path. */
import type { RandomStream } from "../../base/random.ts";

/** What a policy of one's own is told about the environment that it is to walk. */
export interface PolicyTask {
  /** Names of the forward actions. */
  readonly actionNames: readonly string[];
  /** Features of a state; 0 if the environment describes none. */
  readonly features: number;
  /** Most actions of a trajectory, the exit included. */
  readonly maxActions: number;
  /** Numbers per state that are wanted: a logit for each action, then the log flow. */
  readonly outputs: number;
}

/** States whose outputs are wanted. */
export interface PolicyStates {
  /** How many. */
  readonly count: number;
  /** Their names: `stateKey`, or on trees the actions so far, joined by commas. */
  readonly keys: readonly string[];
  /** Actions on one way to each of them. */
  readonly actions: readonly (readonly number[])[];
  /** `[count, features]`; empty if the environment describes none. */
  readonly features: Float32Array;
}

/**
 * A function from parameters and states to outputs, and its gradient. Masks, sampling, scores,
 * Adam, clipping, averages and files are done by Sluice.
 */
export interface OwnNetwork {
  /** Number of parameters. */
  readonly size: number;
  /** First values. If all outputs are 0 the first policy is uniform over legal actions. */
  initial(random: RandomStream): Float32Array;
  /** `[count, outputs]`; illegal actions may have any logit. The same input, the same bits. */
  outputs(parameters: Float32Array, states: PolicyStates): Float32Array | Float64Array;
  /**
   * Adds to `gradient` (`[size]`) that of Σ force · outputs with respect to the parameters.
   *
   * @param force `[count, outputs]`.
   */
  addGradient(
    parameters: Float32Array,
    states: PolicyStates,
    force: Float64Array,
    gradient: Float64Array,
  ): void;
}

/** How policies of one's own are made. */
export interface PolicyDefinition {
  /** Names it in artifacts. */
  readonly name: string;
  /** Raised whenever the same parameters would mean another policy. */
  readonly version: number;
  /**
   * The network for one environment.
   *
   * @param settings What the pipeline wrote under `parameters`.
   * @throws InputError for what the user can mend.
   */
  create(task: PolicyTask, settings: Readonly<Record<string, unknown>>): OwnNetwork;
}

/**
 * Declares a policy of one's own.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { definePolicy, isPolicyDefinition } from "./define_policy.ts";
 * // The same logits in every state: a parameter per output.
 * const constant = definePolicy({
 *   name: "constant",
 *   version: 1,
 *   create: ({ outputs }) => ({
 *     size: outputs,
 *     initial: () => new Float32Array(outputs),
 *     outputs: (parameters, { count }) =>
 *       Float32Array.from({ length: count * outputs }, (_, at) => parameters[at % outputs]),
 *     addGradient: (_parameters, _states, force, gradient) =>
 *       force.forEach((one, at) => gradient[at % outputs] += one),
 *   }),
 * });
 * assert.ok(isPolicyDefinition(constant));
 * ```
 */
export function definePolicy(definition: PolicyDefinition): PolicyDefinition {
  return definition;
}

/** True for the default export of a module made with `definePolicy`. */
export function isPolicyDefinition(value: unknown): value is PolicyDefinition {
  const one = value as Partial<PolicyDefinition> | null;
  return typeof one === "object" && one !== null && typeof one.create === "function" &&
    typeof one.name === "string" && typeof one.version === "number";
}
