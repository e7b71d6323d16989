/** An entry of a replay buffer: an object, the way to it, and its log rewards. */

/** What is kept of a trajectory. No log P_F: a replayed trajectory is always scored anew. */
export interface ReplayEntry {
  /** Exit included. */
  readonly actions: readonly number[];
  /** Text of the terminal object; entries are unique by it. */
  readonly text: string;
  /** Log reward of each terminable state, in order; the last is that of the object itself. */
  readonly logReward: readonly number[];
}
