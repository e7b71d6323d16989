/** Numbers of a data set of growth by which data unlike those of training are told apart. */
import type { Detected } from "../detector.ts";
import { growthSizes, ownSizes } from "./growth_sizes.ts";
import type { GrowthSummary } from "./growth_summary.ts";

/** Numbers of the whole, those of the program that is foretold best, and means over programs. */
export function growthNumbers({ rows, data, features, foretold }: GrowthSummary): Detected {
  const count = foretold.length;
  const best = foretold.indexOf(0);
  const at = (m: number, c: number) => features[m * growthSizes.program + c];
  const places = Array.from({ length: ownSizes.program }, (_, c) => c);
  const means = places.map((c) =>
    foretold.reduce((sum, _, m) => sum + at(m, c), 0) / Math.max(1, count)
  );
  const numbers = [
    ...data.slice(0, ownSizes.data),
    ...places.slice(1).map((c) => at(best, c)),
    ...means,
  ];
  return { rows, predictors: 1, numbers };
}
