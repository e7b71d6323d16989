/** Sums that are drawn from without replacement: bounds below them, means that are right. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { type Draw, logLowerBoundOfSum } from "../../../src/gfn/certificates/drawn_sum_bound.ts";
import { listedSample } from "../../../src/gfn/certificates/listed_sample.ts";
import { Allowance, ScoredObjects } from "../../../src/gfn/certificates/scored_objects.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import { ownLogRewards, ownTarget } from "../../../src/gfn/evaluation/own_target.ts";

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

Deno.test("a listed sample is unbiased, on a set of objects too, and its groups hold all of Z", async () => {
  const spec = { ndim: 2, height: 8, r0: 0.1, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  const { objects, logZ } = ownTarget(environment);
  const rewards = new Map(objects.map(({ text, logReward }) => [text, Math.exp(logReward!)]));
  const isIn = (text: string) => text.startsWith("(6") || text.startsWith("(1");
  const truth = objects.reduce((sum, { text }) => sum + (isIn(text) ? rewards.get(text)! : 0), 0);
  const [whole, grouped, part] = [[], [], []] as number[][];
  for (let run = 0; run < 150; run++) {
    const scored = new ScoredObjects((some: readonly TerminalObject[]) =>
      Promise.resolve(ownLogRewards(environment, some))
    );
    await scored.ask(objects.filter((_, i) => i % 8 === 0), new Allowance(8));
    const random = new RandomStream("listed", run);
    const { weighed, groups, logZ } = await listedSample(environment, objects, scored, {
      limit: 40,
      random,
    });
    const sums = groups.map((group) =>
      group.reduce((sum, one) => sum + Math.exp(one.logWeight), 0)
    );
    whole.push(Math.exp(logZ!.value));
    grouped.push(sums.reduce((a, b) => a + b, 0) / sums.length);
    const [first] = weighed!.within(isIn);
    if (!first) continue;
    const before = [...weighed!.before.keys()].filter(isIn);
    part.push(
      before.reduce((sum, text) => sum + rewards.get(text)!, 0) +
        Math.exp(first.logReward - first.logQ!),
    );
  }
  near(whole, Math.exp(logZ));
  near(grouped, Math.exp(logZ));
  near(part, truth);
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

/** Holds a mean within four standard errors. */
function near(values: readonly number[], expected: number): void {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares) / values.length;
  assert.ok(Math.abs(mean - expected) < 4 * error, `${mean} ± ${error}, not ${expected}`);
}
