/** Policies: distributions over actions. */
export {
  definePolicy,
  isPolicyDefinition,
  type OwnNetwork,
  type OwnRowNetwork,
  type OwnTensor,
  type PolicyDefinition,
  type PolicyStates,
  type PolicyTask,
  type RowPass,
} from "./define_policy.ts";
export { type Edge, type EdgeScores, sampleEdges } from "./edge_sampling.ts";
export { rootTokens } from "./language_model/token_session.ts";
export { writtenTrajectory } from "./language_model/written_texts.ts";
export type { Policy, SampleOptions, StepOptions } from "./policy.ts";
export { requireDecay } from "./require_decay.ts";
export type { Opening, Refusal } from "./policy_kind.ts";
