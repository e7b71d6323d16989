/** Stage kind `model_space`: an environment of regressions, from a formula and the data. */
import { z } from "../../src/base/zod.ts";
import { familyNames } from "../../src/gfn/spaces/regression/family_names.ts";
import { declareStage } from "../../src/pipeline/contract/stage.ts";
import { port, ports } from "../ports/mod.ts";

const probability = z.number().gt(0).lt(1);

export default declareStage({
  kind: "model_space",
  version: 1,
  description: "Writes a grammar of models from a formula whose brackets are in question.",
  params: z.strictObject({
    space: z.literal("regression").default("regression").describe("the kind of models"),
    formula: z.string().describe("`y ~ [x | poly(x, 2)] + [z] + (1 | group)`"),
    families: z.array(z.enum(familyNames)).min(1)
      .refine((names) => new Set(names).size === names.length, "a family stands twice")
      .describe("distributions of the response, equally likely a priori"),
    priors: z.record(z.string(), z.union([probability, z.record(z.string(), probability)]))
      .optional().describe("prior probability of `in`, or of each answer, by question"),
    margins: z.boolean().default(true)
      .describe("whether an interaction wants the terms that it is made of"),
  }),
  inputs: { data: port(ports.dataset, "what the models are of") },
  checks: true,
  outputs: { environment: port(ports.environment, "the environment that the models span") },
});
