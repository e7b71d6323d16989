/** Exploration: departure of the behaviour from the policy, which fades in training. */
import { type Course, courseAt } from "./course.ts";

/** Options of the behaviour, a part of `SampleOptions`. */
export interface Behaviour {
  /** Share of uniform choice among legal actions, in [0, 1]. */
  readonly epsilon: number;
  /** Temperature of the policy's softmax, above 0; 1 leaves it as it is. */
  readonly temperature: number;
  /** Share of the likeliest actions that are drawn from; all if left out. */
  readonly topP?: number;
}

/** A behaviour whose two parts change in training. */
export interface BehaviourCourse {
  /** Share of uniform choice. */
  readonly epsilon: number | Course;
  /** Temperature of the softmax. */
  readonly temperature: number | Course;
  /** Share of the likeliest actions that are drawn from, at all times. */
  readonly topP?: number;
}

/** A behaviour for a share of every batch. */
export interface BehaviourShare extends BehaviourCourse {
  /** Share of the batch, in [0, 1]; the rest belongs to the first behaviour. */
  readonly share: number;
}

/** Behaviour with its number of trajectories in a batch. */
export interface BehaviourCount extends Behaviour {
  /** Number of trajectories of this batch. */
  readonly count: number;
}

/**
 * The behaviours of one batch. Counts are rounded down, except that of the main behaviour, which
 * takes the rest; so they always sum to `count`.
 *
 * @param fraction Of training, in [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { behavioursAt } from "./exploration.ts";
 * const main = { epsilon: { start: 0.5, end: 0, until: 0.5 }, temperature: 1 };
 * const hot = { share: 0.25, epsilon: 0, temperature: 2 };
 * assert.deepEqual(behavioursAt(main, [hot], 10, 0.25), [
 *   { count: 8, epsilon: 0.25, temperature: 1 },
 *   { count: 2, epsilon: 0, temperature: 2 },
 * ]);
 * ```
 */
export function behavioursAt(
  main: BehaviourCourse,
  mix: readonly BehaviourShare[],
  count: number,
  fraction: number,
): BehaviourCount[] {
  const others = mix.map((one) => at(one, Math.floor(count * one.share + 1e-9), fraction));
  const rest = count - others.reduce((sum, one) => sum + one.count, 0);
  return [at(main, rest, fraction), ...others].filter((one) => one.count > 0);
}

function at(course: BehaviourCourse, count: number, fraction: number): BehaviourCount {
  const epsilon = courseAt(course.epsilon, fraction);
  const temperature = courseAt(course.temperature, fraction);
  return { count, epsilon, temperature, ...(course.topP !== undefined && { topP: course.topP }) };
}
