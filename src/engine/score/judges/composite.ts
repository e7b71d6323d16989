/** The judge `composite`: several judges of texts as one, by a weighted sum or a product of powers. */
import { log } from "../../../numerics/math/mod.ts";
import { defineJudge, type Judge } from "./judge.ts";

/** A judge and its weight in the whole. */
export interface CompositePart {
  readonly judge: Judge;
  readonly weight: number;
}

/** Scores below this count as it, so that the logarithm of a product is finite. */
const leastFactor = 1e-3;

/**
 * `sum`: Σ weight × score. `log_product`: Σ weight × log score, the logarithm of a product of
 * powers, to which a part of score 0 takes nearly all; scores count as 0.001 at least. There is no
 * score where a part has none.
 */
export function compositeJudge(
  name: string,
  by: "sum" | "log_product",
  parts: readonly CompositePart[],
): Judge {
  const value = by === "sum"
    ? (score: number) => score
    : (score: number) => log(Math.max(leastFactor, score));
  return defineJudge({
    name,
    version: 1,
    uses: "text",
    bounds: [boundOf(parts, value, Math.min), boundOf(parts, value, Math.max)],
    questions: parts.flatMap(({ judge }) => judge.questions ?? []),
    judge(...asked) {
      const components: Record<string, number> = {};
      let [sum, silent] = [0, false];
      for (const { judge, weight } of parts) {
        const said = judge.judge(...asked);
        if (said.unanswered) silent = true;
        else {
          sum += weight * value(said.logReward);
          components[judge.name] = said.logReward;
        }
        components[`${judge.name}.weight`] = weight;
        components[`${judge.name}.version`] = judge.version;
        for (const [key, one] of Object.entries(said.components ?? {})) {
          components[`${judge.name}.${key}`] = one;
        }
      }
      return { logReward: silent ? NaN : sum, components, ...(silent && { unanswered: true }) };
    },
  });
}

/** Least or most that a weighted sum of parts can be. */
function boundOf(
  parts: readonly CompositePart[],
  value: (score: number) => number,
  choose: (...values: number[]) => number,
): number {
  return parts.reduce((sum, { judge: { bounds = [0, 1] }, weight }) => {
    return sum + choose(weight * value(bounds[0]), weight * value(bounds[1]));
  }, 0);
}
