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
 * `defineEnvironment`, `definePolicy`, `defineProposer`, `defineExecutor`, `defineAgent` and
 * `defineExperiment`.
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
export {
  type CheckOptions,
  checkProgram,
  familyNames,
  type RowOrder,
} from "./src/engine/language/mod.ts";
export {
  type BinaryOp,
  binaryOps,
  type CheckedProgram,
  type CheckResult,
  type CholeskyNode,
  type ColumnNode,
  type Common,
  type ConstantNode,
  type Deterministic,
  type Distribution,
  type GatherNode,
  type GraphNode,
  type InputNode,
  type JoinNode,
  type Likelihood,
  type MapNode,
  type MatmulNode,
  type NodeId,
  type Parameter,
  type ParameterNode,
  type ReduceNode,
  type ReduceOp,
  reduceOps,
  type ReshapeNode,
  type ResponseStep,
  type ResponseTransform,
  type ScanNode,
  type ScatterNode,
  type Shape,
  type SolveNode,
  type TakeNode,
  type TernaryOp,
  ternaryOps,
  type Transform,
  type UnaryOp,
  unaryOps,
} from "./src/engine/language/ir/mod.ts";
export {
  type ActionRows,
  type Actions,
  type BackwardPart,
  type Batch,
  type BatchBackward,
  type BatchStates,
  defineEnvironment,
  type Environment,
  type EnvironmentDefinition,
  type LegalActions,
  maskOfRow,
  noPrompt,
  type OwnEnvironment,
  type Prompt,
  type ScoreGradients,
  type Scores,
  type StateFeatures,
  type TerminalObject,
  type Trajectory,
  type WrittenIn,
} from "./src/gfn/environments/mod.ts";
export type { NamedTensor, TensorValues } from "./src/base/safetensors.ts";
export {
  definePolicy,
  type OwnNetwork,
  type OwnRowNetwork,
  type OwnTensor,
  type Policy,
  type PolicyDefinition,
  type PolicyStates,
  type PolicyTask,
  type RowPass,
  type SampleOptions,
  type StepOptions,
} from "./src/gfn/policies/mod.ts";
export {
  defineProposer,
  isWay,
  type Known,
  type ProposerDefinition,
  type ProposerStep,
} from "./src/gfn/train/mod.ts";
export {
  type Group,
  type InferenceData,
  type Labels,
  type Variable,
  type VariableValues,
  type ZarrFiles,
  zarrFiles,
} from "./src/engine/score/inference_data/mod.ts";
export {
  type InferenceDataOptions,
  type SampledProgram,
  sampleProgram,
  type SampleProgramOptions,
  scoreNow,
  type ScoreOptions,
  scoreProgram,
} from "./src/engine/score/mod.ts";
export {
  defineObjective,
  type Moved,
  type Objective,
  type ObjectiveDefinition,
  type ObjectiveFunction,
  type ObjectiveResult,
  type ObjectiveState,
  type Reads,
} from "./src/gfn/objectives/mod.ts";
export type { Settings } from "./src/gfn/settings/mod.ts";
export { optionalPort, port, ports } from "./stages/ports/mod.ts";
export type * from "./stages/ports/values.ts";
export type { Author } from "./stages/ports/author.ts";
export type { ServiceProcess } from "./src/base/service_process.ts";
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
export type {
  OracleConfig,
  OracleRecord,
  ServerConfig,
  ServerIdentity,
  TableEntry,
} from "./src/oracle/oracle.ts";
export type { NamedToken } from "./src/models/text/mod.ts";
export {
  type Measure,
  type MeasureName,
  measureNames,
  type Quantity,
} from "./stages/evaluation/measure.ts";
export { type Subject, type SubjectKind, subjectKinds } from "./src/base/measure_subject.ts";
export {
  type DecodeContext,
  defineStage,
  type ExecutionRequest,
  filePath,
  modulePath,
  type Port,
  type Ports,
  type PortType,
  type PortValues,
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
  type ValueOf,
} from "./src/pipeline/contract/mod.ts";
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
} from "./src/engine/score/execution/mod.ts";
export { type LooMethod, looMethods } from "./src/engine/loo/mod.ts";
export {
  type BlindColumn,
  defineExecutor,
  type ExecutorDefinition,
  type Reading,
} from "./src/executor/define_executor.ts";
export {
  type Action,
  type ActionCost,
  type Agent,
  type AgentDefinition,
  type AgentView,
  defineAgent,
  type Step,
} from "./src/executor/play/agents/agent.ts";
export { defineExperiment, type OwnExperiment } from "./src/executor/play/define_experiment.ts";
export {
  type ExperimentDefinition,
  type WorldCatalogue,
  type WorldDraw,
  type WorldInput,
  type WorldLatents,
  WorldRandom,
  type WorldRow,
} from "./src/executor/play/own_world.ts";
export type { EpisodeView } from "./src/executor/play/episode.ts";
export {
  type AskedCriterion,
  type CodeCriterion,
  type Criterion,
  type CriticAnswer,
  type CriticAnswers,
  type CriticQuestion,
  type CriticSettings,
  defineJudge,
  type FormatSettings,
  type Judge,
  type JudgedProgram,
  type LlmCriticSettings,
  type Opinion,
  type RewardRule,
  type RubricSettings,
  type SettledJudgeSpec,
  type TextJudgeSpec,
} from "./src/engine/score/judges/mod.ts";
