/** Numbers that a data set states, so that they need no search. */
import type { Dataset } from "../../../base/dataset.ts";

/** Levels that a loop may name. */
const fewLevels = 8;

/** Numbers that the data state: rows, levels, and the ends of predictors. */
export function statedBy({ rows, columns }: Dataset): ReadonlySet<number> {
  const stated = new Set([rows, rows - 1]);
  for (const { role, values, categories } of columns) {
    if (categories) stated.add(categories.length);
    for (let code = 0; code < Math.min(fewLevels, categories?.length ?? 0); code++) {
      stated.add(code);
    }
    if (role === "response" || role === "ignore") continue;
    let [low, high] = [Infinity, -Infinity];
    for (const one of values) [low, high] = [Math.min(low, one), Math.max(high, one)];
    stated.add(low).add(high);
  }
  return stated;
}
