/** A number that changes in the course of training: constant, or linear until a fraction of it. */

/** Linear from `start` to `end`, which is reached at the fraction `until` and kept from then on. */
export interface Course {
  /** Value at the first step. */
  readonly start: number;
  /** Value from `until` on. */
  readonly end: number;
  /** Fraction of training, in [0, 1]. */
  readonly until: number;
}

/**
 * The value of a course at a fraction of training; a number is a constant.
 *
 * @param fraction In [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { courseAt } from "./course.ts";
 * assert.equal(courseAt({ start: 0.5, end: 0, until: 0.5 }, 0.25), 0.25);
 * assert.equal(courseAt(2, 0.9), 2);
 * ```
 */
export function courseAt(course: number | Course, fraction: number): number {
  if (typeof course === "number") return course;
  const { start, end, until } = course;
  if (fraction >= until) return end;
  return start + (end - start) * (fraction / until);
}
