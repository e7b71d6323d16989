/** Batches over test trees, with the log reward of every complete state. */
import type { Batch, Scores } from "../../src/gfn/trajectory.ts";
import type { RandomStream } from "../../src/base/random.ts";
import type { TreeEnvironment } from "./tree_environment.ts";

/** The batch of given trajectories (exit included). */
export function treeBatch(
  environment: TreeEnvironment,
  rows: readonly (readonly number[])[],
): Batch {
  const [B, A] = [rows.length, environment.actionNames.length];
  const T = Math.max(...rows.map((row) => row.length));
  const batch = {
    environment,
    B,
    T,
    A,
    actions: new Int32Array(B * T),
    lengths: Int32Array.from(rows, (row) => row.length),
    masks: new Uint8Array(B * T * A),
    terminable: new Uint8Array(B * T),
    logReward: new Float64Array(B * T),
    logPb: new Float64Array(B * T),
  };
  rows.forEach((actions, b) => {
    let node = environment.initialState();
    actions.forEach((action, t) => {
      const at = b * T + t;
      batch.actions[at] = action;
      batch.masks.set(environment.legalActions(node), at * A);
      if (node.logReward !== undefined) {
        batch.terminable[at] = 1;
        batch.logReward[at] = node.logReward;
      }
      if (action !== environment.exitAction) node = environment.step(node, action);
    });
  });
  return batch;
}

/** Every object of the tree, once. */
export function wholeTree(environment: TreeEnvironment): Batch {
  return treeBatch(environment, [...environment.enumerate()].map((object) => object.actions));
}

/** Scores without meaning, for tests of gradients. Exit agrees with the action where it is taken. */
export function randomScores(batch: Batch, random: RandomStream): Scores {
  const draw = () =>
    Float64Array.from({ length: batch.B * batch.T }, () => 2 * random.uniform() - 1);
  return { logPf: draw(), logExit: draw(), logFlow: draw(), handle: 0 };
}
