/** Listed samples are unbiased: 150 of them, whose mean is the sum. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { listedSample } from "../../../src/gfn/certificates/listed_sample.ts";
import { Allowance, ScoredObjects } from "../../../src/gfn/certificates/scored_objects.ts";
import type { Environment, TerminalObject } from "../../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import { ownLogRewards, ownTarget } from "../../../src/gfn/evaluation/own_target.ts";

/** Holds a mean within four standard errors. */
function near(values: readonly number[], expected: number): void {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(squares) / values.length;
  assert.ok(Math.abs(mean - expected) < 4 * error, `${mean} ± ${error}, not ${expected}`);
}

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
