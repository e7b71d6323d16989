/** Stage kind `simulate`: many data sets of a space kind, with the log rewards of their programs. */
import { z } from "../../src/base/zod.ts";
import { declareStage, filePath } from "../../src/pipeline/contract/mod.ts";
import { growthFamilies, mostPredictors, spaceKinds } from "../../src/gfn/settings/mod.ts";
import { port, ports } from "../ports/mod.ts";
import { checkDrawn, drawnShape } from "./drawn_keys.ts";

const table = z.strictObject({
  path: filePath().describe("the data file"),
  response: z.string().describe("the column that is explained"),
  predictors: z.array(z.string()).min(1).max(mostPredictors).describe("columns of numbers"),
  learn: z.boolean().default(false).describe("whether it is learned from, not held out"),
});

const params = z.strictObject({
  space: z.enum(spaceKinds).default("regression").describe("space kind of the programs"),
  families: z.array(z.enum([...growthFamilies, "poisson", "bernoulli", "binomial"])).optional()
    .describe(
      "families of the programs, all that space and family have; usually left out",
    ),
  data_sets: z.int().min(0).describe("data sets to learn from; 0 where tables are all there is"),
  held_out: z.int().min(0).default(300).describe("further ones, kept from training"),
  programs: z.int().min(2).max(4096).default(256)
    .describe("programs of a data set to learn from that are scored at most; all of one held out"),
  rewards: z.enum(["quick", "engine"]).default("quick").describe(
    "of what is learned from: closed forms of regressions, sites of other families, importance draws " +
      "of growth; or, of " +
      "growth, executions by the engine, as those held out have",
  ),
  most_predictors: z.int().min(1).max(mostPredictors).default(mostPredictors)
    .describe("of any data set that the policy will be asked about"),
  tables: z.array(table).default([])
    .describe("real tables that are held out beside them, or learned from"),
  ...drawnShape,
}).superRefine(checkDrawn);

export default declareStage({
  kind: "simulate",
  version: 1,
  description:
    "Draws many data sets of a space kind, and scores their programs: regressions by closed " +
    "forms and sites, growth by the engine.",
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
