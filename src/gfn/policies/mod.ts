/** Making policies from a configuration, and reading them back from bytes. */
import { RandomStream } from "../../base/random.ts";
import type { PolicyDefinition, PolicyTask } from "./define_policy.ts";
import type { Environment } from "../environments/environment.ts";
import { gather, initialise } from "../parameters/parameter_layout.ts";
import type { Policy } from "./policy.ts";
import { decodeTensors } from "../parameters/safetensors.ts";
import type { NamedTensor, TensorFile } from "../parameters/safetensors.ts";
import {
  checkPolicyFits,
  type CustomPolicyConfig,
  type MlpPolicyConfig,
  parsePolicyConfig,
  type PolicyBackend,
  type PolicyConfig,
  type TransformerPolicyConfig,
} from "./config.ts";
import { EngineNetwork, type NetworkPlan } from "./engine_network.ts";
import { fusedProblem, kernelLine, type Kernels, libraryKernels, ownKernels } from "./fused.ts";
import { fusedTransformer } from "./fused_decoder.ts";
import { fusedMlp } from "./fused_mlp.ts";
import { mlpLayout, type MlpNetworkShape } from "./mlp_layout.ts";
import type { Network } from "./network.ts";
import { NetworkPolicy } from "./network_policy.ts";
import type { PolicyHeader } from "./network_policy.ts";
import { ownLayout, ownNetwork } from "./own_network.ts";
import { OwnRows } from "./own_rows.ts";
import { TableNetwork } from "./table.ts";
import { tensorMlp } from "./tensor_mlp.ts";
import { checkFrozen } from "./trainable.ts";
import { tensorTransformer } from "./tensor_transformer.ts";
import { layout, type TransformerShape } from "./transformer_layout.ts";

