/** The host's null program: a constant with plain noise, against which failures are measured. */
import { type Column, type Dataset, responseColumn } from "../../../base/dataset.ts";

/**
 * The text of a PyMC program that explains the response by a constant: with normal noise if it is
 * real, by one rate of negative binomial counts, of binomial ones where the data have trials, or of
 * a Bernoulli or categorical distribution. Weak priors take their scale from the response: ten standard
 * deviations around the mean for a location, five for the noise, rounded to three digits.
 *
 * @throws internal, if the data set has no response.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { nullProgram } from "./null_program.ts";
 * const values = Float64Array.of(1, 2, 3);
 * const data = makeDataset("three", [{ name: "y", role: "response", type: "real", values }]);
 * assert.ok(nullProgram(data).includes('mu = pm.Normal("mu", 2.00, 10.0)'));
 * const counts = makeDataset("three", [{ name: "y", role: "response", type: "count", values }]);
 * assert.ok(nullProgram(counts).includes("pm.NegativeBinomial"));
 * ```
 */
export function nullProgram(dataset: Dataset): string {
  const response = responseColumn(dataset);
  if (!response) throw new Error("internal: a data set without a response has no null program");
  const trials = dataset.columns.find(({ role }) => role === "trials");
  const observed = `observed=data[${JSON.stringify(response.name)}]`;
  const lines = statements(response, trials, observed).map((line) => `    ${line}`);
  return ["import pymc as pm", "", "with pm.Model() as model:", ...lines, ""].join("\n");
}

function statements(response: Column, trials: Column | undefined, observed: string): string[] {
  switch (response.type) {
    case "real":
      return normal(response, observed);
    case "count":
      return trials ? binomial(trials, observed) : negativeBinomial(response, observed);
    case "binary":
      return ['p = pm.Beta("p", 1, 1)', `pm.Bernoulli("y", p=p, ${observed})`];
    case "category":
      return categorical(response, observed);
  }
}

function normal({ values }: Column, observed: string): string[] {
  const { mean, sd } = momentsOf(values);
  return [
    `mu = pm.Normal("mu", ${digits(mean)}, ${digits(10 * sd)})`,
    `sigma = pm.HalfNormal("sigma", ${digits(5 * sd)})`,
    `pm.Normal("y", mu=mu, sigma=sigma, ${observed})`,
  ];
}

function binomial({ name }: Column, observed: string): string[] {
  const n = `n=data[${JSON.stringify(name)}]`;
  return ['p = pm.Beta("p", 1, 1)', `pm.Binomial("y", ${n}, p=p, ${observed})`];
}

function negativeBinomial({ values }: Column, observed: string): string[] {
  const { mean } = momentsOf(values);
  return [
    `mu = pm.HalfNormal("mu", ${digits(10 * (mean > 0 ? mean : 1))})`,
    'alpha = pm.HalfNormal("alpha", 10)',
    `pm.NegativeBinomial("y", mu=mu, alpha=alpha, ${observed})`,
  ];
}

function categorical({ values, categories }: Column, observed: string): string[] {
  const count = categories?.length ?? values.reduce((most, x) => x > most ? x : most, 0) + 1;
  const ones = Array.from({ length: count }, () => "1.0").join(", ");
  return [`p = pm.Dirichlet("p", a=[${ones}])`, `pm.Categorical("y", p=p, ${observed})`];
}

function momentsOf(values: Float64Array): { mean: number; sd: number } {
  const n = Math.max(1, values.length);
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const squares = values.reduce((sum, x) => sum + (x - mean) * (x - mean), 0);
  const sd = Math.sqrt(squares / Math.max(1, n - 1));
  return { mean, sd: sd > 0 ? sd : 1 };
}

const digits = (x: number): string => x.toPrecision(3);
