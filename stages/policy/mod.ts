/** Stage kind `policy`: a policy with fresh parameters, for one environment. */
import { z } from "../../src/base/zod.ts";
import { policyConfig } from "./config.ts";
import { port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";

export default defineStage({
  kind: "policy",
  version: 1,
  description: "Makes a policy that has not learned anything: uniform over legal actions.",
  params: z.strictObject({ policy: policyConfig.describe("the network, or a table") }),
  inputs: { environment: port(ports.environment, "the environment of the policy") },
  outputs: { policy: port(ports.policy, "the policy") },
  random: true,
  tensors: true,
  async run(context, { environment }, params) {
    const { makePolicy } = await import("./make_policy.ts");
    const policy = await makePolicy(context, params.policy, environment);
    return { policy: { policy, trajectories: 0, distinctEvaluations: 0 } };
  },
  async check({ context, inputs: { environment }, params }) {
    const { checkPolicy } = await import("./check_policy.ts");
    if (environment) checkPolicy(context, params.policy, environment);
    return {};
  },
});
