/** Halving or doubling any threshold moves an ELPD by no more than the errors that are reported. */
import assert from "node:assert/strict";
import { type ThresholdName, thresholdNames } from "../../src/engine/loo/thresholds.ts";
import {
  type Direction,
  factors,
  isMeant,
  outcome,
  unmovedBy,
} from "../engine/loo/threshold_effects.ts";
import { scenarios } from "../engine/loo/threshold_scenarios.ts";

/** Result of a scenario that estimates an ELPD. */
interface Estimate {
  readonly method?: string;
  readonly elpd: number;
  readonly mcse: number;
}

/**
 * Constants of published formulas and of grids: twice or half of them is another formula.
 */
const formulas: readonly ThresholdName[] = [
  ...["gridSpacing", "maxTailShape", "maxGoodK", "paretoPriorK", "variateFolds"] as const,
  "wideShare",
];

function estimateOf(text: string): Estimate | undefined {
  if (text.startsWith("throws")) return undefined;
  const found = JSON.parse(text);
  return typeof found?.elpd === "number" ? found : undefined;
}

Deno.test("halved and doubled, a threshold changes what its run says", () => {
  assert.deepEqual(unmovedBy(() => Object.keys(factors) as Direction[]), []);
});

/** Errors apart that two estimates may be from draws of their own: 4 in some thousand comparisons. */
const apart = 4.5;

for (const scenario of Object.keys(scenarios)) {
  const base = estimateOf(outcome(scenario));
  if (!base) continue;
  Deno.test(`${scenario}: no threshold moves the estimate by more than its error`, () => {
    const moved: string[] = [];
    for (const name of thresholdNames) {
      if (formulas.includes(name)) continue;
      for (const direction of Object.keys(factors) as Direction[]) {
        if (!isMeant(name, direction)) continue;
        const other = estimateOf(outcome(scenario, name, direction));
        if (!other) continue; // no estimate is an answer too
        const error = Math.hypot(base.mcse, other.mcse, 0.01);
        const distance = Math.abs(other.elpd - base.elpd) / error;
        if (!(distance <= apart)) moved.push(`${name} ${direction}: ${distance.toFixed(1)} errors`);
      }
    }
    assert.deepEqual(moved, []);
  });
}
