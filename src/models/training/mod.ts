/** Training of language models: gradients, adapters, memory. */
export { LayeredPass } from "./layered_pass.ts";
export { frozenLayers, mapNames, matchTargets, type Targets } from "./linear_maps.ts";
export { RememberedRows } from "./remembered_rows.ts";
export type {
  Awaitable,
  HeadRow,
  LegalChunk,
  TokenTree,
  TrainableModel,
  TrainingStep,
  TreePass,
  Writing,
  WrittenText,
} from "./token_tree.ts";
export type {
  AdamStep,
  TrainedText,
  TrainerCheckpoint,
  TrainerConfig,
  TrainerLink,
  TrainerPlace,
  TrainerRecord,
  TrainerRequest,
  TrainerWork,
} from "./trainer_link.ts";
export { adapterFiles, type BaseModel, type Owner } from "./peft_folder.ts";
export type { AdapterSpec } from "./attach.ts";
export { TrainedModel } from "./trained_model.ts";
export type { TrainedPart } from "./training_memory.ts";
export type { LayeredPassOptions } from "./layered_pass.ts";
export type { EmbeddingGradients } from "./attach.ts";
export type { FrozenRows } from "./frozen_rows.ts";
export type { TreePlan } from "./tree_plan.ts";
export type { Run } from "./tree_plan.ts";
