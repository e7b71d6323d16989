/** Posterior draws as InferenceData of ArviZ. */
export type { Group, InferenceData, Labels, Variable, VariableValues } from "./data.ts";
export { packInferenceData, unpackInferenceData } from "./packed.ts";
export { type ZarrFiles, zarrFiles } from "./zarr.ts";
