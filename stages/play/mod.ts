/** Stage kind `play`: an agent asks an experiment, and its answers are judged. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath, modulePath } from "../../src/pipeline/contract/mod.ts";
import { actionForms } from "../../src/executor/play/agents/read_action.ts";
import { chatKeys } from "../common/chat_settings.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

const script = z.strictObject({
  kind: z.literal("script"),
  path: filePath().describe('JSON lines: {"query": {…}} or {"submit": "a program"}'),
});

const languageModel = z.strictObject({
  kind: z.literal("language_model"),
  actions: z.enum(actionForms).default("json")
    .describe("form of an action: JSON, a tool call between XML tags, or a line of text"),
  temperature: z.number().positive().default(1).describe("temperature of the policy"),
  template_variables: chatKeys.template_variables,
});

export default declareStage({
  kind: "play",
  version: 1,
  description: "Lets an agent query an experiment for rows, and scores its answers.",
  params: z.strictObject({
    agent: z.union([z.enum(["random", "grid", "information"]), script, languageModel, modulePath()])
      .describe("agent that queries; a path names a module made with defineAgent"),
    episodes: z.int().min(1).max(100_000).default(20).describe("worlds of each seed"),
    seeds: z.array(z.int().min(0)).min(1).default([1])
      .describe("seeds of the worlds; equal seeds give equal worlds"),
    budget: z.int().min(0).max(1000).default(10).describe("queries of an episode"),
    checkpoints: z.array(z.int().min(0)).default([0, 1, 3, 5, 10])
      .describe(
        "numbers of queries after which the questions are answered; there is always a last answer",
      ),
    plain: z.boolean().default(false).describe("whether the story leaves out the domain"),
    particles: z.int().min(100).max(100_000).default(1000).describe("draws of latents"),
    draws: z.int().min(64).max(10_000).default(256)
      .describe("of these, draws used to compute a query's information"),
    candidates: z.int().min(1).max(2000).default(60)
      .describe("random queries of which the most informative is taken"),
    fresh: z.int().min(2).max(100_000).default(200)
      .describe("rows drawn after the last answer, to score it"),
  }),
  inputs: {
    experiment: port(ports.experiment, "the experiment that is played"),
    policy: optionalPort(ports.policy, "of language_model: the policy that answers"),
    texts: optionalPort(ports.environment, "of language_model: its texts, of the kind tokens"),
    programs: optionalPort(
      ports.environment,
      "theories that may be true, for agents that are not told which is",
    ),
  },
  outputs: { played: port(ports.table, "a row for each episode") },
  uses: ["world"],
});
