/** Name of the environment of questions about data sets, in artifacts and messages. */
export const questionsKind = "questions";

/** Kinds of model spaces that policies for many data sets are trained on. */
export const spaceKinds = ["regression", "growth"] as const;

/** One of {@linkcode spaceKinds}. */
export type SpaceKind = (typeof spaceKinds)[number];
