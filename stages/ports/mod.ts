/** The built-in port types. */
import { type Dataset, datasetArtifact, datasetFromJson } from "../../src/base/dataset.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { Port, PortType } from "../../src/pipeline/contract/mod.ts";
import { evaluationFromJson, evaluationToJson } from "./evaluation_port.ts";
import { experimentType } from "./experiment_port.ts";
import { bytesJson, jsonBytes, jsonPort } from "./json_codec.ts";
import { livePort } from "./live_port.ts";
import { oracleType } from "./oracle_port.ts";
import { promptsType } from "./prompts_port.ts";
import { scoredType } from "./scored_port.ts";
import type { DataSets } from "../../src/gfn/train/mod.ts";
import { serviceType } from "./service_port.ts";
import { decodeTrainedPolicy, encodeTrainedPolicy } from "./policy_port.ts";
import type {
  Evaluation,
  ExecutedTrajectories,
  LogRewards,
  SampledTrajectories,
  Surrogate,
  Table,
  Target,
  TrainedPolicy,
} from "./values.ts";

export const datasetType: PortType<Dataset> = jsonPort("dataset", datasetArtifact, datasetFromJson);

export const environmentType: PortType<Environment> = {
  name: "environment",
  encode: async (value) =>
    jsonBytes((await import("./environment_port.ts")).environmentToJson(value)),
  decode: async (bytes, context) =>
    await (await import("./environment_port.ts")).environmentFromJson(bytesJson(bytes), context),
};

export const targetType: PortType<Target> = {
  name: "target",
  encode: async (value) => jsonBytes((await import("./target_port.ts")).targetToJson(value)),
  decode: async (bytes, context) =>
    await (await import("./target_port.ts")).targetFromJson(bytesJson(bytes), context),
};

export const policyType: PortType<TrainedPolicy> = {
  name: "policy",
  asks: "trainer",
  encode: encodeTrainedPolicy,
  decode: decodeTrainedPolicy,
  copy: async (value) => ({ ...value, policy: await value.policy.clone() }),
  release: ({ policy }) => policy.dispose(),
};

export const trajectoriesType: PortType<SampledTrajectories> = livePort("trajectories");
export const executionsType: PortType<ExecutedTrajectories> = livePort("executions");
export const logRewardType: PortType<LogRewards> = livePort("log_reward");

export const evaluationType: PortType<Evaluation> = jsonPort(
  "evaluation",
  evaluationToJson,
  evaluationFromJson,
);
/** What everything is expected to be worth. */
export const surrogateType: PortType<Surrogate> = {
  name: "surrogate",
  encode: async (value) => jsonBytes((await import("./surrogate_port.ts")).surrogateToJson(value)),
  decode: async (bytes, context) =>
    await (await import("./surrogate_port.ts")).surrogateFromJson(bytesJson(bytes), context),
};

/** Many data sets with the log rewards of their programs. */
export const dataSetsType: PortType<DataSets> = {
  name: "datasets",
  encode: async (value) => (await import("../../src/gfn/train/mod.ts")).encodeDataSets(value),
  decode: async (bytes) => (await import("../../src/gfn/train/mod.ts")).decodeDataSets(bytes),
};

export const tableType: PortType<Table> = jsonPort("table", requireTable, (v) => v);

/** @throws TypeError for what a stage took for a table. */
function requireTable(value: Table): Table {
  if (Array.isArray((value as Partial<Table> | null)?.rows)) return value;
  throw new TypeError(`a table is { rows: [{ … }, …] }, and this is ${JSON.stringify(value)}`);
}

/** Any bytes: a figure, a report, a file for another tool. */
export const fileType: PortType<Uint8Array> = {
  name: "file",
  encode: (bytes) => Promise.resolve(bytes),
  decode: (bytes) => Promise.resolve(bytes),
};

/** A port of a stage kind: its type and one sentence on what flows through it. */
export function port<T>(type: PortType<T>, description: string): Port<T> {
  return { type, description };
}

/** An input that may be left unwired. */
export function optionalPort<T>(
  type: PortType<T>,
  description: string,
): Port<T> & { readonly optional: true } {
  return { type, description, optional: true };
}

/**
 * The port types of Sluice by their names in messages and schemas.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { ports } from "./mod.ts";
 * const bytes = await ports.table.encode({ rows: [{ curve: "gompertz", weight: 0.25 }] });
 * assert.equal(new TextDecoder().decode(bytes), '{"rows":[{"curve":"gompertz","weight":0.25}]}');
 * ```
 */
export const ports = {
  dataset: datasetType,
  datasets: dataSetsType,
  environment: environmentType,
  experiment: experimentType,
  oracle: oracleType,
  service: serviceType,
  prompts: promptsType,
  target: targetType,
  policy: policyType,
  trajectories: trajectoriesType,
  executions: executionsType,
  log_reward: logRewardType,
  scored: scoredType,
  surrogate: surrogateType,
  evaluation: evaluationType,
  table: tableType,
  file: fileType,
} as const;
