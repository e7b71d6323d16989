/** Space kinds of policies for many data sets: their families, and the name of their environment. */
import { growthFamilies } from "./growth/noises.ts";

/** Name of the environment of questions about data sets, in artifacts and messages. */
export const questionsKind = "questions";

/** Kinds of model spaces that policies for many data sets are trained on. */
export const spaceKinds = ["regression", "growth"] as const;

/** One of {@linkcode spaceKinds}. */
export type SpaceKind = (typeof spaceKinds)[number];

/** Families of the programs of a space kind that are scored. */
export const scoredFamilies: Readonly<Record<SpaceKind, readonly string[]>> = {
  regression: ["normal"],
  growth: growthFamilies,
};
