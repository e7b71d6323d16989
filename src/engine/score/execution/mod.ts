/** Executions: schedules, scores, failures. */
export {
  defaultSchedule,
  type Execution,
  type ExecutionStatus,
  executionStatuses,
  isMachineFailure,
  isSettled,
  type LooUnit,
  type ParameterSummary,
  type Predictive,
  type PredictiveCheck,
  type Schedule,
  type Score,
  type TimeRule,
} from "./execution.ts";
export { classOfDiagnostics } from "./failure.ts";
export { nullProgram } from "./null_program.ts";
export { executionReport, scoreFields } from "./report.ts";
export { unitsOf } from "./units.ts";
export { importanceTolerance, type LikelihoodCheck, massTolerance } from "../integrity/bounds.ts";
export { type Calibration, calibrationOf, type Ranks } from "../belief/ranks.ts";
export { permutedRows } from "../integrity/permuted.ts";
export type { FailureClass } from "./failure.ts";
export type { Units } from "./units.ts";
export type { failureClasses } from "./failure.ts";
