/** The policies that Sluice brings: made, opened, with their networks and kernels. */
export {
  type BuiltInPolicyConfig,
  builtInPolicyKinds,
  createPolicy,
  freshPolicy,
  loadPolicy,
  type PolicyBackend,
  type PolicyConfig,
} from "../create_policy.ts";
export { kernelLine, kernelsFound } from "../fused.ts";
export { givenTrajectories } from "../given_ways.ts";
export type { LanguageModelConfig } from "../kinds/language_model.ts";
export { LanguageModelPolicy } from "../language_model/language_model_policy.ts";
export type { LanguageModelParts } from "../language_model/language_model_policy.ts";
export type { Network } from "../network.ts";
export type { PolicyHeader } from "../network_policy.ts";
export type { DenseNetwork, RowNetwork } from "../network.ts";
export type { LearnedParameters, NetworkOutputs, NetworkSession, OutputSizes } from "../network.ts";
export type { OpenWalk, StateOutputs } from "../network.ts";
export type { Optimiser } from "../optimiser.ts";
