/** Certificates that can be refused: bounds, explorers and a verdict, where nobody can count. */
export { certify, type CertifyOptions, type PolicyCertificate } from "./certify.ts";
export { type ExplorerReport } from "./explorer_report.ts";
export { explore, type Explored, type ExploreOptions } from "./explore.ts";
export type { Bounds } from "./bounds.ts";
export type { KnownObject } from "./known_object.ts";
export { objectOf } from "./policy_explorers.ts";
export { type SampledVerdict, tolerated } from "./verdict.ts";
export type { Scored } from "./scored_objects.ts";
export { logMassOf } from "./policy_mass.ts";
