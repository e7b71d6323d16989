/** Trajectories, and the padded batch in which policies score them. */
import type { Environment } from "./environment.ts";

/** One walk to a terminal object. `logPf` is under the policy itself, not under exploration. */
export interface Trajectory {
  /** Exit included. */
  readonly actions: readonly number[];
  /** Σ log P_F, the exit included. */
  readonly logPf: number;
  /** Σ log P_B; 0 on trees. */
  readonly logPb: number;
  /** Of the terminal object under the environment's own weights. */
  readonly logPrior: number;
  /** Of the terminal object. */
  readonly text: string;
}

/**
 * Trajectories of one environment, padded to `T` actions; row-major. State `t` is the one in which
 * action `t` is taken, t < lengths[b]; the last action is the exit. Padding is 0.
 */
export interface Batch {
  /** What all of them walk. */
  readonly environment: Environment;
  /** Number of trajectories. */
  readonly B: number;
  /** Most actions of one of them. */
  readonly T: number;
  /** Size of the action vocabulary. */
  readonly A: number;
  /** `[B, T]`. */
  readonly actions: Int32Array;
  /** `[B]`: number of actions, exit included. */
  readonly lengths: Int32Array;
  /** `[B, T, A]`: 1 = legal. */
  readonly masks: Uint8Array;
  /** `[B, T]`: 1 where the exit is legal in state `t`. */
  readonly terminable: Uint8Array;
  /** `[B, T]`: log R of exiting in state `t`; read only where `terminable`. */
  readonly logReward: Float64Array;
  /** `[B, T]`: log P_B of the step that action `t` makes; 0 on trees. */
  readonly logPb: Float64Array;
}

/** What a policy says about a batch, in f64; `[B, T]` each. */
export interface Scores {
  /** log P_F of the action taken. */
  readonly logPf: Float64Array;
  /** log P_F of the exit action, where legal; else 0. */
  readonly logExit: Float64Array;
  /** Learned log F of the state; log F of the initial state stands at `t = 0`. */
  readonly logFlow: Float64Array;
  /** What `backward` needs to find the batch again; released by `backward` or `release`. */
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
}
