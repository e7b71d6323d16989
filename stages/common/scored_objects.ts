/** The objects of a scored set: ends of its trajectories in an environment. */
import { objectOf } from "../../src/gfn/certificates/mod.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { ScoredSet } from "../ports/values.ts";
import type { Scored } from "../../src/gfn/certificates/mod.ts";

/** Distinct objects with their log rewards, in the order of the set; several trajectories may lead to one. */
export function scoredObjects(environment: Environment, set: ScoredSet | undefined): Scored[] {
  const found = new Map<string, Scored>();
  for (const [actions, logReward] of set?.rows ?? []) {
    const object = objectOf(environment, actions);
    found.set(object.text, { object, logReward });
  }
  return [...found.values()];
}
