/** Stage kind `evaluate_amortised`: a policy for many data sets against counting, on those held out. */
import { z } from "../../src/base/zod.ts";
import { declareStage } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

export default declareStage({
  kind: "evaluate_amortised",
  version: 1,
  description:
    "Compares a policy for many data sets with enumeration, on data sets outside its training.",
  params: z.strictObject({
    rows: z.array(z.int().positive()).default([50, 100])
      .describe("bounds between strata of the number of rows"),
    explained: z.array(z.number().gt(0).lt(1)).default([0.3, 0.6])
      .describe("bounds between strata of the share of variance that all predictors explain"),
  }),
  inputs: {
    policy: port(ports.policy, "the policy, of kind amortised"),
    datasets: port(ports.datasets, "data sets, of which those held out are asked about"),
    questions: port(ports.environment, "which predictors are in, as simulate gives it"),
  },
  outputs: {
    file: port(ports.file, "the policy with its card, for sluice rank --policy"),
    evaluation: port(ports.evaluation, "measures of the policy and of what stands beside it"),
  },
});
