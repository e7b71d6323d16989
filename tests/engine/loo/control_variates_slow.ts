/** Control variates: exact where theory says so, harmless elsewhere. */
import assert from "node:assert/strict";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { ControlVariates, monteCarloError } from "../../../src/engine/loo/control_variates.ts";
import { correlatedNormal } from "../mcmc/normal_densities.ts";

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

Deno.test("a correction leaves each chain out of the slopes that it is corrected by", () => {
  // A function that is 1 at one draw alone: slopes fitted with its chain follow it, those without do not.
  const set = normalDraws(1, 60);
  const variates = new ControlVariates(set);
  const values = new Float64Array(240);
  values[7] = 1;
  // Without the first chain the function is 0 and so are the slopes: the correction is the others'.
  const rest = Float64Array.from({ length: 240 }, (_, s) => leftOut(set, values, s));
  const wanted = -meanOf(rest);
  assert.ok(Math.abs(variates.correction(values) - wanted) < 1e-6, `${wanted}`);
});

Deno.test("a function that is centred already is taken off, whatever the target", () => {
  const set = normalDraws(2, 60);
  // Neither linear nor quadratic, and no gradient says anything about it.
  const centred = Float64Array.from({ length: 240 }, (_, s) => Math.sin(set.positions[2 * s] - 1));
  const values = centred.map((v) => 3 + 2 * v);
  const { correction, mcse } = new ControlVariates({ ...set, centred: [centred] }).correct(values);
  assert.ok(Math.abs(meanOf(values) + correction - 3) < 1e-6);
  assert.ok(mcse < 1e-6 && new ControlVariates(set).correct(values).mcse > 0.01);
});

/** g_s β for the regressors (∂, ∂² + curvature) at draw s and slopes β fitted to the other three chains. */
function leftOut(set: ReturnType<typeof normalDraws>, values: Float64Array, s: number): number {
  const row = (t: number) => regressors(set, t);
  const others = [...values.keys()].filter((t) => Math.floor(t / 60) !== Math.floor(s / 60));
  const columns = row(0).map((_, k) => others.map((t) => row(t)[k]));
  const f = others.map((t) => values[t]);
  const centred = (xs: readonly number[]) => {
    const mean = xs.reduce((a, b) => a + b) / xs.length;
    return xs.map((x) => x - mean);
  };
  const [a, b, y] = [...columns, f].map(centred);
  const dot = (x: readonly number[], z: readonly number[]) =>
    x.reduce((t, v, i) => t + v * z[i], 0);
  const det = dot(a, a) * dot(b, b) - dot(a, b) * dot(a, b);
  const beta = [
    (dot(b, b) * dot(a, y) - dot(a, b) * dot(b, y)) / det,
    (dot(a, a) * dot(b, y) - dot(a, b) * dot(a, y)) / det,
  ];
  return row(s)[0] * beta[0] + row(s)[1] * beta[1];
}

/** The gradient and, for standardised positions z, 2 z gradient + 2: the mean of both is 0. */
function regressors(
  { positions, gradients }: ReturnType<typeof normalDraws>,
  s: number,
): [number, number] {
  const mean = meanOf(positions);
  const scale = Math.sqrt(meanOf(positions.map((q) => (q - mean) * (q - mean))));
  const slope = gradients[s] * scale;
  return [slope, 2 * (positions[s] - mean) / scale * slope + 2];
}
