/** Interface of a space's simulation: data whose law is known, and fresh rows with their probabilities. */
import { type Column, type Dataset, makeDataset } from "../../../../src/base/dataset.ts";
import type { SpaceSpec } from "../../../../src/gfn/spaces/space_spec.ts";

/** Rows that were not seen, with the probability that the true law gives to each. */
export interface FreshRows {
  /** As those of the data set. */
  readonly columns: readonly Column[];
  /** `[rows]`, summing to 1. */
  readonly weights: Float64Array;
}

/** A claim of a program: one of these answers to one of these questions. */
export type Claim = readonly { readonly question: string; readonly answers: readonly string[] }[];

/** One simulated data set. */
export interface SimulatedSet {
  readonly dataset: Dataset;
  /** Absent where the rows are judged by those before them, which fresh rows have not. */
  readonly fresh?: FreshRows;
  /** By question, the answers of the model that made the data. */
  readonly truth: Readonly<Record<string, string>>;
  /** A strong effect in these data: found if its target is ≥ 0.9. */
  readonly strong?: Claim;
  /** An effect that these data lack: claimed falsely if its target is > 0.9. */
  readonly absent?: Claim;
}

/** A space and a law of data sets. */
export interface Simulation {
  readonly spec: SpaceSpec;
  /** Description of the data, for the table. */
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
