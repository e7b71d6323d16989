/** Rows far from the others: leave-one-out of regressions against exact values, over designs and seeds. */
import assert from "node:assert/strict";
import { type Column, type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import { thresholds, withThresholds } from "../../../src/engine/loo/thresholds.ts";
import { defaultSchedule, type Score } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";

/** Simulated rows, and their exact values by grids (tools/golden/leverage_rows.py). */
interface Design {
  readonly family: "poisson" | "exponential" | "bernoulli";
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly scales: readonly [number, number];
  readonly far: number;
  readonly elpd: readonly number[];
}

const file = new URL("../../golden/leverage_rows.json", import.meta.url);
const { designs }: { designs: readonly Design[] } = JSON.parse(Deno.readTextFileSync(file));

const likelihoods = {
  poisson: `pm.Poisson("y", pm.math.exp(mu), observed=data["y"])`,
  exponential: `pm.Exponential("y", pm.math.exp(-mu), observed=data["y"])`,
  bernoulli: `pm.Bernoulli("y", logit_p=mu, observed=data["y"])`,
};

function programOf({ family, scales: [a, b] }: Design): string {
  return `import pymc as pm

with pm.Model() as model:
    a = pm.Normal("a", 0, ${a})
    b = pm.Normal("b", 0, ${b})
    mu = a + b * data["x"]
    ${likelihoods[family]}
`;
}

const types = { poisson: "count", exponential: "real", bernoulli: "binary" } as const;

function dataOf({ family, x, y }: Design): Dataset {
  const response: Column = { ...named("y", y), role: "response", type: types[family] };
  return makeDataset("far", [response, { ...named("x", x), role: "predictor", type: "real" }]);
}

function named(name: string, values: readonly number[]) {
  return { name, values: Float64Array.from(values) };
}

/** Reported errors that scores are off by. */
function errorsOff(design: Design, seed: number): number {
  const { score } = scoreNow(programOf(design), dataOf(design), { ...defaultSchedule, seed });
  const exact = design.elpd.reduce((sum, one) => sum + one, 0);
  return (score!.elpdLoo - exact) / Math.max(1e-3, score!.mcse);
}

function worst(values: readonly number[]): number {
  return Math.max(...values.map(Math.abs));
}

Deno.test("scores of regressions with a row of high leverage are off by no more than their errors say", () => {
  const off = designs.flatMap((design) => [0, 1].map((seed) => errorsOff(design, seed)));
  const rms = Math.sqrt(off.reduce((sum, one) => sum + one * one, 0) / off.length);
  assert.ok(off.length > 40 && worst(off) < 4 && rms < 1.25, `${rms}, worst ${worst(off)}`);
});

Deno.test("draws of the posterior alone would miss such rows", () => {
  const off = withThresholds({ mostDistant: 0 }, () => designs.map((one) => errorsOff(one, 0)));
  assert.ok(worst(off) > 10, `${worst(off)}`);
});

Deno.test("a row whose posterior has draws of its own is named, and others are not", () => {
  const scores: Score[] = designs.map((one) =>
    scoreNow(programOf(one), dataOf(one), defaultSchedule).score!
  );
  const named = scores.map(({ exactRefits }, k) => exactRefits.includes(designs[k].far));
  assert.ok(named.filter(Boolean).length > designs.length / 4);
  for (const { exactRefits } of scores) assert.ok(exactRefits.length <= thresholds.mostDistant);
});
