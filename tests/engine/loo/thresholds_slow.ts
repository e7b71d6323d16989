/** Every threshold decides something that a small run shows, or is shown to decide nothing. */
import assert from "node:assert/strict";
import {
  type ThresholdName,
  thresholdNames,
  thresholdRecord,
  thresholds,
  withThresholds,
} from "../../../src/engine/loo/thresholds.ts";
import { thresholdMarks, thresholdTable } from "../../../tools/threshold_table.ts";
import { type Direction, factors, knownEffects, outcome, unmovedBy } from "./threshold_effects.ts";

const remedy = "where that is meant: deno run -A tests/engine/loo/threshold_effects.ts, " +
  "tools/threshold_table.ts";
const effects = knownEffects();
const directions = Object.keys(factors) as Direction[];

/** For speed alone: no run of any length says something else. */
const speedAlone: readonly ThresholdName[] = ["rowsAtOnce", "tailSample", "tailMargin"];

/** What ends work that is too much, or guards arithmetic: a small run comes near none of them. */
const limits: readonly ThresholdName[] = [
  // draws and refits at most: an estimate that meets one has a larger error, and says so
  ...["maxDrawsForRhat", "maxDrawsToMix", "maxCellsForRhat", "maxLongFactor"] as const,
  ...["maxUnmixedDraws", "maxProposalRefits", "maxRefitsWithIntegrals"] as const,
  ...["maxIntegralEvaluations", "maxIntegralRows", "maxSpacingHalvings"] as const,
  ...["closedFormEvaluations", "latticeAttempts", "latticeErrorShare", "latticePoints"] as const,
  ...["cellDraws", "cellError"] as const, // a look at fewer draws, where cells hardly matter
  ...[
    "fieldEvaluations",
    "fieldHopeless",
    "maxStones",
    "minStoneShare",
    "maxReserveShare",
    "maxRungs",
  ] as const,
  ...["temperedRounds", "firstTemperedLook"] as const,
  ...["particleTempered", "mostParticles", "mostParticleSteps", "leastComponent"] as const,
  // how a budget is shared where it is all but used up, and goals where errors all but meet it
  ...["alwaysAllowed", "longRoom", "minErrorShare", "freshTune"] as const,
  // guards of arithmetic, and of what hardly happens
  ...["maxNats", "minLogProduct", "minArrivals"] as const,
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

Deno.test("thresholds that no small run shows are those that are known to be none of its matter", () => {
  const without = thresholdNames.filter((name) =>
    effects[name].halved === null && effects[name].doubled === null
  );
  assert.deepEqual(without.toSorted(), [...speedAlone, ...limits].toSorted());
});

Deno.test("thresholds for speed alone leave all bits", () => {
  for (const scenario of ["psis", "tails", "outlier", "rows of middle weight"]) {
    const base = outcome(scenario);
    for (const name of speedAlone) {
      for (const direction of directions) {
        assert.equal(outcome(scenario, name, direction), base, `${name} ${direction}: ${scenario}`);
      }
    }
  }
});

Deno.test("docs/loo.md holds the table of the record", () => {
  const plain = (table: string) =>
    table.trim().split("\n").map((row) => row.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-"));
  const page = Deno.readTextFileSync(new URL("../../../docs/loo.md", import.meta.url));
  const written = page.split(thresholdMarks[0])[1].split(thresholdMarks[1])[0];
  assert.deepEqual(plain(written), plain(thresholdTable()), remedy);
});
