/** Stage kind `benchmark`: compares answers of a finished policy with examples that it never learnt. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const example = z.strictObject({
  name: z.string().min(1).describe("name of its event"),
  derivation: z.array(z.string()).min(1).describe(
    "names of productions in the order of choice, without the exit",
  ),
  prompt: z.string().min(1).optional()
    .describe("with prompts: the one that it answers (default: every one)"),
});

export default declareStage({
  kind: "benchmark",
  version: 3,
  description:
    "Compares a finished policy's answers with held-out examples: matches, likelihoods, rewards.",
  params: z.strictObject({
    file: filePath().optional().describe(
      "held-out examples: JSON Lines of { prompt, completion }, { messages } or { derivation }",
    ),
    examples: z.array(example).max(1000).default([]).describe("instead of file: derivations"),
    max_examples: z.int().positive().optional()
      .describe("file: number of lines to read, from the first on (default: all)"),
    ...chatKeys,
    samples: z.int().min(2).default(128).describe(
      "answers to every prompt; without prompts, answers in all",
    ),
    best_of: z.int().positive().default(8).describe("n of best of n; less than samples"),
    temperature: z.number().positive().default(1).describe("temperature; 1 is the policy's own"),
    top_p: z.number().positive().max(1).default(1)
      .describe("nucleus sampling: the most probable actions with this total probability"),
  }).superRefine(({ file, examples, samples, best_of: best }, issues) => {
    const add = (path: string, message: string) =>
      issues.addIssue({ code: "custom", path: [path], message });
    if (file !== undefined && examples.length > 0) {
      add("file", "give examples, or a file, and not both");
    }
    if (best >= samples) add("best_of", `wanted less than samples = ${samples}`);
  }),
  inputs: {
    policy: port(ports.policy, "the policy that answers"),
    prompts: optionalPort(
      ports.prompts,
      "the prompts, held out or not; left out: those of the file, or none",
    ),
    target: optionalPort(ports.target, "the reward of the answers; or targets by prompt"),
    environment: optionalPort(
      ports.environment,
      "instead of a target: that of the policy, whose own rewards are measured if it states any",
    ),
  },
  outputs: { evaluation: port(ports.evaluation, "measures of the answers") },
  wired: {
    targets: port(ports.target, "with prompts: one for each, by its id, instead of one for all"),
  },
  uses: ["executor", "oracle"],
  checks: true,
  random: true,
  tensors: true,
});
