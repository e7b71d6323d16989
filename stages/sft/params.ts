/** Parameters of the stage kind `sft`. */
import { z } from "../../src/base/zod.ts";
import { learningRate, readsTokens, weightDecay } from "../../src/gfn/settings/mod.ts";
import { filePath } from "../../src/pipeline/contract/mod.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { policyConfig } from "../policy/config.ts";

const example = z.strictObject({
  name: z.string().min(1).describe("where the program was published"),
  derivation: z.array(z.string()).min(1).describe(
    "names of productions in the order of choice, without the exit",
  ),
  prompt: z.string().min(1).optional()
    .describe("prompt that it answers (default: every one that is not held out)"),
});

/** Parameters of the stage kind `sft`. */
export const sftParams = z.strictObject({
  policy: policyConfig.describe(
    "the policy: a network, a table of logits, a language model, or one on a server",
  ),
  examples: z.array(example).max(20).default([])
    .describe("known programs, all learned at every step"),
  file: filePath().optional().describe(
    "instead of examples, for a language model: JSON Lines of { prompt, completion } or { messages }",
  ),
  max_examples: z.int().positive().optional()
    .describe("file: number of lines to read, from the first on (default: all)"),
  learn: z.enum(["all", "last"]).default("all")
    .describe("file: answers of a conversation to learn, each given the turns before it"),
  ...chatKeys,
  batch_size: z.int().positive().default(16).describe("file: examples per pass"),
  accumulate: z.int().positive().default(1)
    .describe("file: passes whose gradients are summed in a step"),
  validation: z.number().min(0).lt(1).optional()
    .describe(
      "file: share of its lines kept for validation (default: 0.1; 0 beside a validation_file)",
    ),
  validation_file: filePath().optional().describe("file: file of validation examples instead"),
  validate_every: z.int().positive().default(10).describe("file: steps between validations"),
  save_best: z.enum(["validation_loss", "validation_loss_per_token", "none"])
    .default("validation_loss")
    .describe("file: measure that selects the result; none: the last policy"),
  thinking: z.enum(["kept", "stripped"]).default("kept")
    .describe("file: whether text between <think> and </think> is learned"),
  steps: z.int().min(0).optional().describe(
    "gradient steps, each on all derivations (default: 60 without epochs)",
  ),
  epochs: z.number().positive().optional().describe(
    "file: passes over the examples, instead of steps",
  ),
  learning_rate: learningRate.default(3e-3).describe(
    "learning rate of Adam, a number or a schedule",
  ),
  clip_norm: z.number().positive().default(1).describe("largest global norm of the gradient"),
  weight_decay: weightDecay.optional(),
  log_clamp: z.tuple([z.number(), z.number()]).optional()
    .describe("target: least and most log R of an example in a learner's replay buffer"),
  states: z.enum(["terminal", "terminable"]).default("terminal")
    .describe(
      "target: whether examples alone are rewarded, or also complete programs on their way",
    ),
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
