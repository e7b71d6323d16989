/** Settings of training: replay, learning rates, log Z; as a pipeline and a program state them. */
import { z } from "../../base/zod.ts";
import { rewardExponentFault } from "./reward_exponent.ts";

/** A learning rate: a number, or `{ start, schedule, end }` over the steps of training. */
export const learningRate = z.union([
  z.number().positive(),
  z.strictObject({
    start: z.number().positive().describe("rate at the first step"),
    schedule: z.enum(["constant", "linear", "cosine"]).default("cosine")
      .describe("course from start to end"),
    end: z.number().min(0).default(0).describe("rate at the last step"),
    warm_up: z.number().min(0).lt(1).optional()
      .describe("fraction of training over which the rate rises from 0"),
  }),
]);

/** Weight decay of AdamW (Loshchilov and Hutter 2019). */
export const weightDecay = z.number().min(0)
  .describe(
    "weight decay of AdamW, for language models: share of a parameter that a step of rate 1 subtracts",
  );

const replay = z.strictObject({
  capacity: z.int().positive().describe("most distinct objects in the buffer"),
  fraction: z.number().min(0).max(4).default(0.25)
    .describe("replayed trajectories per fresh one"),
  choice: z.enum(["uniform", "prioritised", "top_fraction", "diverse"]).default("uniform")
    .describe("distribution of the draws"),
  eviction: z.enum(["oldest", "lowest_reward"]).default("oldest")
    .describe("entry that leaves a full buffer"),
  ways: z.enum(["walked", "backward"]).default("walked")
    .describe("trajectory of a replayed object: the original, or one drawn backwards uniformly"),
  power: z.number().min(0).optional().describe("prioritised: weight rank^-power (default: 1)"),
  top: z.number().positive().max(1).optional()
    .describe("top_fraction: share of the buffer that counts as best (default: 0.1)"),
  top_share: z.number().min(0).max(1).optional()
    .describe("top_fraction: share of the draws from there (default: 0.5)"),
});

const rewardExponent = z.strictObject({
  start: z.number().positive().describe("at the first step"),
  end: z.number().positive().default(1).describe("from `until` on; only 1 is the target"),
  until: z.number().min(0).max(1).default(0.5).describe("fraction at which `end` is reached"),
}).superRefine((course, context) => {
  const fault = rewardExponentFault(course);
  if (fault) context.addIssue({ code: "custom", message: fault });
});

/** Every setting with its default; an objective's own parameters stand beside them. */
export const trainingSettings = z.strictObject({
  replay: replay.optional().describe("replay buffer"),
  reward_exponent: rewardExponent.optional()
    .describe("factor of log R while learning; it must be 1 for the last fifth"),
  learning_rate: learningRate.default(3e-3).describe(
    "learning rate of Adam, a number or a schedule",
  ),
  flow_learning_rate: z.number().positive().optional()
    .describe("learning rate of the learned state flow; same schedule"),
  log_z: z.enum(["regression", "data"]).default("regression")
    .describe(
      "log Z: a learned number, or a running mean over batches of log R + log P_B − log P_F",
    ),
  log_z_start: z.union([z.number(), z.enum(["mean", "importance"])]).optional()
    .describe(
      "start of log Z: a number, or by ζ = log R + log P_B − log P_F of the first batch (default: mean)",
    ),
  log_z_learning_rate: z.number().positive().default(0.5).describe(
    "learning rate of log Z; same schedule",
  ),
  clip_norm: z.number().positive().default(10).describe("largest global norm of the gradient"),
  weight_decay: weightDecay.optional(),
  stale: z.enum(["refuse", "uncorrected"]).default("refuse")
    .describe("batches of older policies, for an on-policy objective"),
  thoughts: z.int().min(0).max(256).optional()
    .describe(
      "with thoughts: further thoughts of the policy by which an object's mass is estimated (default: 4)",
    ),
  average_decay: z.number().positive().lt(1).optional()
    .describe("decay of a moving average of the parameters, which is the result"),
});

/** Settings of training. */
export type TrainingSettings = z.output<typeof trainingSettings>;

/** The same, where keys with a default may be left out. */
export type GivenTrainingSettings = z.input<typeof trainingSettings>;
