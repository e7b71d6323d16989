/** An entry of a replay buffer: an object, the actions that lead to it, and its log rewards. */
import type { Prompt } from "../environments/environment.ts";
import type { Trajectory, Walked } from "../trajectories/trajectory.ts";

/** Parts of a trajectory that replay keeps. No log P_F: a replayed trajectory is always scored again. */
export interface ReplayEntry {
  /** Exit included. */
  readonly actions: readonly number[];
  /** Text of the terminal object; entries are unique by text and prompt. */
  readonly text: string;
  /** Prompt that it answers; left out where the environment answers none. */
  readonly prompt?: Prompt;
  /** Version of the policy that sampled it; its age follows from the policy's version now. */
  readonly version?: number;
  /** Log reward of each terminable state, in order; the last is that of the object itself. */
  readonly logReward: readonly number[];
}

/**
 * The entry of a sampled trajectory.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { entryOf } from "./replay_entry.ts";
 * assert.deepEqual(entryOf({ actions: [3, 10], text: "3" } as never, [0.5]), {
 *   actions: [3, 10],
 *   text: "3",
 *   logReward: [0.5],
 * });
 * ```
 */
export function entryOf(
  { actions, text, prompt, version }: Pick<Trajectory, "text"> & Walked,
  logReward: readonly number[],
): ReplayEntry {
  return {
    actions,
    text,
    logReward,
    ...(prompt && { prompt }),
    ...(version !== undefined && { version }),
  };
}
