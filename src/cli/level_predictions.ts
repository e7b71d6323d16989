/** Probabilities of the levels of a categorical response at new rows. */
import type { Dataset } from "../base/dataset.ts";
import { percent } from "../report/format.ts";

/** Probability of each level of the response in one row: shares of draws, with an error of √(p (1 − p) / draws). */
export interface LevelPrediction {
  readonly probabilities: Readonly<Record<string, number>>;
}

/**
 * One prediction for each row; undefined if the response has no levels.
 *
 * @param draws `[draws, rows]`: codes of levels.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { levelPredictions } from "./level_predictions.ts";
 * const values = Float64Array.of(0, 1);
 * const response = { name: "sat", role: "response", type: "category", categories: ["no", "yes"] };
 * const data = makeDataset("asked", [{ ...response, values } as never]);
 * const [{ probabilities }] = levelPredictions(Float64Array.of(1, 0, 1, 1), 1, data)!;
 * assert.deepEqual(probabilities, { no: 0.25, yes: 0.75 });
 * ```
 */
export function levelPredictions(
  draws: Float64Array,
  rows: number,
  data: Dataset,
): LevelPrediction[] | undefined {
  const { categories } = data.columns.find(({ role }) => role === "response")!;
  if (!categories) return undefined;
  const count = draws.length / rows;
  return Array.from({ length: rows }, (_, i) => {
    const times = new Float64Array(categories.length);
    for (let s = 0; s < count; s++) times[draws[s * rows + i]]++;
    const named = categories.map((level, k) => [level, times[k] / count] as const);
    return { probabilities: Object.fromEntries(named) };
  });
}

/** Column heads of a table of such predictions. */
export function levelHeads(levels: readonly string[]): string[] {
  return levels.map((level) => `P(${level})`);
}

/** Cells of a row under these heads. */
export function levelCells({ probabilities }: LevelPrediction): string[] {
  return Object.values(probabilities).map(percent);
}
