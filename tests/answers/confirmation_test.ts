/** Confirmation of winners: chance alone rarely breaks a promise, and a search on noise does. */
import assert from "node:assert/strict";
import { confirmationOf } from "../../src/answers/mod.ts";
import { RandomStream } from "../../src/base/random.ts";
import { log, normalQuantile } from "../../src/numerics/math/mod.ts";

const logDensity = (y: number, mean: number, variance: number) =>
  -0.5 * (log(2 * Math.PI * variance) + (y - mean) ** 2 / variance);

/**
 * A wave sin(K x) with a learnt height b ~ Normal(0, 1) and noise of 1 beside it: leave-one-out in closed form, and the
 * predictive densities of other rows.
 */
function wave(k: number, x: Float64Array, y: Float64Array, kept: number) {
  const h = x.map((one) => Math.sin(k * one));
  let [precision, sum] = [1, 0];
  for (let i = 0; i < kept; i++) [precision, sum] = [precision + h[i] ** 2, sum + h[i] * y[i]];
  const at = (i: number, own: number) => {
    const rest = precision - own * h[i] ** 2;
    const mean = h[i] * (sum - own * h[i] * y[i]) / rest;
    return logDensity(y[i], mean, 1 + h[i] ** 2 / rest);
  };
  const promised = Float64Array.from({ length: kept }, (_, i) => at(i, 1));
  return {
    promised,
    confirm: () => Float64Array.from({ length: x.length - kept }, (_, i) => at(kept + i, 0)),
  };
}

/** The best of so many waves on noise: its shortfall in nats, and in errors. */
function shortfall(tries: number, seed: number) {
  const random = new RandomStream("confirmation", seed);
  const [rows, kept] = [60, 45];
  const x = Float64Array.from({ length: rows }, () => random.uniform());
  const y = Float64Array.from({ length: rows }, () => normalQuantile(random.uniform()));
  const total = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
  const all = Array.from({ length: tries }, () => wave(1 + 400 * random.uniform(), x, y, kept));
  const best = all.reduce((a, b) => total(a.promised) >= total(b.promised) ? a : b);
  const program = { logWeight: 0, promised: best.promised, confirmed: best.confirm() };
  const { winner } = confirmationOf([program], 1);
  const nats = winner.promised - winner.confirmed;
  return { nats, z: nats / winner.error };
}

const seeds = Array.from({ length: 200 }, (_, seed) => seed);
const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

Deno.test("the promise of a program that was not searched for holds within its error", () => {
  const all = seeds.map((seed) => shortfall(1, seed));
  const beyond = all.filter(({ z }) => Math.abs(z) > 2).length;
  assert.ok(beyond <= 20, `${beyond} of 200 beyond two errors`);
  assert.ok(Math.abs(mean(all.map(({ nats }) => nats))) < 1, "and is not off on average");
});

Deno.test("the best of 300 waves on noise promises more than it keeps", () => {
  const all = seeds.slice(0, 100).map((seed) => shortfall(300, seed));
  const lost = mean(all.map(({ nats }) => nats));
  assert.ok(lost > 1, `falls short by ${lost.toFixed(2)} nats on average`);
});

Deno.test("the mixture weighs densities by the target, not their logarithms", () => {
  const one = { logWeight: log(3), promised: [-1, -1], confirmed: [-1, -2, -4] };
  const two = { logWeight: 0, promised: [-2, -2], confirmed: [-3, -2, -1] };
  const { mixture, winner, rows, programs } = confirmationOf([one, two], 0.9);
  const exact = [[-1, -3], [-2, -2], [-4, -1]]
    .reduce((sum, [a, b]) => sum + Math.log(0.75 * Math.exp(a) + 0.25 * Math.exp(b)), 0);
  assert.ok(Math.abs(mixture.confirmed - exact) < 1e-12);
  assert.deepEqual([winner.promised, winner.confirmed, rows, programs], [-3, -7, 3, 2]);
});
