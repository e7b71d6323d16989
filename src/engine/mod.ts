/** The engine: text and data in, ELPD-LOO out. */
export {
  type Column,
  type ColumnRole,
  type columnRoles,
  type ColumnType,
  type columnTypes,
  type Dataset,
  type HeldOut,
  makeDataset,
} from "../base/dataset.ts";
export { type Diagnostic, InputError, MissingPartError } from "../base/diagnostic.ts";
export { RandomStream } from "../base/random.ts";
export type { Span } from "../base/span.ts";
export { checkProgram } from "./pymc/check.ts";
export { familyNames } from "./distributions/table.ts";
export type * from "./ir/node.ts";
export type {
  BinaryOp,
  binaryOps,
  TernaryOp,
  ternaryOps,
  UnaryOp,
  unaryOps,
} from "./ir/operations.ts";
export type {
  CheckedProgram,
  CheckResult,
  Deterministic,
  Distribution,
  Likelihood,
  Parameter,
  Transform,
} from "./ir/program.ts";
export type { Shape } from "./ir/shape.ts";
export type {
  Group,
  InferenceData,
  Labels,
  Variable,
  VariableValues,
} from "./inference_data/data.ts";
export type { InferenceDataOptions } from "./inference_data/build.ts";
export {
  type SampledProgram,
  sampleProgram,
  type SampleProgramOptions,
} from "./inference_data/sample_program.ts";
export { type ZarrFiles, zarrFiles } from "./inference_data/zarr.ts";
export {
  defaultSchedule,
  type Execution,
  type ExecutionStatus,
  executionStatuses,
  type LooUnit,
  type ParameterSummary,
  type Predictive,
  type PredictiveCheck,
  type Schedule,
  type Score,
} from "./score/execution.ts";
export type { LooMethod, looMethods } from "./loo/elpd.ts";
export {
  defineJudge,
  type Judge,
  type JudgedProgram,
  type Opinion,
  type RewardRule,
} from "./score/reward.ts";
export { scoreNow, type ScoreOptions, scoreProgram } from "./score/score.ts";
