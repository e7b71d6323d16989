/** Settings of simulated data sets: the distributions that they are drawn from. */
import { z } from "../../base/zod.ts";
import { regressionFamilies } from "./regression_families.ts";

/** A pair of numbers in rising order, between which is drawn. */
export const range = (least: number, most: number) =>
  z.tuple([z.number().min(least).max(most), z.number().min(least).max(most)])
    .refine(([a, b]) => a <= b, "wanted the smaller number first");

/** Most predictors of a vocabulary: all programs of one data set can be listed. */
export const mostPredictors = 12;

/** How data sets are drawn, as a pipeline says it. */
export const simulation = z.strictObject({
  family: z.enum(regressionFamilies).default("normal")
    .describe("of the response; binomial has Bernoulli's single trials among its data sets"),
  rows: range(4, 10_000).default([20, 200]).describe("rows; their logarithm is uniform"),
  predictors: range(1, mostPredictors).default([2, 8]).describe("predictors, uniform"),
  correlation: range(0, 0.99).default([0, 0.9]).describe("of neighbours among the predictors"),
  explained: range(0, 0.99).default([0, 0.95])
    .describe("share of the response's variance that predictors have; uniform"),
  sparsity: range(0, 1).default([0.1, 0.9])
    .describe("share of predictors whose effect is not 0; uniform"),
  tails: z.number().min(0).max(1).default(0.2)
    .describe(
      "share of data sets whose noise is Student's t with 4 degrees of freedom; of counts those " +
        "whose rates vary beside what predictors explain",
    ),
  counts: range(0.1, 1000).default([0.5, 20])
    .describe("mean counts of poisson, most trials of binomial: their logarithm is uniform"),
  shapes: z.number().min(0).max(1).default(0.3)
    .describe("share of predictors that are binary, skewed or heavy-tailed instead of normal"),
  missing: range(0, 0.5).default([0, 0.05]).describe("share of cells that are missing; uniform"),
});

/** How data sets are drawn. */
export type Simulation = z.output<typeof simulation>;
