/** Control variates: exact where theory says so, harmless elsewhere. */
import assert from "node:assert/strict";
import { finish, sampleChains } from "../../src/infer/sample_chains.ts";
import { ControlVariates, monteCarloError } from "../../src/loo/control_variates.ts";
import { correlatedNormal } from "../infer/normal_densities.ts";

function normalDraws(dimension: number, draws: number) {
  const options = { chains: 4, tune: 200, draws };
  const budget = { used: 0, limit: 1e9 };
  const result = finish(sampleChains(correlatedNormal(dimension, 0.5), options, ["cv"], budget));
  assert.ok(result.kind === "chains");
  return result.chainSet;
}

function meanOf(values: Float64Array): number {
  return values.reduce((a, b) => a + b) / values.length;
}

Deno.test("the mean of a quadratic function of normal draws is corrected to its exact value", () => {
  const set = normalDraws(3, 60);
  const q = set.positions;
  // E[(q_0 − 1)(q_1 − 2)] = ρ · 1 · 2, and E q_2 = 3.
  const values = Float64Array.from(
    { length: 240 },
    (_, s) => (q[3 * s] - 1) * (q[3 * s + 1] - 2) + q[3 * s + 2],
  );
  const { correction, mcse } = new ControlVariates(set).correct(values);
  assert.ok(Math.abs(meanOf(values) + correction - 4) < 1e-6);
  assert.ok(mcse < 1e-6);
});

Deno.test("the noise of another smooth function shrinks", () => {
  const set = normalDraws(2, 125);
  const values = Float64Array.from({ length: 500 }, (_, s) => 1 / (1 + set.positions[2 * s] ** 2));
  const { mcse } = new ControlVariates(set).correct(values);
  assert.ok(mcse < 0.8 * monteCarloError(values, 4));
});

Deno.test("the regressors thin out as draws get few and dimensions many", () => {
  assert.equal(new ControlVariates(normalDraws(3, 60)).count, 9);
  assert.equal(new ControlVariates(normalDraws(6, 50)).count, 12);
  assert.equal(new ControlVariates(normalDraws(13, 125)).count, 26);
  assert.equal(new ControlVariates(normalDraws(6, 20)).count, 6);
  assert.equal(new ControlVariates(normalDraws(6, 14)).count, 0);
});

Deno.test("corrections of parts add up to the correction of the sum", () => {
  const set = normalDraws(2, 60);
  const variates = new ControlVariates(set);
  const a = Float64Array.from({ length: 240 }, (_, s) => Math.abs(set.positions[2 * s]));
  const b = Float64Array.from(
    { length: 240 },
    (_, s) => Math.sqrt(Math.abs(set.positions[2 * s + 1])),
  );
  const sum = a.map((v, s) => v + b[s]);
  const parts = variates.correct(a).correction + variates.correct(b).correction;
  assert.ok(Math.abs(variates.correct(sum).correction - parts) < 1e-12);
});
