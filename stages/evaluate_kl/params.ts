/** Parameters of the stage kind `evaluate_kl`, as its schema gives them. */
import type { CountParams } from "./count_budget.ts";
import type { ReferenceParams } from "./references.ts";

/** How to fit a network to the target itself. */
export interface CapacityParams {
  readonly steps: number;
  readonly batch_size: number;
  readonly learning_rate: number;
}

/** Which policy gradients to train beside the policy, and how. */
export interface TrainedBaselineParams {
  readonly objectives: readonly string[];
  readonly batch_size: number;
  readonly learning_rate: number;
}

/** How much of the target to score again with another seed of the engine. */
export interface TargetNoiseParams {
  readonly share: number;
  readonly seed: number;
}

/** Settings of sampling where objects cannot be enumerated. */
export interface SamplingParams {
  readonly samples: number;
  readonly sub_supports: number;
  readonly sub_support_size: number;
}

/** Budget of a certificate where objects cannot be enumerated. */
export interface CertificateParams {
  /** Of the distinct evaluations of training. */
  readonly share: number;
  /** Distinct evaluations, if the share is less. */
  readonly at_least: number;
  /** Objects up to which they are listed, though not scored. */
  readonly list_at_most: number;
  /** A reader's own word, from which other random numbers follow. */
  readonly seed?: string;
  /** Certificates of which the worst is reported. */
  readonly seeds?: number;
}

export interface EvaluateParams {
  /** Published programs that are ranked among all. */
  readonly references?: readonly ReferenceParams[];
  readonly worst_prefixes: number;
  readonly floor_repetitions: number;
  readonly baseline_repetitions: number;
  /** Distinct evaluations of a baseline; those of the policy's training if left out. */
  readonly budget?: number;
  /** Whether a surrogate without a policy stands beside it. */
  readonly active_surrogate?: boolean;
  readonly capacity?: CapacityParams;
  readonly rivals?: TrainedBaselineParams;
  readonly target_noise?: TargetNoiseParams;
  readonly enumerate_at_most: number;
  /** Time that counting may take; ten minutes if left out. */
  readonly count?: CountParams;
  readonly sampling: SamplingParams;
  readonly certificate: CertificateParams;
  /** Samples of the policy, and of the target, for estimates from both sides of log Z. */
  readonly bidirectional?: { readonly samples: number };
}
