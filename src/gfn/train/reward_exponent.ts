/** The reward exponent β in the course of training: log R is multiplied by it while learning. */
import { type Course, courseAt } from "./course.ts";

/** The last fifth of training is at the target, to unlearn other targets. */
const latestUntil = 0.8;

/**
 * Why a course of the reward exponent would learn another target than R, or undefined if it does
 * not: it must end at 1, and be there for the last fifth.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { rewardExponentFault } from "./reward_exponent.ts";
 * assert.equal(rewardExponentFault({ start: 0.2, end: 1, until: 0.5 }), undefined);
 * assert.match(rewardExponentFault({ start: 0.2, end: 0.9, until: 0.5 })!, /ends at 0.9/);
 * assert.match(rewardExponentFault({ start: 0.2, end: 1, until: 0.9 })!, /last fifth/);
 * ```
 */
export function rewardExponentFault(course: Course): string | undefined {
  if (course.end !== 1) return `it ends at ${course.end}, so another target than R is learned`;
  if (course.until <= latestUntil) return undefined;
  return `it reaches 1 only at ${course.until} of training, which leaves less than the last fifth`;
}

/** β at a fraction of training. A constant other than 1 is a target of its own and not offered. */
export function rewardExponentAt(course: Course | undefined, fraction: number): number {
  return course ? courseAt(course, fraction) : 1;
}
