/** Distributions of whole vectors: one event along the last axis, untransformed. */
import type { FamilyDefinition } from "./family.ts";

type Common = Pick<
  FamilyDefinition,
  "eventRank" | "discrete" | "proper" | "support" | "transform"
>;

/** Of vectors of real numbers. */
export const realVectors: Common = {
  eventRank: 1,
  discrete: false,
  proper: true,
  support: "vector",
  transform: () => ({ kind: "identity" }),
};

/** Of vectors of counts. */
export const countVectors: Common = { ...realVectors, discrete: true, support: "count_vector" };
