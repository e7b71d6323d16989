/** The policy's interface: it knows nothing of objectives, an objective nothing of networks. */
import type { RandomStream } from "../../base/random.ts";
import type { NamedTensor } from "../../base/safetensors.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import type { Batch, ScoreGradients, Scores, Trajectory } from "../trajectories/trajectory.ts";

/** Number of trajectories, and the behaviour that draws them. */
export interface SampleOptions {
  /** Number of trajectories. */
  readonly count: number;
  /** Source of randomness: one uniform number is drawn per action. */
  readonly random: RandomStream;
  /** Share of uniform choice among legal actions mixed into the behaviour, in [0, 1]. */
  readonly epsilon: number;
  /** Temperature of the behaviour; 1 leaves the policy as it is. */
  readonly temperature: number;
  /**
   * The behaviour draws among the likeliest actions alone, the fewest that have this share together,
   * in (0, 1] (nucleus sampling, Holtzman et al. 2020); 1 if left out: among all.
   */
  readonly topP?: number;
  /** `[count]`: prompt that each answers; left out where the environment answers none. */
  readonly prompts?: readonly Prompt[];
  /** `[count]`: actions that each begins with; they are scored, and no numbers drawn for them. */
  readonly given?: readonly (readonly number[])[];
}

/** Settings of one step of the optimiser. */
export interface StepOptions {
  /** Learning rate of Adam; 0 or more. */
  readonly learningRate: number;
  /** Global norm at which the gradient is clipped; Infinity: never. */
  readonly clipNorm: number;
  /**
   * Learning rate of the log flow's own parameters; as the others if left out. Policies of one's
   * own do not mark any.
   */
  readonly flowLearningRate?: number;
  /** Decay of a parameter per step of rate 1; 0 if left out. See `decaysWeights`. */
  readonly weightDecay?: number;
  /**
   * Keeps an average of the parameters: average ← d · average + (1 − d) · parameters, d in (0, 1),
   * from the first step with this setting on; see `averaged`.
   */
  readonly averageDecay?: number;
}

/** A distribution over trajectories of one environment, with parameters that can be learned. */
export interface Policy {
  /** `table`, `transformer`, … */
  readonly kind: string;
  /** Backend: `fused` (own kernels), one of TensorFlow.js, or `host`. */
  readonly backend: string;
  /** One line for the user: backend, kernels, and why another was not used. */
  readonly computes: string;
  /** Number of parameters. */
  readonly size: number;
  /**
   * Steps that made these parameters, as far as it knows: one more at every `step`, kept by clones,
   * by `saveOptimizer` and by `loadOptimizer`; 0 for a policy that was only read from a file.
   */
  readonly version: number;
  /** True where it has no learned flow of states: objectives that learn one do not work with it. */
  readonly learnsNoFlow?: boolean;
  /** True where `weightDecay` of a step has an effect. */
  readonly decaysWeights?: boolean;
  /** True where the beginnings that trajectories of a batch share are computed once: large is cheap. */
  readonly sharesBeginnings?: boolean;
  /**
   * Trajectories of the behaviour; their `logPf` is the policy's own, `version` that of now. Where
   * one action alone is legal most kinds are not asked: a run of them costs no call.
   */
  sample(environment: Environment, options: SampleOptions): Promise<Trajectory[]>;
  /**
   * Scores of the actions taken, normalised over legal actions exactly as in `sample`. With `grad`,
   * keeps intermediate values for `backward`.
   */
  score(batch: Batch, options: { readonly grad: boolean }): Promise<Scores>;
  /**
   * One row per distinct state of a batch: log P_F of its legal actions, in the order of
   * `batch.states.legal`. Exact evaluation of environments that can be enumerated reads them.
   */
  logProbabilities(batch: Batch): Promise<readonly Float64Array[]>;
  /** Accumulates the gradient of the parameters. */
  backward(scores: Scores, gradients: ScoreGradients): Promise<void>;
  /** Releases scores with `grad` that `backward` will not see; `step` does so for all. */
  release(scores: Scores): void;
  /** One step of its optimiser along the accumulated gradient, which is then zero. */
  step(options: StepOptions): Promise<{ readonly gradientNorm: number }>;
  /** Parameters and configuration: enough to sample and score. Same parameters, same bytes. */
  save(): Promise<Uint8Array>;
  /**
   * The bytes of `save` in parts, for policies that are not to be in memory a second time: they
   * are views of the parameters, read to the end before the next step. See `savePolicy`.
   */
  saveParts(): AsyncIterable<Uint8Array>;
  /** Optimiser moments and step count, which a checkpoint adds to `save`. */
  saveOptimizer(): Promise<Uint8Array>;
  /** The bytes of `saveOptimizer` in parts. */
  saveOptimizerParts(): AsyncIterable<Uint8Array>;
  /** Restores the bytes of `saveOptimizer`, or its tensors. @throws Error if of another policy. */
  loadOptimizer(saved: Uint8Array | readonly NamedTensor[]): Promise<void>;
  /** An independent policy with the same parameters and a fresh optimiser. */
  clone(): Promise<Policy>;
  /** As `clone`, with the averaged parameters, if steps have kept an average. */
  averaged(): Promise<Policy>;
  /** Frees memory of the tensor backend; the policy must not be used afterwards. */
  dispose(): void;
}
