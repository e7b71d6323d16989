/** Policies of one's own: the default export of a module that a pipeline names by path. */
import type { RandomStream } from "../../base/random.ts";
import type { LegalActions, Prompt } from "../environments/environment.ts";

/** Sizes and names of the environment that a policy of one's own is made for. */
export interface PolicyTask {
  /** Names of the forward actions. */
  readonly actionNames: readonly string[];
  /** Features of a state; 0 if the environment describes none. */
  readonly features: number;
  /** Most actions of a trajectory, the exit included. */
  readonly maxActions: number;
  /** Outputs per state: a logit for each action, then the log flow. */
  readonly outputs: number;
}

/** States whose outputs a policy computes. */
export interface PolicyStates {
  /** Number of states. */
  readonly count: number;
  /** Their names: `stateKey`, or on trees prompt and actions so far, joined by commas. */
  readonly keys: readonly string[];
  /** `[count]`: prompt of each; the empty prompt where there are none. */
  readonly prompts: readonly Prompt[];
  /** `[count]`: actions on one path to each of them. */
  readonly actions: readonly (readonly number[])[];
  /** `[count, features]`; empty if the environment describes none. */
  readonly features: Float32Array;
}

/**
 * A function from parameters and states to all outputs, and its gradient. Masks, sampling, scores,
 * Adam, clipping, averages and files are done by Sluice.
 */
export interface OwnNetwork {
  /** Number of parameters. */
  readonly size: number;
  /** Their names and shapes in order, for files and `frozen`; one tensor `parameters` if left out. */
  readonly tensors?: readonly OwnTensor[];
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

/** One look at states: their rows, one after the other, and back. */
export interface RowPass {
  /**
   * Writes the logits of the legal actions of state `i` to `out`, in their order, from 0 on; the
   * same state, the same bits.
   *
   * @param out As long as there are legal actions.
   * @returns The log flow of the state.
   */
  row(i: number, legal: LegalActions, out: Float64Array): number;
  /** Takes the force on those logits and on that log flow; at most once for a state. */
  push(i: number, legal: LegalActions, force: Float64Array, flowForce: number): void;
  /** Adds to `gradient` (`[size]`) that of Σ force · row over everything that was pushed. */
  addGradient(gradient: Float64Array): void;
}

/**
 * A network over a vocabulary too large for all logits of all states at once: a language model.
 * Sluice asks for one row at a time, of legal actions only, keeps the log probabilities of the
 * actions taken, and asks again for the row when it has a force on it.
 */
export interface OwnRowNetwork {
  /** Number of parameters. */
  readonly size: number;
  /**
   * Their names and sizes in order, for files and `frozen`; one tensor `parameters` if left out.
   * Weights that are never learned and kept elsewhere need not be among them.
   */
  readonly tensors?: readonly OwnTensor[];
  /** First values. */
  initial(random: RandomStream): Float32Array;
  /** Looks at states, all of them at once, where that is cheaper. */
  open(parameters: Float32Array, states: PolicyStates): RowPass;
}

/** A stretch of the parameters with a name. */
export interface OwnTensor {
  /** Unique within the network. */
  readonly name: string;
  /** Its product is the number of parameters. */
  readonly shape: readonly number[];
}

/** Definition of policies of one's own. */
export interface PolicyDefinition {
  /** Names it in artifacts. */
  readonly name: string;
  /** Raised whenever the same parameters would mean another policy. */
  readonly version: number;
  /**
   * The network for one environment.
   *
   * @param settings Contents of `parameters` in the pipeline.
   * @throws InputError for faults that the user can mend.
   */
  create(
    task: PolicyTask,
    settings: Readonly<Record<string, unknown>>,
  ): OwnNetwork | OwnRowNetwork;
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

/**
 * True for the default export of a module made with `definePolicy`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isPolicyDefinition } from "./define_policy.ts";
 * assert(!isPolicyDefinition({ name: "no create", version: 1 }));
 * ```
 */
export function isPolicyDefinition(value: unknown): value is PolicyDefinition {
  const one = value as Partial<PolicyDefinition> | null;
  return typeof one === "object" && one !== null && typeof one.create === "function" &&
    typeof one.name === "string" && typeof one.version === "number";
}
