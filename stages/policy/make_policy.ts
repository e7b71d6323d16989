/** Making the policy that a stage's parameters describe, a built-in one or one of one's own. */
import { requireService, servedBy } from "../common/served_by.ts";
import { inputError } from "../../src/base/diagnostic.ts";
import { isPolicyDefinition, type Policy } from "../../src/gfn/policies/mod.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import {
  type BuiltInPolicyConfig,
  builtInPolicyKinds,
  createPolicy,
  type PolicyConfig,
} from "../../src/gfn/policies/built_in/mod.ts";
import type { ServiceProcess } from "../../src/base/service_process.ts";
import type { TrainerLink } from "../../src/models/training/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { PolicyParams } from "./config.ts";

/**
 * A policy with fresh parameters from the stage's own random stream. The backend that computes it
 * is written to the stage's log.
 *
 * @param service Service of a policy of kind `tinker`, where one is wired.
 * @throws InputError if the policy cannot sample in the environment, or a module's default export
 * was not made with `definePolicy`.
 */
export async function makePolicy(
  context: StageContext,
  params: PolicyParams,
  environment: Environment,
  service?: ServiceProcess,
): Promise<Policy> {
  const config = builtIn(params) ? withServer(params, service) : ownConfig(context, params);
  const trainer: TrainerLink = (request) => context.ask("trainer", { ...request });
  const random = context.random("parameters");
  const policy = await createPolicy(config, environment, random, { trainer });
  const line = `policy ${policy.kind}, ${policy.size} parameters; ${policy.computes}`;
  context.log(line, policy.computes.includes("instead of") ? "warning" : "info");
  return policy;
}

/** Where the server is that trains it. @throws InputError if there is none, or two. */
function withServer(
  params: BuiltInPolicyConfig,
  service: ServiceProcess | undefined,
): BuiltInPolicyConfig {
  requireService(params, service !== undefined);
  return params.kind === "tinker" ? servedBy(params, service) : params;
}

type OwnParams = Exclude<PolicyParams, BuiltInPolicyConfig>;

/** True of a kind that comes with Sluice. */
export function builtIn(params: PolicyParams): params is BuiltInPolicyConfig {
  return builtInPolicyKinds.has(params.kind);
}

/** @throws InputError if the module of a policy of one's own exports none. */
export function ownConfig(context: StageContext, params: PolicyParams): PolicyConfig {
  const { kind: path, ...rest } = params as OwnParams;
  const definition = context.plugin(path);
  if (isPolicyDefinition(definition)) return { kind: "custom", definition, ...rest };
  const hint = "write: export default definePolicy({ name, version: 1, create })";
  const message = `Cannot use the policy ${path}: its default export is not a policy`;
  throw inputError("plugin/policy", message, undefined, hint);
}
