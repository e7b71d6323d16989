/** Parameters of the stage kind `sft`. */
import { z } from "../../src/base/zod.ts";
import { learningRate, weightDecay } from "../../src/gfn/settings/mod.ts";
import { filePath } from "../../src/pipeline/contract/mod.ts";
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
  batch_size: z.int().positive().default(16).describe("file: examples of a step"),
  validation: z.number().min(0).lt(1).default(0.1).describe("file: share kept from training"),
  validate_every: z.int().positive().default(10)
    .describe("file: steps between validations; the policy of the best one is the result"),
  thinking: z.enum(["kept", "stripped"]).default("stripped")
    .describe("file: text between <think> and </think> before an answer"),
  steps: z.int().min(0).default(60).describe("gradient steps"),
  learning_rate: learningRate.default(3e-3).describe("of Adam, a number or a course"),
  clip_norm: z.number().positive().default(1).describe("global norm of the gradient"),
  weight_decay: weightDecay.optional(),
  states: z.enum(["terminal", "terminable"]).default("terminal")
    .describe("target: examples alone are rewarded, or every complete program on the way too"),
}).superRefine(({ file, examples, policy }, issues) => {
  const add = (path: string, message: string) =>
    issues.addIssue({ code: "custom", path: [path], message });
  if (file === undefined) return;
  if (examples.length > 0) add("file", "give examples, or a file, and not both");
  if (policy.kind !== "language_model") add("file", "a file of examples is for a language model");
});
