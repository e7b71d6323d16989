/** Stage kind `sft`: maximum likelihood on a handful of known derivations, or on a file of examples. */
import { optionalPort, port, ports } from "../ports/mod.ts";
import { readsTokens } from "../../src/gfn/settings/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { sftParams } from "./params.ts";

export default defineStage({
  kind: "sft",
  version: 4,
  description: "Makes a policy and trains it by maximum likelihood on derivations or examples.",
  params: sftParams,
  inputs: {
    environment: port(ports.environment, "the environment of the policy"),
    prompts: optionalPort(
      ports.prompts,
      "the prompts that the examples answer, those of a file among these",
    ),
    target: optionalPort(
      ports.target,
      "the reward of the examples, for a learner to begin with; or targets by prompt",
    ),
    service: optionalPort(
      ports.service,
      "the service that trains a policy of kind tinker, started and stopped by the run",
    ),
  },
  wired: { targets: port(ports.target, "one for each prompt, by its id, instead of one for all") },
  outputs: {
    policy: port(ports.policy, "the policy after the warm start"),
    initial: port(ports.policy, "the policy before it"),
    scored: port(ports.scored, "the examples with what the target gives for them"),
  },
  uses: ["executor", "oracle"],
  random: true,
  tensors: true,
  async run(context, inputs, params) {
    return await (await import("./fine_tune.ts")).fineTune(context, inputs, params);
  },
  async check({ context, inputs, unknown, params }) {
    const { checkTargets } = await import("../common/check_targets.ts");
    checkTargets({ inputs, unknown }, "reward", true);
    const { environment } = inputs;
    const { requireService } = await import("../common/served_by.ts");
    requireService(params.policy, inputs.service !== undefined || unknown.has("service"));
    const { checkFiles } = await import("./check_files.ts");
    await checkFiles(params, inputs.prompts?.prompts);
    const { checkPolicy } = await import("../policy/check_policy.ts");
    const { throwAll } = await import("../common/throw_all.ts");
    const { exampleActions } = await import("./warm_start.ts");
    if (!environment) return {};
    const examples = readsTokens(params.policy.kind) ? [] : params.examples;
    throwAll([
      () => checkPolicy(context, params.policy, environment),
      () => exampleActions(environment, { examples }),
    ]);
    return {};
  },
});
