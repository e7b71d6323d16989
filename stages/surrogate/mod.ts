/** Stage kind `surrogate`: predicts the reward of every object from as few executions as possible. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { optionalPort, port, ports } from "../ports/mod.ts";

export default declareStage({
  kind: "surrogate",
  version: 1,
  description: "Learns log rewards from productions, and chooses in rounds which objects to score.",
  params: z.strictObject({
    budget: z.int().min(1, "wanted one execution at least: nothing is learned from none")
      .describe("most distinct objects to score, beside those in scored"),
    first: z.int().positive().default(60)
      .describe("of these, objects scored before the first round"),
    growth: z.number().positive().max(1).default(0.15)
      .describe("new objects of a round, as a share of those scored"),
    points: z.int().min(20).max(5000).default(3000)
      .describe("most scored objects used in predictions; a scored object's own value is exact"),
    choosing: z.int().min(20).max(1000).default(300)
      .describe("of these, objects used to select relevant productions"),
    depth: z.number().positive().optional()
      .describe(
        "nats below the best object that count as best (default: 15 if enumerated; 60 if not, or with a policy)",
      ),
    held_out: z.int().min(0).optional().describe(
      "of the budget, objects scored at the end to measure the coverage of its intervals (default: an " +
        "eighth, at most 100)",
    ),
    mean: z.enum(["constant", "policy"]).default("constant")
      .describe("prior mean: a constant, or log P of a policy for many data sets"),
    policy: filePath().optional().describe("file of that policy"),
    list_at_most: z.int().min(0).default(300_000)
      .describe(
        "most objects of which all are predicted in every round; with more, chains sample from the surrogate",
      ),
  }).refine(({ mean, policy }) => (mean === "policy") === (policy !== undefined), {
    path: ["mean"],
    message: 'wanted mean = "policy" and the file of a policy, or neither',
  }).refine(({ budget, held_out }) => held_out === undefined || held_out < budget, {
    path: ["held_out"],
    message: "wanted fewer than budget: nothing would be left to learn from",
  }),
  inputs: {
    target: optionalPort(ports.target, "the target to learn"),
    environment: optionalPort(
      ports.environment,
      "instead of a target: an environment that states its own log reward",
    ),
    scored: optionalPort(ports.scored, "rewards that are known already, as training left them"),
  },
  outputs: {
    surrogate: port(ports.surrogate, "log rewards: exact where scored, expected elsewhere"),
    scored: port(ports.scored, "every reward that is known"),
  },
  uses: ["executor", "oracle"],
  random: true,
});
