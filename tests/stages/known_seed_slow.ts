/** Who knows seed and stage before there is a policy cannot make one that the certificate passes. */
import assert from "node:assert/strict";
import type { RandomStream } from "../../src/base/random.ts";
import { certify, explore } from "../../src/gfn/certificates/mod.ts";
import type { Environment, TerminalObject } from "../../src/gfn/environments/environment.ts";
import { defaultStrings, stringsEnvironment } from "../../src/gfn/environments/strings.ts";
import { ownLogRewards } from "../../src/gfn/evaluation/own_target.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import declaration from "../../stages/evaluate_kl/mod.ts";
import { Evaluator } from "../../stages/evaluate_kl/evaluator.ts";
import { judgeStreams } from "../../stages/evaluate_kl/judge_streams.ts";
import { type Planted, plantedPolicy } from "../gfn/certificates/planted_policy.ts";
import { fakeContext } from "./fixtures.ts";

const environment = stringsEnvironment(
  { ...defaultStrings, blocks: 6, length: 5, exponent: 10 },
) as Environment;

const trainedOn = (planted: Planted) => ({
  policy: planted.policy as unknown as Policy,
  trajectories: 32_000,
  distinctEvaluations: 4000,
});

const optionsOf = (random: (name: string) => RandomStream) => ({
  environment,
  ask: (objects: readonly TerminalObject[]) => Promise.resolve(ownLogRewards(environment, objects)),
  budget: 800,
  samples: 1000,
  random,
});

/** The policy that is R on what explorers find by these streams, and nothing elsewhere. */
async function preparedFor(random: (name: string) => RandomStream): Promise<Planted> {
  const { explorations } = await explore(optionsOf(random));
  const found = new Set(explorations.flatMap((one) => [...one.found.keys()]));
  return plantedPolicy(environment, ({ text, logReward }) => found.has(text) ? logReward! : -1e9);
}

async function verdictOf(planted: Planted): Promise<string> {
  const context = fakeContext({ step: 0 });
  const certificate = { list_at_most: 10, at_least: 800 };
  const params = declaration.params.parse({ enumerate_at_most: 10, certificate });
  await new Evaluator(params).run(context, { policy: trainedOn(planted), environment });
  const rows = context.told.tables.filter(([name]) => name === "evaluation").flatMap(([, r]) => r);
  return String(rows.find(({ measure }) => measure === "verdict")?.method);
}

Deno.test("a policy that is made for the explorers of a known seed and stage is refused", async () => {
  const context = fakeContext({ step: 0 });
  const byName = (name: string) => context.random(`certificate ${name}`);
  const prepared = await preparedFor(byName);
  assert.ok(prepared.totalVariation > 0.3, `${prepared.totalVariation}`);
  const options = optionsOf(byName);
  const fooled = await certify(prepared.policy, await explore(options), options);
  assert.ok(
    fooled.explorers.every(({ consultsPolicy, agreement }) =>
      consultsPolicy || agreement.foundMissed === 0
    ),
    "by the streams that it was made for no explorer finds what it misses",
  );
  assert.equal(await verdictOf(prepared), "bounded");
});

Deno.test("nor is one that is made for the streams of another policy, twice", async () => {
  let planted = plantedPolicy(environment, ({ logReward }) => logReward!);
  for (let round = 0; round < 2; round++) {
    const streams = await judgeStreams(fakeContext({ step: 0 }), trainedOn(planted), {
      environment,
    });
    planted = await preparedFor((name) => streams(`certificate ${name}`));
  }
  assert.ok(planted.totalVariation > 0.3);
  assert.equal(await verdictOf(planted), "bounded");
});

Deno.test("streams of one policy, target and seed are the same, and a reader's are others", async () => {
  const one = trainedOn(plantedPolicy(environment, ({ logReward }) => logReward!));
  const first = async (seed?: string, k = 0) =>
    (await judgeStreams(fakeContext({ step: 0 }), one, { environment }, seed))("walks", k)
      .uniform();
  assert.equal(await first(), await first());
  const others = new Set([await first(), await first("a"), await first("b"), await first("a", 1)]);
  assert.equal(others.size, 4);
});
