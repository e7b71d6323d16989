/** The built-in port types. */
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { PortType } from "../../src/pipeline/contract/mod.ts";
import { experimentType } from "./experiment_port.ts";
import { bytesJson, jsonBytes } from "./json_codec.ts";
import { oracleType } from "./oracle_port.ts";
import { promptsType } from "./prompts_port.ts";
import { scoredType } from "./scored_port.ts";
import type { DataSets } from "../../src/gfn/train/mod.ts";
import { serviceType } from "./service_port.ts";
import { decodeTrainedPolicy, encodeTrainedPolicy } from "./policy_port.ts";
import { plainPorts } from "./plain_ports.ts";
import type { Surrogate, Target, TrainedPolicy } from "./values.ts";

export { optionalPort, port } from "./plain_ports.ts";

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

/** Expected rewards of all objects. */
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
  ...plainPorts,
  datasets: dataSetsType,
  environment: environmentType,
  experiment: experimentType,
  oracle: oracleType,
  service: serviceType,
  prompts: promptsType,
  target: targetType,
  policy: policyType,
  scored: scoredType,
  surrogate: surrogateType,
} as const;
