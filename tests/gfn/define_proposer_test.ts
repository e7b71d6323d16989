/** Proposers of one's own: their inputs, and answers that are refused. */
import assert from "node:assert/strict";
import crossing from "../../docs/examples/crossing_proposer.ts";
import divergent from "../../docs/examples/divergent_proposer.ts";
import lossGuided from "../../docs/examples/loss_guided_proposer.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { offPolicyTrajectories } from "../../src/gfn/policies/given_ways.ts";
import {
  defineProposer,
  isProposerDefinition,
  isWay,
  type ProposerStep,
} from "../../src/gfn/train/propose/define_proposer.ts";
import { Proposer } from "../../src/gfn/train/propose/proposer.ts";

const grid = hypergridEnvironment({ ndim: 2, height: 8, r0: 0.1, r1: 0.5, r2: 2 });
const exit = grid.exitAction;

/** Two steps of a proposer, with what it was told at each. */
async function steps(propose: (step: ProposerStep) => (readonly number[])[]) {
  const told: ProposerStep[] = [];
  const definition = defineProposer({
    name: "mine",
    version: 1,
    propose: (step) => (told.push(step), propose(step)),
  });
  const policy = await createPolicy({ kind: "table" }, grid, "own");
  const own = { definition, count: 2, parameters: { weight: 3 } };
  const proposer = new Proposer({ memory: 3, own });
  const random = new RandomStream("own");
  const proposed = [];
  for (const fraction of [0, 0.5]) {
    const fresh = await policy.sample(grid, { count: 4, random, epsilon: 0, temperature: 1 });
    proposed.push(
      await proposer.step(policy, grid, fresh, {
        ...{ fraction, random },
        rewards: (objects) => Promise.resolve(objects.map(({ logReward }) => logReward!)),
      }),
    );
  }
  return { told, proposed };
}

Deno.test("a proposer is told the best known objects, best first, and gives no more than asked", async () => {
  const { told, proposed } = await steps(() => [[exit], [0, exit], [1, exit]]);
  assert.deepEqual(told.map(({ known }) => known.length), [0, 3]);
  const rewards = told[1].known.map(({ logReward }) => logReward);
  assert.deepEqual(rewards, rewards.toSorted((a, b) => b - a));
  assert.ok(told[1].known.every(({ actions }) => isWay(grid, actions)));
  assert.deepEqual([told[1].count, told[1].parameters, told[1].fraction], [2, { weight: 3 }, 0.5]);
  assert.deepEqual(proposed[0].own.map(({ actions }) => actions), [[exit], [0, exit]]);
});

const refused: Readonly<Record<string, readonly [readonly number[], RegExp]>> = {
  "no exit": [[0], /way 1 of the proposer "mine": it does not end with the exit/],
  "an action too large": [[99, exit], /action 99 \(there is none\) is not legal at place 1/],
  "an action that is illegal there": [[...Array(8).fill(0), exit], /is not legal at place 8/],
  "actions behind the exit": [[exit, 0, exit], /it goes on behind the exit at 1/],
};
for (const [fault, [way, message]] of Object.entries(refused)) {
  Deno.test(`a way with ${fault} is refused, with its place`, async () => {
    await assert.rejects(steps(() => [way]), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.diagnostics[0].message, message);
      return true;
    });
    assert.equal(isWay(grid, way), false);
  });
}

Deno.test("the example crosses what is known, always in the same way", async () => {
  const known = [[0, 0, 0, exit], [1, 1, exit], [0, 1, 1, exit]]
    .map((actions, i) => ({ text: `${i}`, actions, logReward: -i }));
  const propose = () => {
    const random = new RandomStream("crossing");
    const step = {
      logProbabilities: () => Promise.resolve([]),
      environment: grid,
      count: 20,
      known,
      fraction: 0,
      random,
      parameters: {},
    };
    return crossing.propose(step);
  };
  const children = await propose();
  assert.ok(children.length > 0 && children.every((child) => isWay(grid, child)));
  const parents = new Set(known.map(({ actions }) => actions.join()));
  assert.ok(children.some((child) => !parents.has(child.join())), "some child is new");
  assert.deepEqual(await propose(), children);
  assert.deepEqual(isProposerDefinition(crossing), true);
});

Deno.test("a loss-guided proposer begins where the policy is farthest from its rewards", async () => {
  const policy = await createPolicy({ kind: "table" }, grid, "loss");
  const objects = [...grid.enumerate()].slice(0, 12);
  const known = objects.map(({ text, actions }, i) => ({
    text,
    actions,
    logReward: i === 7 ? 60 : 0,
  }));
  const ways = await lossGuided.propose({
    ...{ environment: grid as Environment, count: 200, known, fraction: 0, parameters: {} },
    random: new RandomStream("loss"),
    logProbabilities: (given) => offPolicyTrajectories(policy, grid as Environment, given),
  });
  assert.ok(ways.every((way) => isWay(grid, way)));
  const [first] = objects[7].actions;
  assert.ok(ways.filter(([action]) => action === first).length > 100);
});

Deno.test("divergent starts are drawn by the reward that the policy misses, never where it has too much", async () => {
  // Two objects of equal reward: at the first the policy has a thousandth of what is due, at the second
  // as much as is due; at the third, of little reward, a thousand times too much.
  const known = [[0, exit], [1, exit], [exit]].map((actions, i) => {
    return { text: `${i}`, actions, logReward: [0, 0, -7][i] };
  });
  const logPf = [-8, -1, 0];
  const cuts: number[] = [];
  const ways = await divergent.propose({
    environment: grid as Environment,
    count: 100,
    known,
    fraction: 0,
    parameters: {},
    random: new RandomStream("divergent"),
    logProbabilities: (given) =>
      Promise.resolve(given.map((_, i) => ({ logPf: logPf[i], logPb: 0 }))),
  });
  assert.ok(ways.every((way) => isWay(grid, way)));
  for (const [action] of ways) cuts.push(action);
  assert.ok(cuts.filter((action) => action === 0).length > 55, `${cuts}`);
});
