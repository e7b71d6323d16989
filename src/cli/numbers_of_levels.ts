/** The numbers that stand for the levels or words of a response, of which predictions are means. */
import { type Dataset, responseColumn } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";

/**
 * The numbers of ordered levels, or of a yes and no, in words; undefined for a response of numbers.
 *
 * @throws InputError `predict/levels` for levels without an order, which have no mean.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { numbersOfLevels } from "./numbers_of_levels.ts";
 * const values = Float64Array.of(0, 1);
 * const levels = { role: "response", type: "category", categories: ["no", "yes"], values } as const;
 * const words = (ordered?: true) =>
 *   numbersOfLevels(makeDataset("asked", [{ name: "sat", ...levels, ...(ordered && { ordered }) }]));
 * assert.equal(words(true), "levels of sat are numbers: 0 is no, 1 is yes");
 * assert.throws(() => words(), /its levels have no order/);
 * const hit = { name: "hit", role: "response", type: "binary", words: ["no", "yes"], values } as const;
 * assert.match(numbersOfLevels(makeDataset("asked", [hit]))!, /1 is yes/);
 * ```
 */
export function numbersOfLevels(dataset: Dataset): string | undefined {
  const { name, categories, ordered, words } = responseColumn(dataset)!;
  const levels = categories ?? words;
  if (!levels) return undefined;
  const numbers = levels.map((level, k) => `${k} is ${level}`).join(", ");
  if (ordered || words) return `levels of ${name} are numbers: ${numbers}`;
  const message = `Cannot predict "${name}": its levels have no order, and so no mean`;
  const hint = "give a file of rows, --at rows.csv, for the probability of each level there";
  throw inputError("predict/levels", message, undefined, hint);
}