export type {
  CustomPolicyConfig,
  MlpPolicyConfig,
  PolicyBackend,
  PolicyConfig,
  TablePolicyConfig,
  TransformerPolicyConfig,
} from "./config.ts";
export { parsePolicyConfig, policyBackends } from "./config.ts";

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
 * import { log } from "../../base/math/elementary.ts";
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
 * assert.ok(Math.abs(one.logPf - log(0.5)) < 1e-12);
 * assert.deepEqual(await (await loadPolicy(await policy.save())).save(), await policy.save());
 * ```
 */
export async function createPolicy(
  config: PolicyConfig,
  environment: Environment,
  seed: string | RandomStream,
): Promise<Policy> {
  parsePolicyConfig({ ...config });
  checkPolicyFits(config, environment);
  const header = headerOf(config, environment);
  const seedKey = typeof seed === "string" ? seed : `drawn ${seed.uint32()} ${seed.uint32()}`;
  const backend = "backend" in config ? config.backend : undefined;
  const definitions = config.kind === "custom" ? [config.definition] : [];
  return new NetworkPolicy(await openNetwork(header, { backend, definitions }, seedKey), header);
}

/** The configuration with its defaults and without its backend, and what it is made for. */
function headerOf(config: PolicyConfig, environment: Environment): PolicyHeader {
  const learnsBackward = "backward" in config && config.backward === "learned";
  return {
    config: fullConfig(config),
    environment: environment.digest,
    actions: environment.actionNames.length,
    positions: environment.maxActions,
    backward: learnsBackward ? environment.backward!.actionNames.length : 0,
    features: config.kind === "transformer" ? 0 : environment.features?.size ?? 0,
    ...(config.kind === "custom" && { actionNames: environment.actionNames }),
  };
}

function fullConfig(config: PolicyConfig): Readonly<Record<string, unknown>> {
  switch (config.kind) {
    case "table":
      return { backward: "uniform", ...config };
    case "custom": {
      const { definition: { name, version }, parameters = {}, frozen } = config;
      return { kind: "custom", name, version, parameters, ...(frozen && { frozen }) };
    }
    case "mlp": {
      const { backend: _, ...rest } = config;
      return { layers: 2, width: 256, activation: "leaky_relu", backward: "uniform", ...rest };
    }
    case "transformer": {
      const { backend: _, ...rest } = config;
      return { layers: 2, width: 64, heads: 4, ...rest };
    }
  }
}

/**
 * The policy that `save` wrote.
 *
 * @param options.backend What is to compute; default `fused`. A table is always on the host.
 * @param options.definitions Of policies of one's own, among which the file's is found.
 * @throws Error if the bytes are not a policy, MissingPartError without the tensor backend.
 */
export async function loadPolicy(bytes: Uint8Array, options: OpenOptions = {}): Promise<Policy> {
  return await policyOf(decodeTensors(bytes), options);
}

/** As {@linkcode loadPolicy}, from the tensors of a file; their values are read once. */
export async function policyOf(file: TensorFile, options: OpenOptions = {}): Promise<Policy> {
  const { tensors, metadata } = file;
  if (metadata.format !== "sluice_policy_2") {
    throw new Error(`Cannot read policy: format is ${metadata.format}, not sluice_policy_2`);
  }
  const header = JSON.parse(metadata.policy) as PolicyHeader;
  return new NetworkPolicy(await openNetwork(header, options, tensors), header);
}

/**
 * A policy of the same configuration and backend with fresh parameters; undefined for a policy of
 * one's own, whose definition is not in its file.
 */
export async function freshPolicy(
  policy: Policy,
  random: RandomStream,
): Promise<Policy | undefined> {
  const { metadata } = decodeTensors(await policy.save());
  const header = JSON.parse(metadata.policy) as PolicyHeader;
  if (header.config.kind === "custom") return undefined;
  const backend = policy.backend === "host" ? undefined : policy.backend as PolicyBackend;
  const seedKey = `drawn ${random.uint32()} ${random.uint32()}`;
  return new NetworkPolicy(await openNetwork(header, { backend }, seedKey), header);
}

/** How a policy is opened. */
export interface OpenOptions {
  /** What is to compute. */
  readonly backend?: PolicyBackend;
  /** Of policies of one's own, among which the file's is found. */
  readonly definitions?: readonly PolicyDefinition[];
}

/** @param source Tensors of a file, or the seed of first values. */
function openNetwork(
  header: PolicyHeader,
  { backend = "fused", definitions = [] }: OpenOptions,
  source: readonly NamedTensor[] | string,
): Promise<Network> {
  const config = header.config as unknown as Exclude<PolicyConfig, CustomPolicyConfig> | OwnConfig;
  if (config.kind === "table") return Promise.resolve(openTable(header, source));
  if (config.kind === "custom") return openOwn(config, header, definitions, source);
  return config.kind === "mlp"
    ? openMlp(config as Opened<MlpPolicyConfig>, header, backend, source)
    : openTransformer(config as Opened<TransformerPolicyConfig>, header, backend, source);
}

/** A configuration with its defaults. */
type Opened<C extends { readonly frozen?: readonly string[] }> =
  & Required<Omit<C, "frozen">>
  & Pick<C, "frozen">;

/** As a file holds the configuration of a policy of one's own. */
interface OwnConfig {
  readonly kind: "custom";
  readonly name: string;
  readonly version: number;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly frozen?: readonly string[];
}

function openOwn(
  { name, version, parameters, frozen = [] }: OwnConfig,
  { actionNames = [], features, positions }: PolicyHeader,
  definitions: readonly PolicyDefinition[],
  source: readonly NamedTensor[] | string,
): Promise<Network> {
  const definition = definitions.find((one) => one.name === name && one.version === version);
  if (!definition) throw new Error(`The policy "${name}" (version ${version}) was not loaded`);
  const outputs = actionNames.length + 1;
  const task: PolicyTask = { actionNames, features, maxActions: positions, outputs };
  const network = definition.create(task, parameters);
  const slots = ownLayout(network);
  checkFrozen(slots, frozen);
  const first = typeof source === "string"
    ? network.initial(new RandomStream(source, "initialise"))
    : gather(slots, source);
  if ("outputs" in network) {
    return EngineNetwork.open(ownNetwork(definition, network, task), first, frozen);
  }
  return Promise.resolve(new OwnRows(definition, network, actionNames.length, first, frozen));
}

function openTable(header: PolicyHeader, source: readonly NamedTensor[] | string): Network {
  const sizes = { actions: header.actions, backward: header.backward };
  return typeof source === "string"
    ? new TableNetwork(sizes)
    : TableNetwork.fromTensors(sizes, source);
}

function openMlp(
  { layers, width, activation, frozen = [] }: Opened<MlpPolicyConfig>,
  { actions, backward, features }: PolicyHeader,
  backend: PolicyBackend,
  source: readonly NamedTensor[] | string,
): Promise<Network> {
  const shape: MlpNetworkShape = { layers, width, activation, actions, backward, inputs: features };
  const slots = mlpLayout(shape);
  const parameters = typeof source === "string" ? initialise(slots, source) : gather(slots, source);
  const problem = width % 4 === 0 ? fusedProblem() : "width is not a multiple of 4";
  const tensors = (name: TensorBackendName, line: string) => tensorMlp(shape, name, line);
  const fused = (kernels: Kernels) => fusedMlp(shape, kernels);
  checkFrozen(slots, frozen);
  return open(backend, problem, fused, tensors, parameters, frozen);
}

function openTransformer(
  { layers, width, heads, frozen = [] }: Opened<TransformerPolicyConfig>,
  { actions, positions }: PolicyHeader,
  backend: PolicyBackend,
  source: readonly NamedTensor[] | string,
): Promise<Network> {
  const shape: TransformerShape = { layers, width, heads, actions, positions };
  const slots = layout(shape);
  const parameters = typeof source === "string" ? initialise(slots, source) : gather(slots, source);
  const isWhole = (width / heads) % 4 === 0;
  const problem = isWhole ? fusedProblem() : "the size of a head is not a multiple of 4";
  const tensors = (name: TensorBackendName, line: string) => tensorTransformer(shape, name, line);
  const fused = (kernels: Kernels) => fusedTransformer(shape, kernels);
  checkFrozen(slots, frozen);
  return open(backend, problem, fused, tensors, parameters, frozen);
}

type TensorBackendName = Exclude<PolicyBackend, "fused" | "blas">;

/**
 * The fused engine, unless there is a problem with it: then TensorFlow.js on `wasm`. Without the
 * library that `blas` wants it computes its products itself.
 */
async function open<F, K>(
  backend: PolicyBackend,
  problem: string,
  fused: (kernels: Kernels) => NetworkPlan<F>,
  tensors: (backend: TensorBackendName, line: string) => NetworkPlan<K>,
  parameters: Float32Array,
  frozen: readonly string[],
): Promise<Network> {
  const around = <T>(plan: NetworkPlan<T>) => EngineNetwork.open(plan, parameters, frozen);
  if (backend === "fused" || backend === "blas") {
    const kernels = backend === "fused" ? ownKernels : libraryKernels;
    if (problem === "") return await around(fused(kernels()));
    return await around(tensors("wasm", kernelLine(backend, problem)));
  }
  return await around(tensors(backend, kernelLine(backend, problem)));
}
