/** Every threshold decides something that a small run shows, or is shown to decide nothing. */
import assert from "node:assert/strict";
import {
  type ThresholdName,
  thresholdNames,
  thresholdRecord,
  thresholds,
  withThresholds,
} from "../../../src/engine/loo/thresholds.ts";
import { type Direction, factors, knownEffects, unmovedBy } from "./threshold_effects.ts";

const remedy = "where that is meant: deno run -A tests/engine/loo/threshold_effects.ts";
const effects = knownEffects();
const directions = Object.keys(factors) as Direction[];

/** Guards that several files read, and that a small run comes near to no one of. */
const limits: readonly ThresholdName[] = [
  ...["alwaysAllowed", "freshTune", "closedFormEvaluations", "cellDraws", "cellError"] as const,
];

Deno.test("every threshold has the value that is kept", () => {
  const kept = Object.fromEntries(thresholdNames.map((name) => [name, effects[name]?.value]));
  assert.deepEqual(kept, { ...thresholds }, remedy);
});

Deno.test("every threshold has a source", () => {
  for (const name of thresholdNames) {
    const { source } = thresholdRecord[name];
    assert.ok(source.endsWith(".") && source.length > 10, name);
  }
});

Deno.test("a threshold is another one for the duration of a call, whatever comes of that", () => {
  const before = { ...thresholds };
  assert.equal(withThresholds({ climbs: 7 }, () => thresholds.climbs), 7);
  const failing = () => {
    throw new Error("inside");
  };
  assert.throws(() => withThresholds({ climbs: 7, minRounds: 1 }, failing), /inside/);
  assert.deepEqual({ ...thresholds }, before);
});

Deno.test("another value of a threshold changes what its run says", () => {
  const first = (name: ThresholdName) => directions.filter((one) => effects[name][one]).slice(0, 1);
  assert.deepEqual(unmovedBy(first), [], remedy); // the long tests take the other direction, too
});

Deno.test("a threshold that no small run shows is a guard that several files read", () => {
  const without = thresholdNames.filter((name) =>
    effects[name].halved === null && effects[name].doubled === null
  );
  assert.deepEqual(without.toSorted(), limits.toSorted());
});
