/** States as networks of one's own read them: of a batch, and of open trajectories. */
import type { Environment } from "../environments/environment.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import type { PolicyStates } from "./define_policy.ts";
import { distinctWalks, type OpenWalk, walkKey } from "./network.ts";

/** The distinct states of a batch, each with the actions of the first trajectory through it. */
export function statesOf({ states, prompts, B, T, lengths, actions }: Batch): PolicyStates {
  const count = states.keys.length;
  const ways: number[][] = new Array(count);
  const asked = new Array(count);
  for (let b = 0; b < B; b++) {
    for (let t = 0; t < lengths[b]; t++) {
      const state = states.index[b * T + t];
      if (ways[state]) continue;
      ways[state] = [...actions.subarray(b * T, b * T + t)];
      asked[state] = prompts[b];
    }
  }
  const features = states.features ?? new Float32Array(0);
  return { count, keys: states.keys, prompts: asked, actions: ways, features };
}

/** The distinct present states of trajectories, and the index of each trajectory's state. */
export function statesOfWalks(environment: Environment, walks: readonly OpenWalk[]) {
  const { distinct, rows, keys } = distinctWalks(walks, (walk) => walkKey(environment, walk));
  const size = environment.features?.size ?? 0;
  const features = new Float32Array(distinct.length * size);
  distinct.forEach(({ state }, i) => environment.features?.encode(state, features, i * size));
  const states: PolicyStates = {
    count: distinct.length,
    keys,
    prompts: distinct.map(({ prompt }) => prompt),
    actions: distinct.map((walk) => [...walk.actions]),
    features,
  };
  return { states, rows, distinct };
}
