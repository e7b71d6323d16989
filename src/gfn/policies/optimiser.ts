/** The optimiser's interface: networks give gradients, an optimiser makes the steps. */
import type { NamedTensor } from "../../base/safetensors.ts";
import type { StepOptions } from "./policy.ts";

/** Steps the parameters of one network along the gradient that it has summed up. */
export interface Optimiser {
  /** Number of steps so far. */
  readonly steps: number;
  /** One step with clipping and averaging; the gradient is zero afterwards. */
  step(options: StepOptions): { readonly gradientNorm: number };
  /** Its state for parameters that are not frozen: moments, steps, an average if kept. */
  tensors(): NamedTensor[];
  /**
   * Restores the state of `tensors`.
   *
   * @throws Error if they are of another network.
   */
  load(tensors: readonly NamedTensor[]): void;
  /** The network's parameters by name, those with an average averaged; undefined without one. */
  averaged(): NamedTensor[] | undefined;
}
