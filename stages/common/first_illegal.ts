/** Finds where a trajectory leaves its environment: the first illegal action. */
import { type Environment, legalIn, placeIn, type Walked } from "../../src/gfn/environments/mod.ts";

/** The place of that action, and how many were legal there; undefined if all are legal. */
export function firstIllegal(
  environment: Environment,
  { actions, prompt }: Pick<Walked, "actions" | "prompt">,
): { readonly at: number; readonly legal: "all" | Int32Array } | undefined {
  let state = environment.initialState(prompt);
  for (const [at, action] of actions.entries()) {
    const legal = legalIn(environment, state);
    if (placeIn(legal, action) < 0) return { at, legal };
    if (action !== environment.exitAction) state = environment.step(state, action);
  }
  return undefined;
}
