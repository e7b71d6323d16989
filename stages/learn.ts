/** Stage kind `learn`: one gradient step of an objective on fresh and replayed trajectories. */
import { z } from "zod";
import { learningRate } from "../src/ports/policy_config.ts";
import { port, ports } from "../src/ports/mod.ts";
import { lazyInstance } from "../src/ports/lazy_instance.ts";
import { modulePath } from "../src/runner/pipeline/path_param.ts";
import { defineStage } from "../src/runner/stage.ts";

const replay = z.strictObject({
  capacity: z.int().positive().default(4096).describe("distinct objects kept, oldest out first"),
  fraction: z.number().min(0).max(4).default(0.25)
    .describe("replayed trajectories per fresh one"),
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
    learning_rate: learningRate.default(3e-3),
    log_z_learning_rate: z.number().positive().default(0.5).describe("follows the same schedule"),
    clip_norm: z.number().positive().default(10).describe("global norm of the gradient"),
  }),
  inputs: {
    policy: port(ports.policy, "what is trained"),
    trajectories: port(ports.trajectories, "fresh trajectories"),
    log_reward: port(ports.log_reward, "their log rewards"),
  },
  outputs: { policy: port(ports.policy, "the policy after the step") },
  random: true,
  tensors: true,
  open: (params) =>
    lazyInstance(async () => (await import("../src/ports/learner.ts")).makeLearner(params)),
});
