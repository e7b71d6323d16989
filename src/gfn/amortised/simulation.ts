/** Settings of simulated data sets: the distributions that they are drawn from. */
import { z } from "../../base/zod.ts";
import { regressionFamilies } from "./regression_families.ts";

/** A pair of numbers in rising order, between which is drawn. */
export const range = (least: number, most: number) =>
  z.tuple([z.number().min(least).max(most), z.number().min(least).max(most)])
    .refine(([a, b]) => a <= b, "wanted the smaller number first");

/** Most predictors of a vocabulary: all programs of one data set can be enumerated. */
export const mostPredictors = 12;

/** Settings of simulated data sets, as a pipeline writes them. */
export const simulation = z.strictObject({
  family: z.enum(regressionFamilies).default("normal")
    .describe("family of the response; binomial includes single trials"),
  rows: range(4, 10_000).default([20, 200]).describe(
    "least and most rows; their logarithm is uniform",
  ),
  predictors: range(1, mostPredictors).default([2, 8]).describe(
    "fewest and most predictors; uniform",
  ),
  correlation: range(0, 0.99).default([0, 0.9]).describe("correlation of neighbouring predictors"),
  explained: range(0, 0.99).default([0, 0.95])
    .describe("share of the response's variance that predictors explain; uniform"),
  sparsity: range(0, 1).default([0.1, 0.9])
    .describe("share of predictors with an effect; uniform"),
  tails: z.number().min(0).max(1).default(0.2)
    .describe(
      "share of data sets with Student's t noise of 4 degrees of freedom, or overdispersed counts",
    ),
  counts: range(0.1, 1000).default([0.5, 20])
    .describe("mean counts of poisson, most trials of binomial; their logarithm is uniform"),
  shapes: z.number().min(0).max(1).default(0.3)
    .describe("share of predictors that are binary, skewed or heavy-tailed"),
  missing: range(0, 0.5).default([0, 0.05]).describe(
    "share of missing cells, whose rows are left out; uniform",
  ),
});

/** Settings of simulated data sets, read. */
export type Simulation = z.output<typeof simulation>;
