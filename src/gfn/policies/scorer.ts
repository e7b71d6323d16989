/** Scores of a batch, and log P of open trajectories, from the logits of a network. */
import type { Environment } from "../environments/environment.ts";
import type { Batch, ScoreGradients, Scores } from "../trajectories/trajectory.ts";
import type { OpenWalk } from "./network.ts";

/** Log probabilities of a policy at the present states of trajectories. */
export interface WalkScores {
  /** log P of the legal actions of trajectory `i`, in their order; valid until the next call. */
  logForward(i: number): Float64Array;
  /** log P_B of the legal backward actions of trajectory `i`, where it is learned. */
  readonly logBackward?: (i: number) => Float64Array;
}

/** Sampling with one set of parameters. */
export interface ScoringSession {
  /** log P_B is learned: the state after every step is asked for. */
  readonly learnsBackward: boolean;
  /** True where every action of a trajectory needs a call of its own. */
  readonly stepwise: boolean;
  /**
   * Trajectories are advanced in rounds, each to its next choice, after any number of actions; a number
   * is then drawn for every choice, and none where one action alone is legal.
   */
  readonly inRounds?: boolean;
  /** Log probabilities at the present states of these trajectories. */
  next(walks: readonly OpenWalk[]): Promise<WalkScores>;
  /** Frees remembered values. */
  end(): void;
}

/** Turns outputs of a network into scores, and their gradient into that of the parameters. */
export interface Scorer {
  /** Scores a batch; with `keep`, keeps values for `backward`. */
  score(batch: Batch, keep: boolean): Promise<Scores>;
  /** Adds to the gradient of the parameters; releases the handle. */
  backward(handle: number, gradients: ScoreGradients): Promise<void>;
  release(handle: number): void;
  /** Releases everything pending. */
  clear(): void;
  /** As `Policy.logProbabilities`. */
  logProbabilities(batch: Batch): Promise<readonly Float64Array[]>;
  begin(environment: Environment, count: number): ScoringSession;
}
