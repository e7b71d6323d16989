/** Stage kind `learn`: one gradient step of an objective on fresh and replayed trajectories. */
import { z } from "zod";
import { rewardExponentFault } from "../src/gfn/reward_exponent.ts";
import { learningRate } from "../src/ports/policy_config.ts";
import { optionalPort, port, ports } from "../src/ports/mod.ts";
import { lazyInstance } from "../src/ports/lazy_instance.ts";
import { modulePath } from "../src/runner/pipeline/path_param.ts";
import { defineStage } from "../src/runner/stage.ts";

const replay = z.strictObject({
  capacity: z.int().positive().describe("distinct objects kept"),
  fraction: z.number().min(0).max(4).default(0.25)
    .describe("replayed trajectories per fresh one"),
  choice: z.enum(["uniform", "prioritised", "top_fraction", "diverse"]).default("uniform")
    .describe("which of them are drawn"),
  eviction: z.enum(["oldest", "lowest_reward"]).default("oldest")
    .describe("which leaves when the buffer is full"),
  power: z.number().min(0).optional().describe("prioritised: weight rank^-power; 1 if left out"),
  top: z.number().positive().max(1).optional()
    .describe("top_fraction: which part of the buffer is best; 0.1 if left out"),
  top_share: z.number().min(0).max(1).optional()
    .describe("top_fraction: which part of the draw comes from there; 0.5 if left out"),
});

const rewardExponent = z.strictObject({
  start: z.number().positive().describe("at the first step"),
  end: z.number().positive().default(1).describe("from `until` on; only 1 is the target"),
  until: z.number().min(0).max(1).default(0.5).describe("fraction at which `end` is reached"),
}).superRefine((course, context) => {
  const fault = rewardExponentFault(course);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

const builtIn = z.enum([
  "sub_trajectory_balance",
  "trajectory_balance",
  "detailed_balance",
  "log_partition_variance",
]);

export default defineStage({
  kind: "learn",
  version: 1,
  description: "One gradient step of an objective on fresh and replayed trajectories.",
  params: z.strictObject({
    objective: z.union([builtIn, modulePath()])
      .describe("a built-in objective, or the path of a module made with defineObjective"),
    flow: z.enum(["learned", "exact_where_terminable"]).default("exact_where_terminable")
      .describe("state flow where the exit action is legal"),
    lambda: z.number().positive().default(1).describe("weight of a sub-trajectory by its length"),
    residual_loss: z.enum(["squared", "log_cosh"]).default("log_cosh"),
    replay: replay.optional(),
    reward_exponent: rewardExponent.optional()
      .describe("log R is multiplied by it; ends at 1 and is there for the last fifth"),
    learning_rate: learningRate.default(3e-3),
    flow_learning_rate: z.number().positive().optional()
      .describe("of the learned state flow; follows the same schedule"),
    log_z: z.enum(["regression", "data"]).default("regression")
      .describe("log Z: a learned number, or a running mean over batches"),
    log_z_start: z.number().optional().describe("where log Z starts; the data's own if left out"),
    log_z_learning_rate: z.number().positive().default(0.5).describe("follows the same schedule"),
    clip_norm: z.number().positive().default(10).describe("global norm of the gradient"),
    average_decay: z.number().positive().lt(1).optional()
      .describe("the policy after the last step is this moving average of its parameters"),
  }),
  inputs: {
    policy: port(ports.policy, "what is trained"),
    trajectories: port(ports.trajectories, "fresh trajectories"),
    log_reward: optionalPort(
      ports.log_reward,
      "their log rewards; left out where the environment states its own",
    ),
  },
  outputs: { policy: port(ports.policy, "the policy after the step") },
  random: true,
  tensors: true,
  open: (params) =>
    lazyInstance(async () => (await import("../src/ports/learner.ts")).makeLearner(params)),
});
