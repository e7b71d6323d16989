/** Stage kind `expression`: arithmetic in reverse Polish notation, with its own reward. */
import { z } from "zod";
import { port, ports } from "../ports/mod.ts";
import { defineStage } from "../../src/pipeline/contract/stage.ts";

export default defineStage({
  kind: "expression",
  version: 1,
  description: "Expressions in reverse Polish notation, rewarded for coming near a number.",
  params: z.strictObject({
    leaves: z.array(z.int()).min(1).default([1, 2, 3]).describe("operands, integers"),
    operators: z.array(z.enum(["+", "-", "*"])).min(1).default(["+", "*"]).describe("operators"),
    max_length: z.int().positive().default(7).describe("most operands and operators"),
    target: z.int().default(7).describe("the number wanted"),
    scale: z.number().positive().default(2).describe(
      "distance from it at which the reward is 1 / e",
    ),
  }),
  inputs: {},
  outputs: { environment: port(ports.environment, "the expressions") },
  async run(_context, _inputs, { max_length: maxLength, ...rest }) {
    const { builtInEnvironments } = await import("../../src/gfn/environments/mod.ts");
    return { environment: builtInEnvironments.get("expression")!({ ...rest, maxLength }) };
  },
});
