/** Port types whose values are plain data: a stage that has no others loads no trainer and no engine. */
import { type Dataset, datasetArtifact, datasetFromJson } from "../../src/base/dataset.ts";
import type { Port, PortType } from "../../src/pipeline/contract/mod.ts";
import { evaluationFromJson, evaluationToJson } from "./evaluation_port.ts";
import { jsonPort } from "./json_codec.ts";
import { livePort } from "./live_port.ts";
import type {
  Evaluation,
  ExecutedTrajectories,
  LogRewards,
  SampledTrajectories,
  Table,
} from "./values.ts";

const dataset: PortType<Dataset> = jsonPort("dataset", datasetArtifact, datasetFromJson);

const evaluation: PortType<Evaluation> = jsonPort(
  "evaluation",
  evaluationToJson,
  evaluationFromJson,
);

const table: PortType<Table> = jsonPort("table", requireTable, (v) => v);

/** @throws TypeError for a value that a stage gave as a table. */
function requireTable(value: Table): Table {
  if (Array.isArray((value as Partial<Table> | null)?.rows)) return value;
  throw new TypeError(`a table is { rows: [{ … }, …] }, and this is ${JSON.stringify(value)}`);
}

/** Any bytes: a figure, a report, a file for another tool. */
const file: PortType<Uint8Array> = {
  name: "file",
  encode: (bytes) => Promise.resolve(bytes),
  decode: (bytes) => Promise.resolve(bytes),
};

/** Plain port types by their names in messages and schemas. */
export const plainPorts = {
  dataset,
  trajectories: livePort<SampledTrajectories>("trajectories"),
  executions: livePort<ExecutedTrajectories>("executions"),
  log_reward: livePort<LogRewards>("log_reward"),
  evaluation,
  table,
  file,
} as const;

/**
 * A port of a stage kind: its type and one sentence on its values.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { port } from "./plain_ports.ts";
 * const age = port({ name: "table" } as never, "ages of animals");
 * assert.equal(age.description, "ages of animals");
 * ```
 */
export function port<T>(type: PortType<T>, description: string): Port<T> {
  return { type, description };
}

/**
 * An input that may be left unwired.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { optionalPort } from "./plain_ports.ts";
 * assert(optionalPort({ name: "table" } as never, "ages, if known").optional);
 * ```
 */
export function optionalPort<T>(
  type: PortType<T>,
  description: string,
): Port<T> & { readonly optional: true } {
  return { type, description, optional: true };
}
