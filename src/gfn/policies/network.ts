/** Interface of networks, which compute the logits of a policy: a table or a neural network. */
import {
  type Environment,
  type LegalActions,
  type Prompt,
  rootKey,
} from "../environments/environment.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { PolicyStates, RowPass } from "./define_policy.ts";
import type { Optimiser } from "./optimiser.ts";

/** Numbers of outputs per state, in this order. */
export interface OutputSizes {
  /** Logits of the forward actions; one log flow comes after them. */
  readonly actions: number;
  /** Logits of the backward actions; 0 where log P_B is not learned. */
  readonly backward: number;
}

/** Forward logits, log flow and backward logits of states. */
export interface StateOutputs {
  /** `[rows, actions + 1 + backward]`. */
  readonly values: Float32Array | Float64Array;
  /** The row of each state that was asked for; several may share one. −1 for padding. */
  readonly rows: Int32Array;
}

/** The outputs of a batch: `rows` is `[B, T]`. */
export interface NetworkOutputs extends StateOutputs {
  /** Handle of the values kept for `accumulate`; 0 if there are none. */
  readonly handle: number;
}

/** A trajectory that is being sampled. */
export interface OpenWalk {
  /** Its number, below the `count` of the session. */
  readonly slot: number;
  /** Prompt that it answers. */
  readonly prompt: Prompt;
  /** Its state now. */
  readonly state: unknown;
  /** Legal actions of that state. */
  readonly legal: LegalActions;
  /** Actions so far: longer at every call than at the one before, by one action or by several. */
  readonly actions: readonly number[];
}

/** Outputs along trajectories that are being sampled; earlier computations are remembered. */
export interface NetworkSession {
  /** Outputs of the present states of these trajectories; `rows` is `[walks]`. */
  next(walks: readonly OpenWalk[]): Promise<StateOutputs>;
  /** Frees remembered values. */
  end(): void;
}

/** Parameters of a network with their gradient, which an optimiser steps. */
export interface LearnedParameters {
  /** Name in a saved policy: `mlp`, `transformer`. */
  readonly kind: string;
  /** Backend that computes it: `fused`, `blas`, `wasm`. */
  readonly backend: string;
  /** See `Policy.computes`. */
  readonly computes: string;
  /** Number of parameters now. */
  readonly size: number;
  /** True where a session needs every action of a trajectory in a call of its own. */
  readonly stepwise?: boolean;
  /** True where prompts make no difference to it. */
  readonly readsNoPrompts?: boolean;
  /** Makes a fresh optimiser over its parameters and its gradient. */
  optimiser(): Optimiser;
  /** Call it after a step. */
  parametersChanged(): void;
  /** The parameters by name. */
  tensors(): NamedTensor[];
  /** Frees all memory; nothing may be called afterwards. */
  dispose(): void;
}

/** A differentiable function from states to all their logits and log flows. */
export interface DenseNetwork extends LearnedParameters {
  /** Numbers that it gives per state. */
  readonly outputSizes: OutputSizes;
  /** Outputs of a batch; with `keep`, keeps values for `accumulate`. */
  outputs(batch: Batch, keep: boolean): Promise<NetworkOutputs>;
  /** Adds the gradient of the parameters, given that of `values`; releases the handle. */
  accumulate(handle: number, gradient: Float64Array): Promise<void>;
  /** Releases values that `outputs` kept, without a gradient. */
  release(handle: number): void;
  /** Begins to sample. The parameters do not change before the session's end. */
  begin(environment: Environment, count: number): NetworkSession;
  /** Another with these parameters, or with its own. */
  copy(tensors?: readonly NamedTensor[]): Promise<DenseNetwork>;
}

/** A differentiable function whose logits are asked for state by state, of legal actions only. */
export interface RowNetwork extends LearnedParameters {
  /** Looks at states once; rows of them follow. */
  open(states: PolicyStates): RowPass;
  /** Adds the gradient of everything that was pushed to a pass to that of the parameters. */
  accumulate(pass: RowPass): void;
  /** Another with these parameters, or with its own. */
  copy(tensors?: readonly NamedTensor[]): Promise<RowNetwork>;
}

/** Either of them. */
export type Network = DenseNetwork | RowNetwork;

/** Numbers per state. */
export function outputWidth({ actions, backward }: OutputSizes): number {
  return actions + 1 + backward;
}

/** Key of the state of a trajectory, as in `BatchStates.keys`. */
export function walkKey(environment: Environment, walk: OpenWalk): string {
  return environment.stateKey?.(walk.state) ?? pathKey(walk);
}

/** The prompt of a trajectory and its actions, which name its place in a tree. */
export function pathKey({ prompt, actions }: OpenWalk): string {
  return rootKey(prompt) + actions.join();
}

/** Trajectories with distinct keys, and for each trajectory the index of the one with its key. */
export function distinctWalks(walks: readonly OpenWalk[], keyOf: (walk: OpenWalk) => string) {
  const index = new Map<string, number>();
  const distinct: OpenWalk[] = [];
  const rows = Int32Array.from(walks, (walk) => {
    const key = keyOf(walk);
    let row = index.get(key);
    if (row === undefined) {
      row = distinct.push(walk) - 1;
      index.set(key, row);
    }
    return row;
  });
  return { distinct, rows, keys: [...index.keys()] };
}
