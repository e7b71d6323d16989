/** Making policies from a configuration, and reading them back from bytes. */
import type { Diagnostic } from "../../base/diagnostic.ts";
import { InputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import type { RandomStream } from "../../base/random.ts";
import type { Environment } from "../environment.ts";
import type { Policy } from "../policy.ts";
import { decodeTensors } from "../safetensors.ts";
import type { NamedTensor } from "../safetensors.ts";
import { backendNames } from "../tensor/decoder_network.ts";
import type { BackendName } from "../tensor/decoder_network.ts";
import { NetworkPolicy } from "./network_policy.ts";
import type { PolicyHeader } from "./network_policy.ts";
import { TableNetwork } from "./table.ts";
import { TransformerNetwork } from "./transformer.ts";

export type { BackendName } from "../tensor/decoder_network.ts";
export { backendNames } from "../tensor/decoder_network.ts";

/** Logits per prefix: for small trees and tests. */
export interface TablePolicyConfig {
  /** Tells it from the others. */
  readonly kind: "table";
}

/** A small decoder over actions. */
export interface TransformerPolicyConfig {
  /** Tells it from the others. */
  readonly kind: "transformer";
  /** Number of layers; default 2. */
  readonly layers?: number;
  /** Width of the residual stream, a multiple of `heads`; default 64. */
  readonly width?: number;
  /** Attention heads per layer; default 4. */
  readonly heads?: number;
  /** Which tensor backend computes; default `wasm`. Not part of a saved policy. */
  readonly backend?: BackendName;
}

/** Every kind of policy that `createPolicy` can make. */
export type PolicyConfig = TablePolicyConfig | TransformerPolicyConfig;

const keysOf: Readonly<Record<string, readonly string[]>> = {
  table: ["kind"],
  transformer: ["kind", "layers", "width", "heads", "backend"],
};

/**
 * A policy configuration from the values of a pipeline.
 *
 * @throws InputError with every finding.
 */
export function parsePolicyConfig(value: Readonly<Record<string, unknown>>): PolicyConfig {
  const kind = value.kind;
  if (typeof kind !== "string" || !(kind in keysOf)) {
    const wanted = Object.keys(keysOf).map((k) => `"${k}"`).join(" or ");
    throw new InputError([finding(`kind is ${JSON.stringify(kind)}`, `write ${wanted}`)]);
  }
  const findings = [...unknownKeys(kind, value), ...(kind === "transformer" ? sizes(value) : [])];
  if (findings.length > 0) throw new InputError(findings);
  return value as unknown as PolicyConfig;
}

function finding(what: string, hint: string): Diagnostic {
  const message = `Cannot read policy: ${what}`;
  return { code: "policy/config", severity: "error", message, hint };
}

function unknownKeys(kind: string, value: Readonly<Record<string, unknown>>): Diagnostic[] {
  const known = keysOf[kind];
  return Object.keys(value).filter((key) => !known.includes(key)).map((key) => {
    const near = nearest(key, known);
    const list = `known keys: ${known.join(", ")}`;
    return finding(`unknown key "${key}"`, near ? `did you mean "${near}"? ${list}` : list);
  });
}

function sizes(value: Readonly<Record<string, unknown>>): Diagnostic[] {
  const { backend, width = 64, heads = 4 } = value;
  const counts = ["layers", "width", "heads"].filter((key) => value[key] !== undefined)
    .filter((key) => !(Number.isInteger(value[key]) && (value[key] as number) > 0))
    .map((key) => finding(`${key} is ${JSON.stringify(value[key])}`, "write an integer above 0"));
  const known = backend === undefined || backendNames.includes(backend as BackendName);
  const names = backendNames.map((name) => `"${name}"`).join(", ");
  const remainder = (width as number) % (heads as number);
  return [
    ...counts,
    ...(known ? [] : [finding(`backend is ${JSON.stringify(backend)}`, `write one of ${names}`)]),
    ...(counts.length === 0 && remainder !== 0
      ? [finding(`width ${width} is not a multiple of heads ${heads}`, "change one of them")]
      : []),
  ];
}

type FullTransformerConfig = Required<TransformerPolicyConfig>;

function withDefaults(config: TransformerPolicyConfig): FullTransformerConfig {
  return { layers: 2, width: 64, heads: 4, backend: "wasm", ...config };
}

/**
 * A policy with fresh parameters for one environment: uniform over legal actions at first.
 *
 * @param seed Names the random streams of the initial parameters, or is one from which their
 *   name is drawn: same seed, same bits.
 * @throws InputError on a wrong configuration, MissingPartError without the tensor backend.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { grammarEnvironment } from "../grammar/environment.ts";
 * import { createPolicy, loadPolicy } from "./mod.ts";
 * const production = (name: string, text: string) => ({
 *   name, weight: 1, text, requires: [], requiresAny: [], excludes: [],
 * });
 * const environment = grammarEnvironment({
 *   format: 1, name: "coin", template: "side = {side}", exit: 1, clauses: [],
 *   holes: [{
 *     name: "side", type: "number",
 *     productions: [production("heads", "1"), production("tails", "0")],
 *   }],
 * });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed 20");
 * const random = new RandomStream("seed 20", "sample");
 * const [one] = await policy.sample(environment, { count: 1, random, epsilon: 0, temperature: 1 });
 * assert.ok(Math.abs(one.logPf - Math.log(0.5)) < 1e-12);
 * assert.deepEqual(await (await loadPolicy(await policy.save())).save(), await policy.save());
 * ```
 */
export async function createPolicy(
  config: PolicyConfig,
  environment: Environment,
  seed: string | RandomStream,
): Promise<Policy> {
  parsePolicyConfig({ ...config });
  const actions = environment.actionNames.length;
  const positions = environment.maxActions;
  const about = { environment: environment.digest, actions, positions };
  if (config.kind === "table") {
    return new NetworkPolicy(new TableNetwork(actions), { config: { kind: "table" }, ...about });
  }
  const { backend, ...rest } = withDefaults(config);
  const shape = { ...rest, actions, positions };
  const seedKey = typeof seed === "string" ? seed : `drawn ${seed.uint32()} ${seed.uint32()}`;
  const network = await TransformerNetwork.create(shape, backend, seedKey);
  return new NetworkPolicy(network, { config: rest, ...about });
}

/**
 * The policy that `save` wrote.
 *
 * @param options.backend Where a transformer is to compute; default `wasm`.
 * @throws Error if the bytes are not a policy, MissingPartError without the tensor backend.
 */
export async function loadPolicy(
  bytes: Uint8Array,
  options: { readonly backend?: BackendName } = {},
): Promise<Policy> {
  const { tensors, metadata } = decodeTensors(bytes);
  if (metadata.format !== "sluice_policy_1") {
    throw new Error(`Cannot read policy: format is ${metadata.format}, not sluice_policy_1`);
  }
  const header = JSON.parse(metadata.policy) as PolicyHeader;
  return new NetworkPolicy(await networkOf(header, tensors, options.backend ?? "wasm"), header);
}

async function networkOf(
  header: PolicyHeader,
  tensors: readonly NamedTensor[],
  backend: BackendName,
) {
  const config = header.config as unknown as PolicyConfig;
  if (config.kind === "table") return TableNetwork.fromTensors(header.actions, tensors);
  const shape = { ...withDefaults(config), actions: header.actions, positions: header.positions };
  return await TransformerNetwork.fromTensors(shape, backend, tensors);
}
