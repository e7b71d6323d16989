/** Stage kind `simulate`: many data sets of a space kind, with the log rewards of their programs. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { mostPredictors, simulation } from "../../src/gfn/settings/mod.ts";
import { port, ports } from "../ports/mod.ts";

const table = z.strictObject({
  path: filePath().describe("the data file"),
  response: z.string().describe("the column that is explained"),
  predictors: z.array(z.string()).min(1).max(mostPredictors).describe("columns of numbers"),
});

export default declareStage({
  kind: "simulate",
  version: 1,
  description: "Draws many data sets of a space kind, and scores their programs in closed form.",
  params: z.strictObject({
    space: z.literal("regression").default("regression").describe("space kind of the programs"),
    families: z.tuple([z.literal("normal")]).default(["normal"])
      .describe("families of the programs; those whose score is a closed form"),
    data_sets: z.int().positive().describe("data sets to learn from"),
    held_out: z.int().min(0).default(300).describe("further ones, kept from training"),
    programs: z.int().min(2).max(4096).default(256)
      .describe(
        "programs of a data set to learn from that are scored at most; all of one held out",
      ),
    most_predictors: z.int().min(1).max(mostPredictors).default(mostPredictors)
      .describe("of any data set that the policy will be asked about"),
    tables: z.array(table).default([])
      .describe("real tables that are held out beside them; nothing is learned from these"),
    ...simulation.shape,
  }).refine(({ predictors, most_predictors }) => predictors[1] <= most_predictors, {
    path: ["predictors"],
    message: "wanted at most most_predictors",
  }),
  inputs: {},
  outputs: {
    datasets: port(ports.datasets, "the data sets and the log rewards of their programs"),
    questions: port(ports.environment, "which predictors are in, of any of them"),
  },
  random: true,
});
