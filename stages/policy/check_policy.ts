/** Whether a policy can sample in an environment, before one is made. */
import { InputError } from "../../src/base/diagnostic.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import { checkPolicyFits, parsePolicyConfig } from "../../src/gfn/settings/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { PolicyParams } from "./config.ts";
import { builtIn, ownConfig } from "./make_policy.ts";

/** @throws InputError about the parameter `policy`. */
export function checkPolicy(
  context: StageContext,
  params: PolicyParams,
  environment: Environment,
): void {
  try {
    if (builtIn(params)) checkPolicyFits(parsePolicyConfig({ ...params }), environment);
    else ownConfig(context, params);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(error.diagnostics.map((one) => ({ param: ["policy", "kind"], ...one })));
  }
}
