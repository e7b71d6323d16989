/** Features of states, in the form in which networks that are not sequence models read them. */
import type { Environment } from "../environments/environment.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import { distinctWalks, type NetworkSession, type OpenWalk, walkKey } from "./network.ts";

/** `[states, size]` of the distinct states of a batch. @throws internal, if it has none. */
export function featuresOf(batch: Batch): Float32Array {
  const { features } = batch.states;
  if (!features) throw new Error("internal: the environment describes no features");
  return features;
}

/** Passes each distinct state of open trajectories to `compute`, by its features. */
export function featureSession(
  environment: Environment,
  compute: (features: Float32Array, rows: number) => Promise<Float32Array>,
): NetworkSession {
  const { features } = environment;
  if (!features) throw new Error("internal: the environment describes no features");
  return {
    async next(walks: readonly OpenWalk[]) {
      const { distinct, rows } = distinctWalks(walks, (walk) => walkKey(environment, walk));
      const values = new Float32Array(distinct.length * features.size);
      distinct.forEach(({ state }, i) => features.encode(state, values, i * features.size));
      return { values: await compute(values, distinct.length), rows };
    },
    end() {},
  };
}
