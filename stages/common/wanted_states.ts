/** Which states of a trajectory are rewarded: every complete prefix, or the end alone. */
import {
  type Environment,
  terminablePrefixes,
  writesFreely,
} from "../../src/gfn/environments/mod.ts";
import { z } from "../../src/base/zod.ts";

/** Value in a pipeline. */
export type WantedStates = "terminable" | "terminal";

/** The key, for the schema of a stage. */
export const statesKey = z.enum(["terminable", "terminal"]).optional().describe(
  "every complete prefix, which exact flows need, or final states alone (default: terminal for free " +
    "texts, which may end behind each token, else terminable)",
);

/** The complete objects on a trajectory that are rewarded; of those left out, see {@link statesKey}. */
export function wantedPrefixes(
  environment: Environment,
  actions: readonly number[],
  asked: WantedStates | undefined,
): ReturnType<typeof terminablePrefixes> {
  const all = terminablePrefixes(environment, actions);
  const states = asked ?? (writesFreely(environment) ? "terminal" : "terminable");
  return states === "terminable" ? all : all.slice(-1);
}
