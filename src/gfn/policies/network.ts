/** What a policy needs of the thing that computes its logits: a table or a neural network. */
import type { Environment } from "../environments/environment.ts";
import type { StepOptions } from "./policy.ts";
import type { NamedTensor } from "../parameters/safetensors.ts";
import type { Batch } from "../trajectories/trajectory.ts";

/** How many numbers a network gives per state, in this order. */
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
  /** Names what was kept for `accumulate`; 0 if nothing was. */
  readonly handle: number;
}

/** A trajectory that is being sampled. */
export interface OpenWalk {
  /** Its number, below the `count` of the session. */
  readonly slot: number;
  /** Where it stands. */
  readonly state: unknown;
  /** How it came there; one more at every call. */
  readonly actions: readonly number[];
}

/** The outputs along walks that are being sampled; what was computed before is remembered. */
export interface NetworkSession {
  /** Of the states in which these walks stand; `rows` is `[walks]`. */
  next(walks: readonly OpenWalk[]): Promise<StateOutputs>;
  /** Frees what is remembered. */
  end(): void;
}

/** A differentiable function from states to logits and log flows, with its own optimiser. */
export interface Network {
  readonly kind: string;
  readonly backend: string;
  /** See `Policy.computes`. */
  readonly computes: string;
  /** Number of parameters now. */
  readonly size: number;
  readonly outputSizes: OutputSizes;
  /** With `keep`, holds on to what `accumulate` needs. */
  outputs(batch: Batch, keep: boolean): Promise<NetworkOutputs>;
  /** Adds the gradient of the parameters, given that of `values`; releases the handle. */
  accumulate(handle: number, gradient: Float64Array): Promise<void>;
  release(handle: number): void;
  /** Begins to sample. The parameters do not change before the session's end. */
  begin(environment: Environment, count: number): NetworkSession;
  step(options: StepOptions): { readonly gradientNorm: number };
  /** The parameters by name. */
  tensors(): NamedTensor[];
  /** Moments and step count of the optimiser, and the average if one is kept. */
  optimizerTensors(): NamedTensor[];
  /** @throws Error if they are of another network. */
  loadOptimizer(tensors: readonly NamedTensor[]): void;
  /** The same parameters, or their average if there is one, with a fresh optimiser. */
  clone(averaged: boolean): Promise<Network>;
  dispose(): void;
}

/** Numbers per state. */
export function outputWidth({ actions, backward }: OutputSizes): number {
  return actions + 1 + backward;
}

/** What names the state of a walk: as in `BatchStates.keys`. */
export function walkKey(environment: Environment, walk: OpenWalk): string {
  return environment.stateKey?.(walk.state) ?? walk.actions.join();
}

/** The walks whose keys differ, and for each walk which of them it shares its key with. */
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
