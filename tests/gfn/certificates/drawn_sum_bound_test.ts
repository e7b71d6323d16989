/** Sums that are drawn from without replacement: bounds below them, means that are right. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { type Draw, logLowerBoundOfSum } from "../../../src/gfn/certificates/drawn_sum_bound.ts";
import { listedSample } from "../../../src/gfn/certificates/listed_sample.ts";
import { Allowance, ScoredObjects } from "../../../src/gfn/certificates/scored_objects.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";

/** Forty objects that are worth 1 to 400, and a proposal that knows little of them. */
const worth = Array.from({ length: 40 }, (_, i) => 1 + (i % 7 === 3 ? 57 * (i % 8) : i % 5));
const total = worth.reduce((a, b) => a + b, 0);

function drawsOf(random: RandomStream, count: number): Draw[] {
  const left = new Map(worth.map((one, i) => [i, Math.sqrt(one)]));
  return Array.from({ length: count }, (_, t) => {
    const sum = left.values().reduce((a, b) => a + b, 0);
    let u = random.uniform() * sum;
    const [i, weight] = [...left].find(([, one]) => (u -= one) < 0)!;
    left.delete(i);
    return { text: `${t}`, logReward: Math.log(worth[i]), logQ: Math.log(weight / sum) };
  });
}

Deno.test("the bound of a drawn sum is below it in all but a share α of samples, and near it", () => {
  const random = new RandomStream("drawn sums");
  const certainty = { alpha: 0.1, planned: 20 };
  const bounds = Array.from({ length: 400 }, () => {
    return Math.exp(logLowerBoundOfSum(-Infinity, drawsOf(random, 20), certainty));
  });
  const above = bounds.filter((one) => one > total * (1 + 1e-9)).length;
  assert.ok(above <= 40 + 12, `${above} of 400`);
  const middle = bounds.toSorted((a, b) => a - b)[200];
  assert.ok(middle > 0.965 * total, `${middle / total} of the sum`);
});

Deno.test("what was scored without being drawn counts in full, and is not bet on", () => {
  const certainty = { alpha: 0.1, planned: 2 };
  const sure: Draw[] = [{ text: "a", logReward: Math.log(3) }, { text: "b", logReward: -Infinity }];
  assert.ok(Math.abs(logLowerBoundOfSum(Math.log(2), sure, certainty) - Math.log(5)) < 1e-12);
  assert.equal(logLowerBoundOfSum(-Infinity, [], certainty), -Infinity);
});

Deno.test("where nothing is worth anything yet, draws are uniform, and end", async () => {
  const spec = { ndim: 2, height: 8, r0: 0.1, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  const objects = [...environment.enumerate()];
  const scored = new ScoredObjects((some) => Promise.resolve(some.map(() => -Infinity)));
  await scored.ask(objects.slice(0, 8), new Allowance(8));
  const random = new RandomStream("nothing");
  const { weighed, logZ } = await listedSample(environment, objects, scored, { limit: 60, random });
  assert.equal(weighed!.draws.length, 56);
  assert.ok(Math.abs(weighed!.draws[0].logQ + Math.log(56)) < 1e-12);
  assert.equal(logZ!.value, -Infinity);
});
