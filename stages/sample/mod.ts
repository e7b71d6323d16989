/** Stage kind `sample`: trajectories of the policy, with exploration in the behaviour only. */
import { z } from "../../src/base/zod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/mod.ts";

const share = z.number().min(0).max(1);

const exploration = z.strictObject({
  kind: z.enum(["epsilon_uniform"]).describe("uniform choice among legal actions, mixed in"),
  start: share.describe("share at the first step"),
  end: share.default(0).describe("share from `until` on"),
  until: share.default(0.75).describe("fraction of the loop at which `end` is reached"),
});

const temperature = z.union([
  z.number().positive(),
  z.strictObject({
    start: z.number().positive().describe("at the first step"),
    end: z.number().positive().default(1).describe("from `until` on"),
    until: share.default(0.75).describe("fraction of the loop at which `end` is reached"),
  }),
]);

const topP = z.number().positive().max(1).default(1)
  .describe(
    "nucleus sampling of the behaviour policy: the most probable actions with this total probability",
  );

const behaviour = z.strictObject({
  share: share.describe("share of every batch, rounded down"),
  exploration: exploration.optional().describe("its share of uniform choice"),
  temperature: temperature.default(1).describe("its temperature"),
  top_p: topP,
});

export default defineStage({
  kind: "sample",
  version: 1,
  description:
    "Samples trajectories from the policy; exploration changes only the behaviour policy.",
  params: z.strictObject({
    batch_size: z.int().positive().default(32).describe("fresh trajectories per step"),
    group_size: z.int().positive().optional().describe(
      "with prompts: answers to each in a batch (default: as many as fit)",
    ),
    exploration: exploration.optional().describe("share of uniform choice in the behaviour policy"),
    temperature: temperature.default(1).describe(
      "temperature of the behaviour policy; 1 is the policy's own",
    ),
    top_p: topP,
    mix: z.array(behaviour).default([])
      .describe("other behaviour policies, each for a share of the batch"),
  }).refine(({ mix }) => mix.reduce((sum, one) => sum + one.share, 0) <= 1, {
    path: ["mix"],
    message: "the shares sum to more than 1",
  }),
  inputs: {
    policy: port(ports.policy, "the policy to sample"),
    environment: port(ports.environment, "its environment"),
    prompts: optionalPort(ports.prompts, "its prompts, in turn; none that is held out"),
  },
  outputs: { trajectories: port(ports.trajectories, "fresh trajectories") },
  random: true,
  tensors: true,
  async run(context, { policy, environment, prompts }, params) {
    const { sampleBatch } = await import("./sampling.ts");
    const sampled = { policy: policy.policy, environment, ...(prompts && { prompts }) };
    return { trajectories: await sampleBatch(context, sampled, params) };
  },
});
