/** Stage kind `model_space`: an environment of models of a field, from a formula and the data. */
import { z } from "../../src/base/zod.ts";
import { allCurves, allFamilies, kernelNames, spaceNames } from "../../src/gfn/spaces/mod.ts";
import { declareStage } from "../../src/pipeline/contract/mod.ts";
import { port, ports } from "../ports/mod.ts";

const probability = z.number().gt(0).lt(1);
const widths = z.array(z.number().positive()).min(1);

function names(known: readonly string[]) {
  return z.array(z.enum([...known])).min(1)
    .refine((all) => new Set(all).size === all.length, "a name stands twice");
}

export default declareStage({
  kind: "model_space",
  version: 1,
  description:
    "Writes a grammar of models of a field from a formula, whose brackets are in question.",
  params: z.strictObject({
    space: z.enum(spaceNames).default("regression").describe("the kind of models"),
    formula: z.string().describe("`y ~ [x | poly(x, 2)] + [z] + (1 | group)`; `size ~ age`"),
    families: names(allFamilies).optional()
      .describe(
        "distributions of the response, equally likely a priori; the usual ones if not said",
      ),
    curves: names(allCurves).optional()
      .describe(
        "of growth and dose_response: the curves, equally likely; all that suit if not said",
      ),
    kernels: names(kernelNames).optional()
      .describe("of gaussian_process: kernels that are added and multiplied"),
    depth: z.union([z.literal(1), z.literal(2)]).optional()
      .describe("of gaussian_process: 1 for kernels alone, 2 with sums and products of two"),
    period: z.number().positive().optional()
      .describe("of time_series and gaussian_process: of the season, in units of the column"),
    priors: z.record(
      z.string(),
      z.union([
        probability,
        widths,
        z.string(),
        z.record(z.string(), z.union([probability, widths])),
      ]),
    ).optional().describe(
      "by question: probability of `in`, or of each answer; width = [0.5, 1, 2]: widths of priors; by " +
        'parameter: "b[age]" = "Normal(0, 1)"',
    ),
    effects: z.enum(["terms", "all"]).default("terms").describe(
      "of regression: effects of the terms, or all with the intercept and the parameters of families",
    ),
    margins: z.boolean().default(true)
      .describe("whether an interaction wants the terms that it is made of"),
  }),
  inputs: { data: port(ports.dataset, "the data of the models") },
  checks: true,
  outputs: { environment: port(ports.environment, "the environment that the models span") },
  uses: ["executor"],
});
