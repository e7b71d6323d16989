/** Parameters of the stage kind `sft`. */
import { z } from "../../src/base/zod.ts";
import { learningRate, readsTokens, weightDecay } from "../../src/gfn/settings/mod.ts";
import { filePath } from "../../src/pipeline/contract/mod.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { policyConfig } from "../policy/config.ts";

const example = z.strictObject({
  name: z.string().min(1).describe("where the program was published"),
  derivation: z.array(z.string()).min(1).describe("names of the productions, in order"),
  prompt: z.string().min(1).optional()
    .describe("the prompt that it answers; every one that is not held out, if left out"),
});

/** Parameters of the stage kind `sft`. */
export const sftParams = z.strictObject({
  policy: policyConfig.describe("the network"),
  examples: z.array(example).max(20).default([])
    .describe("at most 20 known programs, each learnt at every step"),
  file: filePath().optional().describe(
    "JSON Lines of { prompt, completion } or { messages }, for a language model",
  ),
  max_examples: z.int().positive().optional()
    .describe("file: lines that are read, from the first on; all if left out"),
  learn: z.enum(["all", "last"]).default("all")
    .describe("file: answers of a conversation that are learnt, each behind the turns before it"),
  ...chatKeys,
  batch_size: z.int().positive().default(16).describe("file: examples of a pass"),
  accumulate: z.int().positive().default(1)
    .describe("file: passes whose gradients add up to a step"),
  validation: z.number().min(0).lt(1).optional()
    .describe("file: share kept from training; 0.1, and 0 beside a validation_file"),
  validation_file: filePath().optional().describe("file: JSON Lines to validate by, instead"),
  validate_every: z.int().positive().default(10).describe("file: steps between validations"),
  save_best: z.enum(["validation_loss", "validation_loss_per_token", "none"])
    .default("validation_loss")
    .describe("file: by which validation the result is chosen; none: the last policy"),
  thinking: z.enum(["kept", "stripped"]).default("kept")
    .describe("file: text between <think> and </think> before an answer"),
  steps: z.int().min(0).optional().describe("gradient steps; 60 where no epochs are given"),
  epochs: z.number().positive().optional().describe("file: instead, times that examples are met"),
  learning_rate: learningRate.default(3e-3).describe("of Adam, a number or a course"),
  clip_norm: z.number().positive().default(1).describe("global norm of the gradient"),
  weight_decay: weightDecay.optional(),
  log_clamp: z.tuple([z.number(), z.number()]).optional()
    .describe("target: least and most log R that an example gets for a learner to begin with"),
  states: z.enum(["terminal", "terminable"]).default("terminal")
    .describe("target: examples alone are rewarded, or every complete program on the way too"),
}).superRefine((params, issues) => {
  const { file, examples, policy, steps, epochs, log_clamp: clamp } = params;
  const add = (path: string, message: string) =>
    issues.addIssue({ code: "custom", path: [path], message });
  if (steps !== undefined && epochs !== undefined) add("epochs", "give steps, or epochs, not both");
  if (clamp && !(clamp[0] < clamp[1])) add("log_clamp", "wanted the least, then the most");
  if (params.validation !== undefined && params.validation > 0 && params.validation_file) {
    add("validation", "give a share, or a validation_file, and not both");
  }
  if (file === undefined) {
    for (const key of ["epochs", "validation_file", "max_examples"] as const) {
      if (params[key] !== undefined) add(key, "is for examples of a file");
    }
    return;
  }
  if (examples.length > 0) add("file", "give examples, or a file, and not both");
  if (!readsTokens(policy.kind)) add("file", "a file of examples is for a language model");
});
