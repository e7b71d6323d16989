/** Making policies from a configuration, and reading them back from bytes. */
import type { RandomStream } from "../../base/random.ts";
import type { Environment } from "../environments/environment.ts";
import { tokensKind, type TokenSpec } from "../environments/tokens.ts";
import { decodeTensors, type NamedTensor, type TensorFile } from "../../base/safetensors.ts";
import {
  builtInPolicyKinds,
  checkPolicyFits,
  parsePolicyConfig,
  type PolicyConfig,
  type ReadPolicyConfig,
} from "./config.ts";
import type { PolicyDefinition } from "./define_policy.ts";
import type { TrainerLink } from "../../models/training/mod.ts";
import type { Network } from "./network.ts";
import { NetworkPolicy, type PolicyHeader } from "./network_policy.ts";
import { openOwn, type OwnConfig } from "./open_own.ts";
import type { Policy } from "./policy.ts";
import type { PolicyBackend } from "./policy_kind.ts";

export {
  type BuiltInPolicyConfig,
  builtInPolicyKinds,
  type CustomPolicyConfig,
  parsePolicyConfig,
  type PolicyConfig,
} from "./config.ts";
export { type PolicyBackend, policyBackends, type PolicyKind } from "./policy_kind.ts";

/**
 * A policy with fresh parameters for one environment: uniform over legal actions at first.
 *
 * @param seed Names the random streams of the initial parameters, or is one from which their
 *   name is drawn: same seed, same bits.
 * @param options.project Folder in whose `.sluice/models` language models lie.
 * @param options.trainer Asks the servers of policies of kind `tinker`.
 * @throws InputError on a wrong configuration, MissingPartError without the tensor backend, or the
 * language model.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { log } from "../../numerics/math/elementary.ts";
 * import { grammarEnvironment } from "../grammar/environment.ts";
 * import { createPolicy, loadPolicy } from "./create_policy.ts";
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
  { project, trainer }: Pick<OpenOptions, "project" | "trainer"> = {},
): Promise<Policy> {
  const whole = parsePolicyConfig({ ...config });
  checkPolicyFits(whole, environment);
  const header = headerOf(whole, environment);
  const seedKey = typeof seed === "string" ? seed : `drawn ${seed.uint32()} ${seed.uint32()}`;
  const backend = "backend" in whole ? whole.backend : undefined;
  const definitions = whole.kind === "custom" ? [whole.definition] : [];
  return await openWith(header, { backend, definitions, project, trainer }, seedKey);
}

/** The configuration without its backend, and the sizes of its environment. */
function headerOf(config: ReadPolicyConfig, environment: Environment): PolicyHeader {
  const learnsBackward = "backward" in config && config.backward === "learned";
  const readsFeatures = builtInPolicyKinds.get(config.kind)?.readsFeatures ?? true;
  return {
    config: savedConfig(config),
    environment: environment.digest,
    actions: environment.actionNames.length,
    positions: environment.maxActions,
    backward: learnsBackward ? environment.backward!.actionNames.length : 0,
    features: readsFeatures ? environment.features?.size ?? 0 : 0,
    ...(config.kind === "custom" && { actionNames: environment.actionNames }),
    ...tokenizerOf(environment),
  };
}

/** The digest of the tokens that are an environment's actions, where they are a model's. */
function tokenizerOf({ kind, spec }: Environment): { readonly tokenizer?: string } {
  return kind === tokensKind ? { tokenizer: (spec as TokenSpec).tokenizer } : {};
}

function savedConfig(config: ReadPolicyConfig): Readonly<Record<string, unknown>> {
  if (config.kind !== "custom") {
    const { backend: _, ...rest } = { backend: undefined, ...config };
    return rest;
  }
  const { definition: { name, version }, parameters, frozen } = config;
  return { kind: "custom", name, version, parameters, ...(frozen && { frozen }) };
}

/**
 * Restores a policy from the bytes of `save`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy, loadPolicy } from "./create_policy.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed");
 * assert.equal((await loadPolicy(await policy.save())).kind, "table");
 * ```
 *
 * @param options.backend Backend that computes; default `fused`. A table is always on the host.
 * @param options.definitions Definitions of policies of one's own, the file's among them.
 * @throws Error if the bytes are not a policy, MissingPartError without the tensor backend.
 */
export async function loadPolicy(bytes: Uint8Array, options: OpenOptions = {}): Promise<Policy> {
  return await policyOf(decodeTensors(bytes), options);
}

/**
 * As {@linkcode loadPolicy}, from the tensors of a file; their values are read once.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { decodeTensors } from "../../base/safetensors.ts";
 * import { createPolicy, policyOf } from "./create_policy.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, environment, "seed");
 * assert.equal((await policyOf(decodeTensors(await policy.save()))).kind, "table");
 * ```
 */
export async function policyOf(file: TensorFile, options: OpenOptions = {}): Promise<Policy> {
  const { tensors, metadata } = file;
  if (metadata.format !== "sluice_policy_2") {
    throw new Error(`Cannot read policy: format is ${metadata.format}, not sluice_policy_2`);
  }
  const header = JSON.parse(metadata.policy) as PolicyHeader;
  return await openWith(header, options, tensors);
}

/**
 * A policy of the same configuration and backend with fresh parameters; undefined for a policy of
 * one's own, whose definition is not in its file.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { createPolicy, freshPolicy } from "./create_policy.ts";
 * const environment = environmentNamed("hypergrid", { height: 4 });
 * const policy = await createPolicy({ kind: "mlp", width: 8 }, environment, "seed");
 * const other = await freshPolicy(policy, new RandomStream("other"));
 * assert.notDeepEqual(await other!.save(), await policy.save());
 * ```
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
  return await openWith(header, { backend }, seedKey);
}

/** Options with which a policy is opened. */
export interface OpenOptions {
  /** Backend to compute with. */
  readonly backend?: PolicyBackend;
  /** Definitions of policies of one's own, the file's among them. */
  readonly definitions?: readonly PolicyDefinition[];
  /** Folder of the project, where language models lie; the working directory if left out. */
  readonly project?: string;
  /** Asks servers that train a policy of kind `tinker`; without it such a policy can be read alone. */
  readonly trainer?: TrainerLink | undefined;
}

/** @param source Tensors of a file, or the seed of first values. */
async function openWith(
  header: PolicyHeader,
  options: OpenOptions,
  source: readonly NamedTensor[] | string,
): Promise<Policy> {
  const opened = await openKind(header, options, source);
  return "sample" in opened ? opened : new NetworkPolicy(opened, header);
}

function openKind(
  header: PolicyHeader,
  { backend = "fused", definitions = [], project, trainer }: OpenOptions,
  source: readonly NamedTensor[] | string,
): Promise<Network | Policy> {
  const opening = { header, backend, source, trainer, ...(project !== undefined && { project }) };
  const { kind } = header.config;
  if (kind === "custom") {
    return openOwn(header.config as unknown as OwnConfig, definitions, opening);
  }
  const builtIn = builtInPolicyKinds.get(`${kind}`);
  if (!builtIn) throw new Error(`Cannot read policy: there is no kind "${kind}"`);
  return builtIn.open(header.config, opening);
}
