/** What a simulation of a space gives: data whose law is known, and fresh rows with their chances. */
import { type Column, type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import type { SpaceSpec } from "../../../../src/gfn/spaces/space_spec.ts";

/** Rows that were not seen, with the probability that the true law gives to each. */
export interface FreshRows {
  /** As those of the data set. */
  readonly columns: readonly Column[];
  /** `[rows]`, summing to 1. */
  readonly weights: Float64Array;
}

/** What a program may say: one of these answers to one of these questions. */
export type Claim = readonly { readonly question: string; readonly answers: readonly string[] }[];

/** One simulated data set. */
export interface SimulatedSet {
  readonly dataset: Dataset;
  /** Absent where the rows are judged by those before them, which fresh rows have not. */
  readonly fresh?: FreshRows;
  /** By question, the answers of the model that made the data. */
  readonly truth: Readonly<Record<string, string>>;
  /** What is strong in these data: target ≥ 0.9 finds it. */
  readonly strong?: Claim;
  /** What is not in them: target > 0.9 claims it nevertheless. */
  readonly absent?: Claim;
}

/** A space and a law of data sets. */
export interface Simulation {
  readonly spec: SpaceSpec;
  /** What the data are, for the table. */
  readonly words: string;
  /** The same key gives the same set. */
  simulate(set: number, seed: number): SimulatedSet;
}

/** A column of measurements. */
export function column(
  name: string,
  role: "response" | "predictor" | "time",
  values: ArrayLike<number>,
): Column {
  const resolution = role === "response" ? { resolution: "continuous" } as const : {};
  return { name, role, type: "real", values: Float64Array.from(values), ...resolution };
}

/** A data set of these columns. */
export function datasetOf(columns: readonly Column[]): Dataset {
  return makeDataset("simulated", columns);
}

/** The same data set with fresh rows withheld, so that the engine predicts them. */
export function withFresh(dataset: Dataset, { columns, weights }: FreshRows): Dataset {
  const holdout = { rows: weights.length, columns };
  return makeDataset(dataset.name, dataset.columns, 0, holdout);
}
