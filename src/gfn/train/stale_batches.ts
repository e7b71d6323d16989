/** Whether an objective may learn from batches of older policies. */
import { inputError } from "../../base/diagnostic.ts";
import { rewardedObjectives } from "../objectives/built_in_objectives.ts";
import type { Objective } from "../objectives/objective.ts";
import type { TrainingSettings } from "./training_settings.ts";

/**
 * An objective for the policy's own trajectories has a biased gradient on those of an older one.
 * Balance objectives have not: at their optimum every trajectory balances, from any sampler.
 *
 * @param staleness Steps by which a batch may be older than the policy that learns from it.
 * @returns Text on the moved optimum, where this is allowed; undefined where no batch is stale.
 * @throws InputError `learn/stale` unless the settings allow it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { objectiveNamed } from "../objectives/built_in_objectives.ts";
 * import { requireFresh } from "./stale_batches.ts";
 * requireFresh(objectiveNamed("trajectory_balance"), { stale: "refuse" }, 4);
 * assert.throws(() => requireFresh(objectiveNamed("reinforce"), { stale: "refuse" }, 4), /4 steps/);
 * ```
 */
export function requireFresh(
  { name, onPolicy }: Objective,
  { stale }: Pick<TrainingSettings, "stale">,
  staleness: number,
): string | undefined {
  if (!onPolicy || staleness === 0) return undefined;
  const steps = `${staleness} ${staleness === 1 ? "step" : "steps"}`;
  if (stale === "uncorrected") {
    return `${name} learned from trajectories of policies up to ${steps} old as if they were its own`;
  }
  const offPolicy = rewardedObjectives.filter((one) => !one.onPolicy);
  const known = offPolicy.map((one) => one.name).join(", ");
  throw inputError(
    "learn/stale",
    `Cannot learn by ${name} from batches that are up to ${steps} old: it is right for the ` +
      "policy's own trajectories only",
    undefined,
    `set staleness of the loop to 0, or choose one of ${known}; stale = "uncorrected" lets it, ` +
      "to compare",
  );
}
