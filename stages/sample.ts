/** Stage kind `sample`: trajectories of the policy, with exploration in the behaviour only. */
import { z } from "zod";
import { port, ports } from "../src/ports/mod.ts";
import { defineStage } from "../src/runner/stage.ts";

const share = z.number().min(0).max(1);

const exploration = z.strictObject({
  kind: z.enum(["epsilon_uniform"]).describe("uniform choice among legal actions, mixed in"),
  start: share.describe("share at the first step"),
  end: share.default(0).describe("share from `until` on"),
  until: share.default(0.75).describe("fraction of the loop at which `end` is reached"),
});

export default defineStage({
  kind: "sample",
  version: 1,
  description: "Samples trajectories from the policy; exploration changes the behaviour only.",
  params: z.strictObject({
    batch_size: z.int().positive().default(32).describe("fresh trajectories per step"),
    exploration: exploration.optional(),
    temperature: z.number().positive().default(1).describe(
      "of the behaviour; 1 is the policy's own",
    ),
  }),
  inputs: {
    policy: port(ports.policy, "what is sampled"),
    environment: port(ports.environment, "what it walks"),
  },
  outputs: { trajectories: port(ports.trajectories, "fresh trajectories") },
  random: true,
  tensors: true,
  async run(context, { policy, environment }, params) {
    const { explorationShare } = await import("../src/gfn/exploration.ts");
    const { batch_size: count, temperature } = params;
    const fraction = (context.step - 1) / Math.max(1, context.steps);
    const epsilon = params.exploration ? explorationShare(params.exploration, fraction) : 0;
    const options = { count, epsilon, temperature, random: context.random("trajectories") };
    const trajectories = await policy.policy.sample(environment, options);
    context.metric("epsilon", epsilon);
    return { trajectories: { environment, trajectories, epsilon } };
  },
});
