/** Small data sets in the form of those that the programs of the corpus were written for. */
import {
  type Column,
  type ColumnType,
  type Dataset,
  makeDataset,
} from "../../../src/base/dataset.ts";

function predictor(name: string, ...values: number[]): Column {
  return { name, role: "predictor", type: "real", values: Float64Array.from(values) };
}

function response(name: string, type: ColumnType, ...values: number[]): Column {
  const resolution = type === "count" ? { resolution: 1 } : {};
  return { name, role: "response", type, values: Float64Array.from(values), ...resolution };
}

/** Programs of the corpus whose rows have an order: walks, autoregressions and lags. */
export const orderedPrograms: ReadonlySet<string> = new Set([
  "stochastic volatility",
  "autoregression of a latent level",
  "a random walk",
  "lagged predictors and slices",
]);

/** How a program of the corpus is to be checked. */
export function rowsOf(title: string): "ordered" | "exchangeable" {
  return orderedPrograms.has(title) ? "ordered" : "exchangeable";
}

/** By the name of the corpus file. */
export const datasets: Readonly<Record<string, Dataset>> = {
  dugongs: makeDataset("dugongs", [
    predictor("x", 1, 1.5, 2.5, 4, 5),
    response("Y", "real", 1.8, 1.9, 2.2, 2.4, 2.5),
  ]),
  peregrines: makeDataset("peregrines", [
    predictor("year", 0, 1, 2, 3, 4),
    response("C", "count", 90, 120, 0, 140, 110),
  ]),
  death_process: makeDataset("death_process", [
    predictor("x", 0.1, 0.5, 1, 1.5),
    response("infection_num", "count", 3, 20, 31, 40),
  ]),
  choices: makeDataset("choices", [
    predictor("ir", 10, 50, 30, 80),
    predictor("dr", 20, 60, 90, 85),
    predictor("days", 30, 200, 7, 90),
    response("Choice", "binary", 0, 0, 1, 0),
  ]),
  irt: makeDataset("irt", [
    predictor("student_id", 3, 1, 2, 0, 5, 4),
    predictor("question_id", 5, 4, 3, 2, 1, 0),
    response("correctness", "binary", 0, 1, 1, 0, 1, 0),
  ]),
  survival: makeDataset("survival", [
    predictor("metastasized_status", 0, 1, 1, 0),
    predictor("time_surgery", 0.5, 3.2, 8, 6.1),
    response("outcome", "binary", 1, 1, 0, 0),
  ]),
  location: makeDataset("location", [
    predictor("x1", 0.5, -1, 1.5),
    predictor("x2", 0.25, 2, -1.5),
    response("y", "real", 1.9, 0.4, 2.2),
  ]),
  morals: makeDataset("morals", [
    predictor("gender", 0, -1, 1, 0),
    predictor("age", 1, 0, -2, 1),
    predictor("fitness", 0, 1, 1, -1),
    response("choice", "binary", 1, 0, 1, 1),
  ]),
  gallery: makeDataset("gallery", [
    { ...predictor("x", 0.5, -1, 1.5, 2, 0, -0.5), shape: [6] },
    { ...predictor("group", 0, 1, 2, 1, 0, 2), shape: [6] },
    { ...predictor("n", 9, 8, 9, 8, 12, 7), shape: [6] },
    { ...response("y", "count", 2, 1, 4, 7, 0, 3), shape: [6] },
  ]),
  published: makeDataset("published", [
    { ...predictor("J", 5), shape: [] },
    { ...predictor("sigma", 15, 10, 16, 11, 9), shape: [5] },
    { ...predictor("group", 0, 1, 2, 1, 0), shape: [5] },
    { ...predictor("X", 1, 2, 3, 4, 5, 6, 0.5, 8, 9, 1), shape: [5, 2] },
    { ...response("y", "real", 28, 8, -3, 7, -1), shape: [5] },
  ]),
};
