/** Stage kind `rank`: scores every program of a space that can be counted; nothing is learnt. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

export default declareStage({
  kind: "rank",
  version: 1,
  description: "Scores every program of an enumerable target, in order of prior probability.",
  params: z.strictObject({
    at_most: z.int().positive().default(100_000)
      .describe("most programs; a larger space is refused"),
    executions: z.int().min(0).optional()
      .describe(
        "most programs to execute, the most probable first; 0: only the policy answers (default: all)",
      ),
    policy: filePath().optional()
      .describe("file of a policy for many data sets, which answers first and orders the programs"),
    searched: z.int().positive().optional()
      .describe("number of programs tried before this selection, for the answer's selection bias"),
    seconds: z.number().positive().optional()
      .describe("seconds after which no further program starts"),
  }).refine(({ executions, policy }) => executions !== 0 || policy !== undefined, {
    path: ["executions"],
    message: "wanted a policy, which answers where nothing is executed",
  }),
  inputs: { target: port(ports.target, "whose programs are scored") },
  outputs: {},
  uses: ["executor", "oracle"],
});
