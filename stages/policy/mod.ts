/** Stage kind `policy`: a policy with fresh parameters, or those of a file, for one environment. */
import { z } from "../../src/base/zod.ts";
import { atParameter } from "../common/at_parameter.ts";
import { policyConfig } from "./config.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defineStage, filePath } from "../../src/pipeline/contract/mod.ts";

export default defineStage({
  kind: "policy",
  version: 1,
  description:
    "Makes an untrained policy, uniform over legal actions, or loads one for many data sets.",
  params: z.strictObject({
    policy: policyConfig.optional().describe(
      "the policy: a network, a table of logits, a language model, or one on a server",
    ),
    file: filePath().optional().describe(
      "file of a trained policy, written by evaluate_amortised for the same kind of models",
    ),
  }).refine(({ policy, file }) => (policy === undefined) !== (file === undefined), {
    path: ["policy"],
    message: "wanted either policy or file",
  }),
  inputs: {
    environment: port(ports.environment, "the environment of the policy"),
    service: optionalPort(
      ports.service,
      "the service that trains a policy of kind tinker, started and stopped by the run",
    ),
  },
  outputs: { policy: port(ports.policy, "the policy") },
  random: true,
  tensors: true,
  async run(context, { environment, service }, { policy: config, file }) {
    if (config === undefined) {
      const { policyFrom } = await import("./policy_from.ts");
      return { policy: await atParameter(["file"], () => policyFrom(context, file!, environment)) };
    }
    const { makePolicy } = await import("./make_policy.ts");
    const policy = await makePolicy(context, config, environment, service);
    return { policy: { policy, trajectories: 0, distinctEvaluations: 0 } };
  },
  async check({ context, inputs: { environment, service }, unknown, params }) {
    const { requireService } = await import("../common/served_by.ts");
    const isWired = service !== undefined || unknown.has("service");
    requireService(params.policy ?? { kind: "file" }, isWired);
    const { checkPolicy } = await import("./check_policy.ts");
    if (environment && params.policy) checkPolicy(context, params.policy, environment);
    return {};
  },
});
