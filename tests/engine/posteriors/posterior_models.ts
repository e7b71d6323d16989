/** The models of tests/golden/posteriors.json: texts, data, and long runs of PyMC. */
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { readGolden } from "../../numerics/math/ulp.ts";

/** Statistics of one parameter, one number per element, each with its `_mcse`. */
export interface Reference {
  readonly shape: readonly number[];
  readonly [statistic: string]: readonly number[];
}

/** One model. */
export interface GoldenModel {
  readonly name: string;
  readonly text: string;
  readonly response: string;
  readonly response_type: "real" | "count" | "binary";
  readonly data: Readonly<Record<string, readonly number[]>>;
  readonly rhat_max: number;
  readonly quantities: Readonly<Record<string, Reference>>;
}

/** All of them. */
export const goldenModels =
  readGolden<{ readonly models: readonly GoldenModel[] }>("posteriors.json").models;

/** The data of a model, with another response if one is given. */
export function datasetOf(model: GoldenModel, response?: Float64Array): Dataset {
  const columns = Object.entries(model.data).map(([name, values]): Column => {
    const isResponse = name === model.response;
    return {
      name,
      role: isResponse ? "response" : "predictor",
      type: isResponse ? model.response_type : "real",
      values: isResponse && response ? response : Float64Array.from(values),
    };
  });
  return makeDataset(model.name, columns);
}
