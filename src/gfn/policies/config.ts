/** Configurations of policies, as pipelines and programs write them, and their checks. */
import { z } from "../../base/zod.ts";
import { inputError } from "../../base/diagnostic.ts";
import { calledOf, type Environment } from "../environments/environment.ts";
import { readSettings, type Settings } from "../settings/read_settings.ts";
import { isPolicyDefinition, type PolicyDefinition } from "./define_policy.ts";
import { frozen, type PolicyKind } from "./policy_kind.ts";
import * as registry from "./registry.ts";

/** A built-in kind, as the registry has it. */
export type Kinds = typeof registry[keyof typeof registry];

/** Every built-in kind by its name. */
export const builtInPolicyKinds: ReadonlyMap<string, PolicyKind> = new Map(
  Object.values<PolicyKind>(registry).map((kind) => [kind.kind, kind]),
);

/**
 * Whether policies of a kind read the tokens of a language model.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readsTokens } from "./config.ts";
 * assert(readsTokens("language_model"));
 * assert(!readsTokens("mlp"));
 * ```
 */
export function readsTokens(kind: string): boolean {
  return builtInPolicyKinds.get(kind)?.readsTokens ?? false;
}

/** Settings of a policy of one's own beside its definition. */
export const ownPolicyParameters = {
  parameters: z.record(z.string(), z.unknown()).default({}).describe("argument of `create`"),
  frozen,
};

const custom = z.strictObject({
  kind: z.literal("custom"),
  definition: z.custom<PolicyDefinition>(isPolicyDefinition),
  ...ownPolicyParameters,
});

/** A policy of one's own: the definition that its module exports, and its settings. */
export type CustomPolicyConfig = z.input<typeof custom>;

/** A built-in policy: its kind, and its parameters where they are not the defaults. */
export type BuiltInPolicyConfig = z.input<Kinds["parameters"]>;

/** Every policy that `createPolicy` can make. */
export type PolicyConfig = BuiltInPolicyConfig | CustomPolicyConfig;

/** The same with every default. */
export type ReadPolicyConfig = z.output<Kinds["parameters"]> | z.output<typeof custom>;

/**
 * Reads a policy's configuration; keys that are left out have their defaults.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { parsePolicyConfig } from "./config.ts";
 * const config = parsePolicyConfig({ kind: "transformer", layers: 1 });
 * assert("width" in config);
 * assert.throws(() => parsePolicyConfig({ kind: "tabel" }), /kind/);
 * ```
 *
 * @throws InputError with every finding.
 */
export function parsePolicyConfig(value: Settings): ReadPolicyConfig {
  const { kind } = value;
  const schema = kind === "custom" ? custom : builtInPolicyKinds.get(`${kind}`)?.parameters;
  const reading = { what: "policy", code: "policy/config" };
  if (schema) return readSettings(schema, value, reading) as ReadPolicyConfig;
  const known = [...builtInPolicyKinds.keys()].map((name) => `"${name}"`).join(", ");
  const message = `Cannot read policy: kind is ${JSON.stringify(kind)}`;
  throw inputError(reading.code, message, undefined, `write one of ${known}`);
}

/**
 * Refuses an environment for which the policy does not work.
 *
 * ```ts
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { checkPolicyFits, parsePolicyConfig } from "./config.ts";
 * const config = parsePolicyConfig({ kind: "table" });
 * checkPolicyFits(config, environmentNamed("numbers", { max: 9, base: 10 })); // a table walks any
 * ```
 *
 * @throws InputError if a policy of this kind does not work in this environment.
 */
export function checkPolicyFits(config: ReadPolicyConfig, environment: Environment): void {
  const called = calledOf(environment);
  const refused = builtInPolicyKinds.get(config.kind)?.refusal(environment, called);
  if (refused) throw inputError("policy/environment", refused.message, undefined, refused.hint);
  if ("backward" in config && config.backward === "learned" && !environment.backward) {
    const message = `Cannot learn a backward policy on ${called}: it is a tree, with one way back`;
    throw inputError("policy/environment", message, undefined, 'leave out backward = "learned"');
  }
}
