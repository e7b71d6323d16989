/** Batches over test trees, with the log reward of every complete state. */
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import type { RandomStream } from "../../src/base/random.ts";

/** The batch of given trajectories (exit included). */
export function treeBatch<S>(
  environment: Environment<S>,
  rows: readonly (readonly number[])[],
): Batch {
  return makeBatch(environment, rows.map((actions) => ({ actions })));
}

/** Every object of the tree, once. */
export function wholeTree<S>(environment: Environment<S>): Batch {
  return treeBatch(environment, [...environment.enumerate()].map((object) => object.actions));
}

/** Scores without meaning, for tests of gradients. Exit agrees with the action where it is taken. */
export function randomScores(batch: Batch, random: RandomStream): Scores {
  const draw = () =>
    Float64Array.from({ length: batch.B * batch.T }, () => 2 * random.uniform() - 1);
  return { logPf: draw(), logExit: draw(), logFlow: draw(), handle: 0 };
}
