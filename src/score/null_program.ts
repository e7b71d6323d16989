/** The host's null program: a constant with normal noise, against which failures are measured. */
import { type Dataset, responseColumn } from "../base/dataset.ts";

/**
 * The text of a PyMC program that explains the response by a constant with normal noise. Its weak
 * priors take their scale from the response: ten standard deviations around the mean for the
 * location, five for the noise, rounded to three digits.
 *
 * @throws internal, if the data set has no response.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { nullProgram } from "./null_program.ts";
 * const values = Float64Array.of(1, 2, 3);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * assert.ok(nullProgram(data).includes('mu = pm.Normal("mu", 2.00, 10.0)'));
 * ```
 */
export function nullProgram(dataset: Dataset): string {
  const response = responseColumn(dataset);
  if (!response) throw new Error("internal: a data set without a response has no null program");
  const { mean, sd } = momentsOf(response.values);
  return [
    "import pymc as pm",
    "",
    "with pm.Model() as model:",
    `    mu = pm.Normal("mu", ${digits(mean)}, ${digits(10 * sd)})`,
    `    sigma = pm.HalfNormal("sigma", ${digits(5 * sd)})`,
    `    pm.Normal("y", mu=mu, sigma=sigma, observed=data[${JSON.stringify(response.name)}])`,
    "",
  ].join("\n");
}

function momentsOf(values: Float64Array): { mean: number; sd: number } {
  const n = Math.max(1, values.length);
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  const sd = Math.sqrt(squares / Math.max(1, n - 1));
  return { mean, sd: sd > 0 ? sd : 1 };
}

const digits = (x: number): string => x.toPrecision(3);
