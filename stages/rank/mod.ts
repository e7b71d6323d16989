/** Stage kind `rank`: scores every program of a space that can be counted; nothing is learnt. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

export default declareStage({
  kind: "rank",
  version: 1,
  description: "Scores every program of a target, in order of prior mass.",
  params: z.strictObject({
    at_most: z.int().positive().default(100_000)
      .describe("programs; a larger space is refused, for learning is made for it"),
    executions: z.int().min(0).optional()
      .describe("programs to execute; the rest, of least prior mass, is left out; 0: policy alone"),
    policy: filePath().optional()
      .describe("a policy for many data sets: it answers first, and says what is executed first"),
    searched: z.int().positive().optional()
      .describe("programs that were tried before these were chosen, which an answer counts"),
    seconds: z.number().positive().optional()
      .describe("after which no further program is begun"),
  }).refine(({ executions, policy }) => executions !== 0 || policy !== undefined, {
    path: ["executions"],
    message: "wanted a policy, which answers where nothing is executed",
  }),
  inputs: { target: port(ports.target, "whose programs are scored") },
  outputs: {},
  uses: ["executor", "oracle"],
});
