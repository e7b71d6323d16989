/** Space kinds of policies for many data sets: their families, and the name of their environment. */
import { growthFamilies } from "./growth/noises.ts";
import { answeredFamilies, type RegressionFamily } from "./regression_families.ts";

/** Name of the environment of questions about data sets, in artifacts and messages. */
export const questionsKind = "questions";

/** Kinds of model spaces that policies for many data sets are trained on. */
export const spaceKinds = ["regression", "growth"] as const;

/** One of {@linkcode spaceKinds}. */
export type SpaceKind = (typeof spaceKinds)[number];

/**
 * Families of the programs of a space kind that are scored, given that of simulated regressions.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { scoredFamilies } from "./questions_kind.ts";
 * assert.deepEqual(scoredFamilies("regression"), ["normal"]);
 * ```
 */
export function scoredFamilies(
  space: SpaceKind,
  family: RegressionFamily = "normal",
): readonly string[] {
  return space === "growth" ? growthFamilies : answeredFamilies(family);
}
