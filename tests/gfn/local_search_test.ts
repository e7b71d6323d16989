/** Local search that cuts a piece from anywhere and goes on behind it. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import {
  bitSequenceEnvironment,
  hypergridEnvironment,
} from "../../src/gfn/environments/built_in_environments.ts";
import { defaultBitSequence } from "../../src/gfn/environments/bit_sequence.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { Proposer } from "../../src/gfn/train/propose/proposer.ts";
import { cutAndRegrow } from "../../src/gfn/train/propose/local_search.ts";
import { offPolicyTrajectories } from "../../src/gfn/policies/given_ways.ts";

const bits = bitSequenceEnvironment({ ...defaultBitSequence, n: 24, k: 2 }) as Environment;
const random = () => new RandomStream("local search");
const rewards = (some: readonly { readonly text: string }[]) =>
  Promise.resolve(some.map(({ text }) => text.split("1").length - 1));

async function startsOf(environment: Environment, count: number) {
  const policy = await createPolicy({ kind: "table" }, environment, random());
  const walk = { count, random: random(), epsilon: 0, temperature: 1 };
  const walks = await policy.sample(environment, walk);
  const known = walks.map(({ text, actions }) => ({ text, actions, logReward: -Infinity }));
  return { policy, walks, known };
}

Deno.test("a piece is regrown and all behind it stays, with the policy's own log P_F", async () => {
  const { policy, known } = await startsOf(bits, 64);
  const options = { rounds: 1, cut: 0.25, rejoin: true, random: random(), rewards };
  const made = await cutAndRegrow(policy, bits, known, options);
  const kept = made.map(({ actions }, i) => {
    const changed = actions.flatMap((action, t) => action === known[i].actions[t] ? [] : [t]);
    assert.ok(changed.length === 0 || changed.at(-1)! - changed[0] < Math.ceil(0.25 * 13));
    return changed.length > 0 && changed.at(-1)! < actions.length - 2;
  });
  assert.ok(kept.some((one) => one), "nothing was mended before the end");
  const ways = made.map(({ actions }) => actions);
  assert.deepEqual(made, await offPolicyTrajectories(policy, bits, ways));
});

Deno.test("where the old way cannot go on, what was grown stands", async () => {
  const spec = { ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 };
  const grid = hypergridEnvironment(spec) as Environment;
  const { policy, known } = await startsOf(grid, 64);
  const options = { rounds: 2, cut: 0.5, rejoin: true, random: random(), rewards };
  const made = await cutAndRegrow(policy, grid, known, options);
  assert.equal(made.length, 128);
  for (const { actions } of made) assert.equal(actions.at(-1), grid.exitAction);
});

Deno.test("fresh starts are this step's own walks, each with a search of its own", async () => {
  const { policy, walks } = await startsOf(bits, 4);
  const search = { count: 9, rounds: 1, cut: 0.1, rejoin: true, from: "fresh" } as const;
  const proposer = new Proposer({ memory: 8, localSearch: search });
  const step = { fraction: 0, random: random(), rewards };
  const { local_search: made } = await proposer.step(policy, bits, walks, {
    ...step,
    rewards: (some) => rewards(some),
  });
  assert.equal(made.length, 4);
  made.forEach(({ actions }, i) => {
    const changed = actions.filter((action, t) => action !== walks[i].actions[t]);
    assert.ok(changed.length <= 2);
  });
});
