/** How old trajectories are: steps of learning since the policy that sampled them. */
import type { Trajectory } from "../../src/gfn/environments/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/**
 * Trajectories of a policy with the steps of the loop that had made it as their `version`. A policy
 * counts its own steps too, but one from a checkpoint or a copy begins at 0.
 */
export function sampledHere(
  { step, behind }: Pick<StageContext, "step" | "behind">,
  trajectories: readonly Trajectory[],
): Trajectory[] {
  const version = Math.max(0, step - 1 - behind);
  return trajectories.map((one) => one.version === undefined ? one : { ...one, version });
}

/** Steps of the loop between the policy that sampled a trajectory and the one that learns from it. */
export function stalenessOf(
  { step }: Pick<StageContext, "step">,
  { version }: Pick<Trajectory, "version">,
): number | undefined {
  return version === undefined ? undefined : Math.max(0, step - 1) - version;
}
