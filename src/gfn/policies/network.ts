/** What a policy needs of the thing that computes its logits: a table or a neural network. */
import type { NamedTensor } from "../safetensors.ts";
import type { StepOptions } from "../policy.ts";

/** Prefixes of trajectories, padded: state (b, t) is the prefix `actions[b, 0 … t−1]`. */
export interface PrefixBatch {
  readonly B: number;
  /** Number of states per row. */
  readonly T: number;
  /** `[B, T]`; the last column is never read. */
  readonly actions: Int32Array;
}

/** `A` logits and the log flow of each state. */
export interface NetworkOutputs {
  /** `[B, T, A + 1]`. */
  readonly values: Float32Array | Float64Array;
  /** Names what was kept for `accumulate`; 0 if nothing was. */
  readonly handle: number;
}

/** A differentiable function from prefixes to logits and log flows, with its own optimiser. */
export interface Network {
  readonly kind: string;
  readonly backend: string;
  /** Number of parameters now. */
  readonly size: number;
  /** With `keep`, holds on to what `accumulate` needs. */
  outputs(batch: PrefixBatch, keep: boolean): Promise<NetworkOutputs>;
  /** Adds the gradient of the parameters, given that of `outputs`; releases the handle. */
  accumulate(handle: number, gradient: Float64Array): Promise<void>;
  release(handle: number): void;
  step(options: StepOptions): { readonly gradientNorm: number };
  /** The parameters by name. */
  tensors(): NamedTensor[];
  /** Moments and step count of the optimiser. */
  optimizerTensors(): NamedTensor[];
  /** @throws Error if they are of another network. */
  loadOptimizer(tensors: readonly NamedTensor[]): void;
  /** The same parameters with a fresh optimiser. */
  clone(): Promise<Network>;
  dispose(): void;
}
