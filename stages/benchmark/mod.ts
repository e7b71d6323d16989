/** Stage kind `benchmark`: what a finished policy answers, held against examples that it never learnt. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const example = z.strictObject({
  name: z.string().min(1).describe("how the event of it is called"),
  derivation: z.array(z.string()).min(1).describe("names of the productions, in order"),
  prompt: z.string().min(1).optional()
    .describe("with prompts: the one that it answers; every one, if left out"),
});

export default declareStage({
  kind: "benchmark",
  version: 3,
  description: "Samples a finished policy: matches with held-out examples, likelihoods, rewards.",
  params: z.strictObject({
    file: filePath().optional().describe(
      "JSON Lines of { prompt, completion }, { messages } or { derivation } that were held out",
    ),
    examples: z.array(example).max(1000).default([]).describe("or derivations, in the pipeline"),
    max_examples: z.int().positive().optional()
      .describe("file: lines that are read, from the first on; all if left out"),
    ...chatKeys,
    samples: z.int().min(2).default(128).describe("answers to every prompt"),
    best_of: z.int().positive().default(8).describe("answers of which the best one counts"),
    temperature: z.number().positive().default(1).describe("1 is the policy's own"),
    top_p: z.number().positive().max(1).default(1)
      .describe("only the likeliest actions that have this share together; 1: all"),
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
