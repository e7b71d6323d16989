/** Parameters by which objectives are compared with their laws, and the head of forward-looking ones. */
import { z } from "../../src/base/zod.ts";
import { type Objective, parametersOf } from "../../src/gfn/objectives/objective.ts";
import type { Settings } from "../../src/gfn/settings/read_settings.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";

/** Its parameters as they are by default, and with every other choice that a name makes. */
export function parameterCases(objective: Objective): Settings[] {
  const { properties = {} } = z.toJSONSchema(objective.parameters ?? z.object({}));
  const changes = Object.entries(properties).flatMap(([key, schema]) =>
    ((schema as { readonly enum?: readonly string[] }).enum ?? []).map((one) => ({ [key]: one }))
  );
  return [{}, ...changes].map((given) => parametersOf(objective, given));
}

/** A forward-looking head learns what the partial reward does not say yet. */
export function lookForward(
  { logFlow }: Scores,
  batch: Batch,
  { name }: Objective,
  { partial_reward }: Settings,
): void {
  if (!name.startsWith("forward_looking")) return;
  for (let at = 0, prior = 0; at < batch.B * batch.T; at++) {
    if (at % batch.T === 0) prior = 0;
    if (partial_reward === "prior") logFlow[at] -= prior;
    else if (batch.terminable[at] === 1) logFlow[at] -= batch.logReward[at];
    prior += batch.logPrior[at];
  }
}
