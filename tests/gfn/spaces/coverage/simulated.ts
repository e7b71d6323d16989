/** Simulated data of a regression whose truth is known: a strong term, a weak one, and none. */
import { type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import { fillNormal } from "../../../../src/base/math/random_normal.ts";
import type { Rows } from "./fresh_rows.ts";

/** Names and effects of the terms, of noise 1. */
export const truth = { strong: 0.8, weak: 0.2, absent: 0 } as const;
/** Name of a term. */
export type TermName = keyof typeof truth;
/** The names, in their order. */
export const termNames = Object.keys(truth) as TermName[];

/** Rows of independent standard normal predictors: `x` has a column for each term. */
export function simulate(rows: number, ...key: readonly (string | number)[]): Rows {
  const random = new RandomStream("spaces", ...key);
  const width = termNames.length + 1;
  const drawn = new Float64Array(rows * width);
  fillNormal(random, drawn);
  const x = Array.from(
    { length: rows },
    (_, i) => [...drawn.slice(i * width, (i + 1) * width - 1)],
  );
  const y = x.map((row, i) =>
    row.reduce((sum, value, k) => sum + truth[termNames[k]] * value, drawn[(i + 1) * width - 1])
  );
  return { x, y };
}

/** The same as a data set. */
export function datasetOf({ x, y }: Rows): Dataset {
  const predictors = termNames.map((name, k) => ({
    ...{ name, role: "predictor", type: "real" } as const,
    values: Float64Array.from(x, (row) => row[k]),
  }));
  const response = { name: "y", role: "response", type: "real", resolution: "continuous" } as const;
  return makeDataset("simulated", [{ ...response, values: Float64Array.from(y) }, ...predictors]);
}
