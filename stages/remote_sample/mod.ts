/** Stage kind `remote_sample`: trajectories that a model on a server writes, for a policy to learn from. */
import { z } from "../../src/base/zod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

export default defineStage({
  kind: "remote_sample",
  version: 1,
  description: "Samples texts from a model on a server, for off-policy objectives.",
  params: z.strictObject({
    batch_size: z.int().positive().default(32).describe("fresh trajectories per step"),
    group_size: z.int().positive().optional()
      .describe("with prompts: answers to each in a batch (default: as many as fit)"),
    weights: z.enum(["served", "policy"]).default("served").describe(
      "weights that sample: the server's own, or with the policy's adapter, sent before each batch",
    ),
    temperature: z.number().positive().max(100).default(1).describe(
      "temperature at which tokens are drawn",
    ),
  }),
  inputs: {
    oracle: port(ports.oracle, "the model that writes, of kind server or policy"),
    policy: port(ports.policy, "the policy that learns, which reads prompts in its tokens"),
    environment: port(ports.environment, "texts in the same tokens, mask = none or trie"),
    prompts: optionalPort(ports.prompts, "its prompts, in turn; none that is held out"),
  },
  outputs: { trajectories: port(ports.trajectories, "with the server's own log probabilities") },
  random: true,
  tensors: true,
  uses: ["oracle"],
  async run(context, { oracle, policy, environment, prompts }, params) {
    const { sampleRemotely } = await import("./remote_sampling.ts");
    const sampled = { policy: policy.policy, environment, oracle, ...(prompts && { prompts }) };
    return { trajectories: await sampleRemotely(context, sampled, params) };
  },
});
