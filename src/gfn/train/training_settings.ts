/** Settings of training: replay, learning rates, log Z; as a pipeline and a program state them. */
import { z } from "../../base/zod.ts";
import { rewardExponentFault } from "./reward_exponent.ts";

/** A learning rate: a number, or `{ start, schedule, end }` over the steps of training. */
export const learningRate = z.union([
  z.number().positive(),
  z.strictObject({
    start: z.number().positive(),
    schedule: z.enum(["constant", "linear", "cosine"]).default("cosine"),
    end: z.number().min(0).default(0),
    warm_up: z.number().min(0).lt(1).optional()
      .describe("fraction of training over which the rate rises from 0"),
  }),
]);

/** Weight decay of AdamW (Loshchilov and Hutter 2019). */
export const weightDecay = z.number().min(0)
  .describe("share of a parameter that a step of rate 1 takes away; language models only");

const replay = z.strictObject({
  capacity: z.int().positive().describe("distinct objects kept"),
  fraction: z.number().min(0).max(4).default(0.25)
    .describe("replayed trajectories per fresh one"),
  choice: z.enum(["uniform", "prioritised", "top_fraction", "diverse"]).default("uniform")
    .describe("which of them are drawn"),
  eviction: z.enum(["oldest", "lowest_reward"]).default("oldest")
    .describe("which leaves when the buffer is full"),
  ways: z.enum(["walked", "backward"]).default("walked")
    .describe("the way that was walked, or another to the same end, drawn backwards"),
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

/** Every setting with its default; an objective's own parameters stand beside them. */
export const trainingSettings = z.strictObject({
  replay: replay.optional().describe("earlier trajectories that are learnt from again"),
  reward_exponent: rewardExponent.optional()
    .describe("log R is multiplied by it; ends at 1 and is there for the last fifth"),
  learning_rate: learningRate.default(3e-3).describe("of Adam, a number or a course"),
  flow_learning_rate: z.number().positive().optional()
    .describe("of the learned state flow; follows the same schedule"),
  log_z: z.enum(["regression", "data"]).default("regression")
    .describe("log Z: a learned number, or a running mean over batches"),
  log_z_start: z.union([z.number(), z.enum(["mean", "importance"])]).optional()
    .describe("where log Z starts: a number, or by the first batch, its mean if left out"),
  log_z_learning_rate: z.number().positive().default(0.5).describe("follows the same schedule"),
  clip_norm: z.number().positive().default(10).describe("global norm of the gradient"),
  weight_decay: weightDecay.optional(),
  stale: z.enum(["refuse", "uncorrected"]).default("refuse")
    .describe("batches of older policies, of an objective for the policy's own trajectories only"),
  thoughts: z.int().min(0).max(256).optional()
    .describe("of the policy, that tell an object's mass beside its own thought; 4 if left out"),
  average_decay: z.number().positive().lt(1).optional()
    .describe("the policy after the last step is this moving average of its parameters"),
});

/** What training is told. */
export type TrainingSettings = z.output<typeof trainingSettings>;

/** The same with what has a default left out. */
export type GivenTrainingSettings = z.input<typeof trainingSettings>;
