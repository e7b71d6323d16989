/** Texts of programs about the dugongs, and numbers written as Python reads them. */
import type { Dataset } from "../../../../src/base/dataset.ts";

/** A program with these statements before its model and inside. */
export function model(inside: readonly string[], before: readonly string[] = []): string {
  return [
    "import numpy as np",
    "import pymc as pm",
    ...before,
    "with pm.Model() as model:",
    ...inside.map((line) => `    ${line}`),
    "",
  ].join("\n");
}

/** The honest curve that tricks are laid over: logarithmic growth with normal noise. */
export const curve: readonly string[] = [
  'a = pm.Normal("a", 1.7, 0.5)',
  'b = pm.HalfNormal("b", 1)',
  's = pm.Exponential("s", 10)',
  'mu = a + b * np.log(data["age"])',
];

/** The likelihood of a curve with noise. */
export const observed = 'pm.Normal("length", mu, s, observed=data["length"])';

/** ELPD-LOO of the curve with that likelihood, from twelve seeds of 4 × 2,000 draws by PyMC 5.28.5. */
export const curveElpd = 24.92;

/** The response of a data set. */
export function response(data: Dataset): readonly number[] {
  return [...data.columns.find(({ role }) => role === "response")!.values];
}

/** A list of numbers as a Python display. */
export function list(values: readonly number[], digits = 17): string {
  return `[${values.map((value) => Number(value.toPrecision(digits))).join(", ")}]`;
}
