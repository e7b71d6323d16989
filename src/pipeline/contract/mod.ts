/** The contract of stages: ports, parameters, services. */
export { modelPlaces } from "./model_param.ts";
export { hostOf } from "./server_param.ts";
export { filePath, modulePath } from "./path_param.ts";
export type { DecodeContext, Port, Ports, PortType, PortValues, ValueOf } from "./port.ts";
export {
  MachineFailure,
  type OpenService,
  type Service,
  type ServiceCaller,
  type ServiceCheck,
  type ServiceCounts,
  type ServiceDemands,
  type ServiceRun,
  type ServiceSession,
} from "./service.ts";
export {
  declareStage,
  defineStage,
  type ExecutionRequest,
  type Row,
  type StageCheck,
  type StageCheckOrRun,
  type StageContext,
  type StageDefinition,
  type StageGate,
  type StageInstance,
  type StageKind,
  type StagePermissions,
  type StageSignature,
} from "./stage.ts";
export type { ModelLookup, Parametrised } from "./model_param.ts";
