/** Settings of the network of a policy for many data sets. */
import { z } from "../../base/zod.ts";

/** Parameters of the network in a pipeline. */
export const networkShape = z.strictObject({
  layers: z.int().min(1).max(8).default(2).describe("layers of attention over predictors"),
  width: z.int().min(8).max(256).multipleOf(4).default(32).describe(
    "numbers in a predictor's token",
  ),
  hidden: z.int().min(8).max(512).default(48).describe(
    "hidden units of the state flow",
  ),
});

/** Sizes of a network. */
export type NetworkShape = z.output<typeof networkShape>;
