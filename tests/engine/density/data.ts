/** Data sets of the tests. */
import { readFileSync } from "node:fs";
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";

/** Columns of numbers; the last one is the response. */
export function datasetOf(
  name: string,
  columns: Readonly<Record<string, readonly number[]>>,
  resolution?: number,
): Dataset {
  const names = Object.keys(columns);
  return makeDataset(
    name,
    names.map((column, k): Column => ({
      name: column,
      role: k === names.length - 1 ? "response" : "predictor",
      type: "real",
      values: Float64Array.from(columns[column]),
      ...(k === names.length - 1 && resolution !== undefined ? { resolution } : {}),
    })),
  );
}

/** The 27 dugongs: age in years, length in metres, recorded to the centimetre. */
export function dugongs(resolution?: number): Dataset {
  const text = readFileSync(new URL("../../../data/dugongs.csv", import.meta.url), "utf8");
  const rows = text.trim().split("\n").slice(1).map((line) => line.split(",").map(Number));
  const [age, length] = [0, 1].map((k) => rows.map((row) => row[k]));
  return datasetOf("dugongs", { age, length }, resolution);
}
