/**
 * Sluice trains policies that write probabilistic programs, samples them in proportion to how well
 * they explain data, and proves how close it came. This is the public door.
 *
 * A tour: a program is checked and scored against data, and a score is a value to reason about.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { checkProgram, defaultSchedule, makeDataset, sampleProgram, scoreNow } from "./mod.ts";
 *
 * const column = (name: string, role: "predictor" | "response", values: number[]) => ({
 *   name,
 *   role,
 *   type: "real" as const,
 *   values: Float64Array.from(values),
 * });
 * const data = makeDataset("line", [
 *   column("x", "predictor", [0, 1, 2, 3, 4, 5, 6, 7]),
 *   column("y", "response", [0.1, 0.9, 2.2, 2.9, 4.1, 5.2, 5.8, 7.1]),
 * ]);
 * const line = `
 * import pymc as pm
 *
 * with pm.Model() as model:
 *     x = data["x"]
 *     slope = pm.Normal("slope", mu=0, sigma=2)
 *     sigma = pm.HalfNormal("sigma", sigma=1)
 *     y = pm.Normal("y", mu=slope * x, sigma=sigma, observed=data["y"])
 * `;
 *
 * // What the text means, stripped of names: the canonical graph.
 * const checked = checkProgram(line, data);
 * assert(checked.ok);
 * assert.equal(checked.program.parameters.length, 2);
 *
 * // Sampled with NUTS, cross-validated with PSIS-LOO; the same bits on every machine.
 * const execution = scoreNow(line, data, defaultSchedule);
 * assert.equal(execution.status, "ok");
 * assert(execution.score!.mcse < 0.1);
 *
 * // All draws in the groups that ArviZ knows; zarrFiles() makes them files that it reads.
 * const sampled = sampleProgram(line, data);
 * assert(sampled.data!.groups.some(({ name }) => name === "posterior_predictive"));
 *
 * // A flat line explains these data worse, by some nats.
 * const flat = line.replace("mu=slope * x", "mu=slope");
 * assert(scoreNow(flat, data, defaultSchedule).score!.elpdLoo < execution.score!.elpdLoo - 5);
 *
 * // A program that looks at the response before it is scored is refused.
 * const peek = checkProgram(line.replace("slope * x", 'data["y"]'), data);
 * assert(!peek.ok && peek.diagnostics[0].code === "lh/protected-use-before-score");
 * ```
 *
 * Own stage kinds, judges, objectives, environments, policies and proposers are the default exports of modules
 * that a pipeline names by path; see `defineStage`, `defineJudge`, `defineObjective`,
 * `defineEnvironment`, `definePolicy`, `defineProposer` and `defineExecutor`.
 *
 * @module
 */
