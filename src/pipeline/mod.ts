/** Pipelines: TOML in, a plan, a run, its record. */
export { filePath, modulePath } from "./contract/path_param.ts";
export type { DecodeContext, Port, Ports, PortType, PortValues, ValueOf } from "./contract/port.ts";
export {
  defineStage,
  type ExecutionRequest,
  type Row,
  type StageContext,
  type StageDefinition,
  type StageInstance,
  type StageKind,
  type StagePermissions,
} from "./contract/stage.ts";
