/** Stage kind `simulate`: many data sets of a space kind, with the log rewards of their programs. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { growthFamilies, mostPredictors, spaceKinds } from "../../src/gfn/settings/mod.ts";
import { port, ports } from "../ports/mod.ts";
import { checkDrawn, drawnShape } from "./drawn_keys.ts";

const table = z.strictObject({
  path: filePath().describe("the data file"),
  response: z.string().describe("column of the response"),
  predictors: z.array(z.string()).min(1).max(mostPredictors).describe("columns of numbers"),
  learn: z.boolean().default(false).describe("whether the policy learns from it"),
});

const params = z.strictObject({
  space: z.enum(spaceKinds).default("regression").describe("kind of models: see model_space"),
  families: z.array(z.enum([...growthFamilies, "poisson", "bernoulli", "binomial"])).optional()
    .describe(
      "families of the programs (default: all of space and family)",
    ),
  data_sets: z.int().min(0).describe("data sets to learn from; 0 if there are only tables"),
  held_out: z.int().min(0).default(300).describe("further data sets, kept from training"),
  programs: z.int().min(2).max(4096).default(256)
    .describe("most programs scored of a training data set; a held-out one has all scored"),
  rewards: z.enum(["quick", "engine"]).default("quick").describe(
    "rewards of training data sets; quick: closed forms and sites of regressions, importance draws " +
      "of growth; engine: executes growth",
  ),
  most_predictors: z.int().min(1).max(mostPredictors).default(mostPredictors)
    .describe("most predictors of any data set for the policy"),
  tables: z.array(table).default([])
    .describe("real tables, held out or learned from"),
  ...drawnShape,
}).superRefine(checkDrawn);

export default declareStage({
  kind: "simulate",
  version: 1,
  description: "Draws many data sets of a kind of models, and scores their programs.",
  params,
  inputs: {},
  outputs: {
    datasets: port(ports.datasets, "the data sets and the log rewards of their programs"),
    questions: port(
      ports.environment,
      "questions about any of them: which predictors are in; which curve and noise",
    ),
  },
  random: true,
  uses: ["executor"],
});
