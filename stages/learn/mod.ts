/** Stage kind `learn`: one gradient step of an objective on fresh and replayed trajectories. */
import { z } from "zod";
import { objectiveNames, unreadParameters } from "../../src/gfn/objectives/names.ts";
import { residualLossNames } from "../../src/gfn/objectives/residual_loss.ts";
import { rewardExponentFault } from "../../src/gfn/train/reward_exponent.ts";
import { learningRate } from "../policy/config.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";
import { lazyInstance } from "../common/lazy_instance.ts";
import { modulePath } from "../../src/pipeline/contract/path_param.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

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

/** Parameters without a default: giving one to an objective that does not read it is a mistake. */
const particular = [
  "partial_reward",
  "beta",
  "kl",
  "clip",
  "epochs",
  "trace",
  "advantage",
] as const;

function refuseUnread(params: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void {
  const objective = String(params.objective);
  const given = particular.filter((key) => params[key] !== undefined);
  for (const key of unreadParameters(objective, given)) {
    context.addIssue({ code: "custom", path: [key], message: `${objective} does not read ${key}` });
  }
}

export default defineStage({
  kind: "learn",
  version: 1,
  description: "One gradient step of an objective on fresh and replayed trajectories.",
  params: z.strictObject({
    objective: z.union([z.enum(objectiveNames), modulePath()])
      .describe("a built-in objective, or the path of a module made with defineObjective"),
    flow: z.enum(["learned", "exact_where_terminable"]).default("exact_where_terminable")
      .describe("state flow where the exit action is legal"),
    lambda: z.number().positive().default(1).describe("weight of a sub-trajectory by its length"),
    residual_loss: z.enum(residualLossNames).default("log_cosh")
      .describe("what a balance residual costs; none moves the optimum"),
    partial_reward: z.enum(["prior", "reward"]).optional()
      .describe("forward-looking: what is known of a state's reward; reward if left out"),
    beta: z.number().positive().optional()
      .describe("relative_trajectory_balance: divides the log reward; only 1 is the target"),
    kl: z.number().min(0).optional()
      .describe("reinforce, ppo, grpo: weight of the divergence from the prior; 1 is the target"),
    clip: z.number().positive().max(1).optional()
      .describe("ppo, grpo: how far a step may change a probability; 0.2 if left out"),
    epochs: z.int().positive().optional()
      .describe("ppo, grpo: gradient steps on one batch; 4 and 1 if left out"),
    trace: z.number().positive().max(1).optional()
      .describe("ppo: lambda of generalised advantages; 0.95 if left out"),
    advantage: z.enum(["deviation", "mean"]).optional()
      .describe("grpo: advantages in units of their deviation, or plain"),
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
  }).superRefine(refuseUnread),
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
  open: (params) => lazyInstance(async () => (await import("./learner.ts")).makeLearner(params)),
});
