/** Pipeline files, read and resolved. */
export { declarationOf, isParameterPath } from "./declaration.ts";
export { keysOfKind } from "./kind_keys.ts";
export { loopSignature } from "./draft.ts";
export { pipelineJsonSchema } from "./json_schema.ts";
export type { KindKey } from "./kind_keys.ts";
export type { SoundPipeline } from "./resolve.ts";
export type { ResolvedPipeline, ResolvedStage, ResolvedValue, Wires } from "./resolved.ts";
export type { CheckedDeclaration } from "./declaration.ts";
export type { Node } from "./json_schema.ts";
export type {
  BestOf,
  NamedFile,
  ResolvedCheck,
  ResolvedLoop,
  StageCopy,
  Wire,
} from "./resolved.ts";
export type { StageKindDeclaration } from "./declaration.ts";
export type { PortDeclarations } from "./declaration.ts";
export type { PortDeclaration } from "./declaration.ts";
export type { ExportTable } from "./export_table.ts";
export type { SweepTable } from "./sweep_table.ts";