export { z } from "./src/base/zod.ts";
export {
  type Column,
  type ColumnRole,
  columnRoles,
  type ColumnType,
  columnTypes,
  type Dataset,
  type HeldOut,
  makeDataset,
  type Resolution,
} from "./src/base/dataset.ts";
export { type Diagnostic, InputError, MissingPartError } from "./src/base/diagnostic.ts";
export { RandomStream } from "./src/base/random.ts";
export type { Span } from "./src/base/span.ts";
export { checkProgram } from "./src/engine/pymc/check.ts";
export { familyNames } from "./src/engine/distributions/table.ts";
export * from "./src/engine/ir/node.ts";
export {
  type BinaryOp,
  binaryOps,
  type TernaryOp,
  ternaryOps,
  type UnaryOp,
  unaryOps,
} from "./src/engine/ir/operations.ts";
export {
  defineEnvironment,
  type EnvironmentDefinition,
  type OwnEnvironment,
} from "./src/gfn/environments/define_environment.ts";
export {
  type ActionRows,
  type Actions,
  type BackwardPart,
  type Environment,
  type LegalActions,
  noPrompt,
  type Prompt,
  type StateFeatures,
  type TerminalObject,
  type WrittenIn,
} from "./src/gfn/environments/environment.ts";
export { maskOfRow } from "./src/gfn/environments/legal_actions.ts";
export type { NamedTensor, TensorValues } from "./src/base/safetensors.ts";
export {
  definePolicy,
  type OwnNetwork,
  type OwnRowNetwork,
  type OwnTensor,
  type PolicyDefinition,
  type PolicyStates,
  type PolicyTask,
  type RowPass,
} from "./src/gfn/policies/define_policy.ts";
export {
  defineProposer,
  isWay,
  type ProposerDefinition,
  type ProposerStep,
} from "./src/gfn/train/propose/define_proposer.ts";
export type { Known } from "./src/gfn/train/propose/best_known.ts";
export type {
  CheckedProgram,
  CheckResult,
  Deterministic,
  Distribution,
  Likelihood,
  Parameter,
  Transform,
} from "./src/engine/ir/program.ts";
export type { ResponseStep, ResponseTransform } from "./src/engine/ir/response_transform.ts";
export type { CheckOptions, RowOrder } from "./src/engine/pymc/check.ts";
export type { Shape } from "./src/engine/ir/shape.ts";
export type {
  Group,
  InferenceData,
  Labels,
  Variable,
  VariableValues,
} from "./src/engine/inference_data/data.ts";
export type { InferenceDataOptions } from "./src/engine/inference_data/build.ts";
export {
  type SampledProgram,
  sampleProgram,
  type SampleProgramOptions,
} from "./src/engine/inference_data/sample_program.ts";
export { type ZarrFiles, zarrFiles } from "./src/engine/inference_data/zarr.ts";
export {
  defineObjective,
  type Moved,
  type Objective,
  type ObjectiveDefinition,
  type ObjectiveFunction,
  type ObjectiveResult,
  type ObjectiveState,
  type Reads,
} from "./src/gfn/objectives/objective.ts";
export type { Settings } from "./src/gfn/settings/read_settings.ts";
export type { Policy, SampleOptions, StepOptions } from "./src/gfn/policies/policy.ts";
export type {
  Batch,
  BatchBackward,
  BatchStates,
  ScoreGradients,
  Scores,
  Trajectory,
} from "./src/gfn/trajectories/trajectory.ts";
export { optionalPort, port, ports } from "./stages/ports/mod.ts";
export type * from "./stages/ports/values.ts";
export type { Author } from "./stages/ports/author.ts";
export type {
  Calibration,
  Described,
  Prediction,
  ProductionSets,
  RewardSurrogate,
  ScoredObject,
  SurrogateJson,
  SurrogateOptions,
} from "./src/gfn/mod.ts";
export type { OracleConfig, OracleRecord, TableEntry } from "./src/oracle/oracle.ts";
export type { NamedToken } from "./src/models/text/text_ends.ts";
export {
  type Measure,
  type MeasureName,
  measureNames,
  type Quantity,
} from "./stages/evaluation/measure.ts";
export { type Subject, type SubjectKind, subjectKinds } from "./src/base/measure_subject.ts";
export { filePath, modulePath } from "./src/pipeline/contract/path_param.ts";
export type {
  DecodeContext,
  Port,
  Ports,
  PortType,
  PortValues,
  ValueOf,
} from "./src/pipeline/contract/port.ts";
export {
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
} from "./src/pipeline/contract/stage.ts";
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
  type TimeRule,
} from "./src/engine/score/execution.ts";
export { type LooMethod, looMethods } from "./src/engine/loo/elpd.ts";
export {
  type BlindColumn,
  defineExecutor,
  type ExecutorDefinition,
  type Reading,
} from "./src/executor/define_executor.ts";
export {
  defineJudge,
  type Judge,
  type JudgedProgram,
  type Opinion,
  type RewardRule,
} from "./src/engine/score/reward.ts";
export { scoreNow, type ScoreOptions, scoreProgram } from "./src/engine/score/score.ts";
