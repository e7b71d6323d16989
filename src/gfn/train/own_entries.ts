/** Sampled trajectories with the log rewards that their environment states. */
import { inputError } from "../../base/diagnostic.ts";
import type { Environment } from "../environments/environment.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { Walked } from "../trajectories/trajectory.ts";

/**
 * `[trajectories][complete objects on the way, its own last]`: log rewards.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownLogRewards } from "./own_entries.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const [rewards] = ownLogRewards(environment, [...environment.enumerate()].slice(0, 1));
 * assert.equal(rewards.at(-1), 0);
 * ```
 *
 * @throws InputError if the environment states none.
 */
export function ownLogRewards(
  environment: Environment,
  trajectories: readonly Walked[],
): number[][] {
  if (!environment.logReward) throw unrewarded(environment.kind);
  const batch = makeBatch(environment, trajectories);
  return trajectories.map((_, b) =>
    Array.from({ length: batch.lengths[b] }, (_, t) => b * batch.T + t)
      .filter((cell) => batch.terminable[cell] === 1)
      .map((cell) => batch.logReward[cell])
  );
}

function unrewarded(kind: string): Error {
  const message = `Cannot learn from trajectories of this ${kind}: nothing gives their log reward`;
  const hint = 'wire log_reward = "judge.log_reward", or use an environment with its own reward';
  return inputError("learn/no-reward", message, undefined, hint);
}
