/** Settings of simulated data sets of growth: the distributions that they are drawn from. */
import { z } from "../../../base/zod.ts";
import { range } from "../simulation.ts";

/** Settings of simulated data sets of growth, as a pipeline writes them. */
export const growthSimulation = z.strictObject({
  rows: range(8, 10_000).default([12, 120]).describe(
    "least and most rows; their logarithm is uniform",
  ),
  explained: range(0.05, 0.999).default([0.4, 0.98])
    .describe("share of the sizes' variance that the curve has; uniform"),
  born: z.number().min(0).max(1).default(0.1)
    .describe("growth: share of data sets with ages of 0, where some curves are undefined"),
});

/** Settings of simulated data sets of growth, read. */
export type GrowthSimulation = z.output<typeof growthSimulation>;
