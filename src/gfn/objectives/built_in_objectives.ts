/** Objectives that come with Sluice, by name; each is defined in its own file. */
import type { Objective } from "./objective.ts";
import * as registry from "./registry.ts";

export * from "./registry.ts";

/** Every built-in objective by its name in a pipeline. */
export const builtInObjectives: ReadonlyMap<string, Objective> = new Map(
  Object.values(registry).map((objective) => [objective.name, objective]),
);

/** Built-in objectives that learn from rewards. */
export const rewardedObjectives: readonly Objective[] = [...builtInObjectives.values()]
  .filter(({ reads }) => reads !== "none");

/** Rewarded objectives for a policy's own trajectories only, as reinforcement learning uses them. */
export const onPolicyObjectives: readonly Objective[] = rewardedObjectives
  .filter(({ onPolicy }) => onPolicy);

/**
 * The built-in objective of this name.
 *
 * @throws RangeError if there is none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectiveNamed } from "./built_in_objectives.ts";
 * assert.deepEqual(objectiveNamed("trajectory_balance").moves, ["log_z", "backward"]);
 * ```
 */
export function objectiveNamed(name: string): Objective {
  const found = builtInObjectives.get(name);
  if (found) return found;
  throw new RangeError(
    `There is no objective "${name}": ${[...builtInObjectives.keys()].join(", ")}`,
  );
}
