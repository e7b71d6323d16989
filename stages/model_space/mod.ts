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
    "Writes a grammar of models from the data and a formula whose brackets are uncertain terms.",
  params: z.strictObject({
    space: z.enum(spaceNames).default("regression").describe("kind of models"),
    formula: z.string().describe(
      "response and terms, the uncertain ones in brackets: `y ~ [x | poly(x, 2)] + [z] + (1 | group)`, `size ~ age`",
    ),
    families: names(allFamilies).optional()
      .describe(
        "distributions of the response, with equal prior probabilities (default: the usual ones)",
      ),
    curves: names(allCurves).optional()
      .describe(
        "growth, dose_response: curves, with equal prior probabilities (default: all that suit)",
      ),
    kernels: names(kernelNames).optional()
      .describe(
        "gaussian_process: kernels that are added and multiplied (default: linear, exp_quad)",
      ),
    depth: z.union([z.literal(1), z.literal(2)]).optional()
      .describe(
        "gaussian_process: 1 for single kernels, 2 for sums and products of two as well (default: 2)",
      ),
    period: z.number().positive().optional()
      .describe("time_series, gaussian_process: length of the season, in units of the column"),
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
      "regression: effects reported, of the terms alone, or also of the intercept and the parameters of families",
    ),
    margins: z.boolean().default(true)
      .describe("whether an interaction requires its main effects"),
  }),
  inputs: { data: port(ports.dataset, "the data of the models") },
  checks: true,
  outputs: { environment: port(ports.environment, "the environment that the models span") },
  uses: ["executor"],
});
