/** Numbers of a data set of growth, by which the detector finds data unlike those of training. */
import type { Detected } from "../detector.ts";
import { growthSizes, ownSizes } from "./growth_sizes.ts";
import type { GrowthSummary } from "./growth_summary.ts";

/**
 * The share that is explained, and means over programs. Those of one program and of the ages spread so
 * widely in training that an outlier is within their bounds.
 */
export function growthNumbers({ rows, data, features, foretold }: GrowthSummary): Detected {
  const count = foretold.length;
  const means = Array.from(
    { length: ownSizes.program },
    (_, c) =>
      foretold.reduce((sum, _, m) => sum + features[m * growthSizes.program + c], 0) /
      Math.max(1, count),
  );
  return { rows, predictors: 1, numbers: [data[1], ...means] };
}
