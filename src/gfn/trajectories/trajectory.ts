/** Trajectories, and the padded batch in which policies score them. */
import type { Environment, LegalActions, Prompt } from "../environments/environment.ts";

/** One trajectory to a terminal object. `logPf` is under the policy itself, not under exploration. */
export interface Trajectory {
  /** Exit included. */
  readonly actions: readonly number[];
  /** Σ log P_F, the exit included. */
  readonly logPf: number;
  /** Σ log P_B; 0 on trees. */
  readonly logPb: number;
  /** Log prior of the terminal object, under the environment's own weights. */
  readonly logPrior: number;
  /** Text of the terminal object. */
  readonly text: string;
  /** Prompt that it answers; left out where the environment answers none. */
  readonly prompt?: Prompt;
  /** `version` of the policy that sampled it; left out where none did. */
  readonly version?: number;
}

/** Parts of a trajectory that make a batch: its actions, prompt and version. */
export type Walked = Pick<Trajectory, "actions" | "prompt" | "version">;

/** The distinct states of a batch, each computed once for all trajectories that pass it. */
export interface BatchStates {
  /** `[B, T]`: which of the distinct states state `t` is; −1 at padding. */
  readonly index: Int32Array;
  /**
   * One per distinct state, in order of first appearance: `stateKey` where the environment has it,
   * else the prompt and the actions so far, joined by commas; the initial state of a tree has the
   * empty key, or that of its prompt.
   */
  readonly keys: readonly string[];
  /** One per distinct state: its legal actions. */
  readonly legal: readonly LegalActions[];
  /** `[keys.length, size]`, where the environment has features. */
  readonly features?: Float32Array;
}

/** Backward actions of a batch, for a learned P_B; only where the environment has a backward part. */
export interface BatchBackward {
  /** Number of backward actions. */
  readonly A: number;
  /** `[B, T]`: the one that undoes action `t`, taken in state `t + 1`; −1 at exit and padding. */
  readonly actions: Int32Array;
  /** One per distinct state: its legal backward actions. */
  readonly legal: readonly LegalActions[];
}

/**
 * Trajectories of one environment, padded to `T` actions; row-major. State `t` is the one in which
 * action `t` is taken, t < lengths[b]; the last action is the exit. Padding is 0.
 */
export interface Batch {
  /** Environment of all trajectories. */
  readonly environment: Environment;
  /** Number of trajectories. */
  readonly B: number;
  /** Actions of the longest trajectory. */
  readonly T: number;
  /** Size of the action vocabulary. */
  readonly A: number;
  /** `[B, T]`: actions taken. */
  readonly actions: Int32Array;
  /** `[B]`: number of actions, exit included. */
  readonly lengths: Int32Array;
  /** `[B, T]`: 1 where the exit is legal in state `t`. */
  readonly terminable: Uint8Array;
  /** `[B, T]`: log R of exiting in state `t`; read only where `terminable`. */
  readonly logReward: Float64Array;
  /**
   * `[B, T]`: log P_B of the step that action `t` makes, uniform over parents; 0 on trees, where of
   * thoughts it is that of uniform choice, or of the policy's posterior (`thought_posterior.ts`).
   */
  readonly logPb: Float64Array;
  /** `[B, T]`: log prior of action `t` in its state. */
  readonly logPrior: Float64Array;
  /** `[B]`: log prior of the object, over all paths to it; on trees the sum of `logPrior` behind thoughts. */
  readonly objectLogPrior: Float64Array;
  /** `[B]`: prompt of each; the empty prompt where there are none. */
  readonly prompts: readonly Prompt[];
  /** `[B]`: version of the policy that sampled each; −1 where it is not known. */
  readonly versions: Int32Array;
  /** Distinct states, with their legal actions. */
  readonly states: BatchStates;
  /** Absent on trees. */
  readonly backward?: BatchBackward;
}

/** Scores of a batch by a policy, in f64; `[B, T]` each. */
export interface Scores {
  /** log P_F of the action taken. */
  readonly logPf: Float64Array;
  /** log P_F of the exit action, where legal; else 0. */
  readonly logExit: Float64Array;
  /** Learned log F of the state; log F of the initial state stands at `t = 0`. */
  readonly logFlow: Float64Array;
  /** Learned log P_B of the step that action `t` makes; if absent, that of the batch holds. */
  readonly logPb?: Float64Array;
  /** Handle of the values kept for `backward`; released by `backward` or `release`. */
  readonly handle: number;
}

/** dLoss/dScores, in the same layout. */
export interface ScoreGradients {
  /** `[B, T]`. */
  readonly logPf: Float64Array;
  /** `[B, T]`; read only where the exit is legal. */
  readonly logExit: Float64Array;
  /** `[B, T]`. */
  readonly logFlow: Float64Array;
  /** `[B, T]`; present exactly where the scores have a learned log P_B. */
  readonly logPb?: Float64Array;
}
