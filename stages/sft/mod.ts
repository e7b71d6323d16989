/** Stage kind `sft`: warm start by maximum likelihood on a handful of known derivations. */
import { z } from "../../src/base/zod.ts";
import { learningRate } from "../../src/gfn/train/training_settings.ts";
import { policyConfig } from "../policy/config.ts";
import { port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

const example = z.strictObject({
  name: z.string().min(1).describe("where the program was published"),
  derivation: z.array(z.string()).min(1).describe("names of the productions, in order"),
});

export default defineStage({
  kind: "sft",
  version: 1,
  description: "Makes a policy and trains it by maximum likelihood on known derivations.",
  params: z.strictObject({
    policy: policyConfig.describe("the network"),
    examples: z.array(example).max(20).describe("at most 20 known programs"),
    steps: z.int().min(0).default(60).describe("gradient steps, each on all examples"),
    learning_rate: learningRate.default(3e-3),
    clip_norm: z.number().positive().default(1).describe("global norm of the gradient"),
  }),
  inputs: { environment: port(ports.environment, "what the policy walks") },
  outputs: {
    policy: port(ports.policy, "the policy after the warm start"),
    initial: port(ports.policy, "the policy before it"),
  },
  random: true,
  tensors: true,
  async run(context, { environment }, params) {
    const { makePolicy } = await import("../policy/make_policy.ts");
    const { warmStart } = await import("./warm_start.ts");
    const policy = await makePolicy(context, params.policy, environment);
    const initial = await policy.clone();
    await warmStart(context, policy, environment, params);
    const untrained = { trajectories: 0, distinctEvaluations: 0 };
    return { policy: { policy, ...untrained }, initial: { policy: initial, ...untrained } };
  },
  async check({ context, inputs: { environment }, params }) {
    const { checkPolicy } = await import("../policy/check_policy.ts");
    const { throwAll } = await import("../common/throw_all.ts");
    const { exampleActions } = await import("./warm_start.ts");
    if (!environment) return {};
    const examples = params.policy.kind === "language_model" ? [] : params.examples;
    throwAll([
      () => checkPolicy(context, params.policy, environment),
      () => exampleActions(environment, { examples }),
    ]);
    return {};
  },
});
