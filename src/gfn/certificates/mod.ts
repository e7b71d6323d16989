/** Certificates that can be refused: bounds, explorers and a verdict, for spaces too large to enumerate. */
export { certify, type CertifyOptions, type PolicyCertificate } from "./certify.ts";
export {
  certifySamples,
  type CertifySamplesOptions,
  type ForeignPolicy,
} from "./certify_samples.ts";
export { type ExplorerReport } from "./explorer_report.ts";
export { explore, type Explored, type ExploreOptions } from "./explore.ts";
export type { Bounds } from "./bounds.ts";
export type { KnownObject } from "./known_object.ts";
export { objectOf } from "./moves.ts";
export { type SampledVerdict, tolerated } from "./verdict.ts";
export type { Scored } from "./scored_objects.ts";
export { logMassOf } from "./policy_mass.ts";
export type { ExplorerAgreement, klTargetPolicy } from "./explorer_agreement.ts";
export type { LowerBound } from "./bounds.ts";
export type { BroadWalks } from "./broad_walks.ts";
export type { Exploration } from "./exploration.ts";
export type { WeighedDraws } from "./listed_sample.ts";
export type { CertifiedPolicy } from "./policy_mass.ts";
export type { AskRewards, ScoredObjects } from "./scored_objects.ts";
export type { Unseen } from "./unseen.ts";
export type { Draw } from "./drawn_sum_bound.ts";
export type { WeightedObject } from "./exploration.ts";
export type { DrawnObject } from "./listed_sample.ts";
export type { Allowance } from "./scored_objects.ts";
export type { FittedWalk, FittedWalks } from "./fitted_walks.ts";
export type { FoundCorrelation } from "./found_correlation.ts";
