/** Bounds and explorers of certificates, on small spaces whose truth is counted. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { ancestorGraph } from "../../../src/gfn/certificates/ancestor_graph.ts";
import { lowerBoundOfMean } from "../../../src/gfn/certificates/betting_bound.ts";
import { boundsOf } from "../../../src/gfn/certificates/bounds.ts";
import { BroadWalks } from "../../../src/gfn/certificates/broad_walks.ts";
import { broadWalk, propose, walkOf, weighed } from "../../../src/gfn/certificates/moves.ts";
import { logMassOf } from "../../../src/gfn/certificates/policy_mass.ts";
import { hypergridEnvironment } from "../../../src/gfn/environments/hypergrid.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import { stateGraph } from "../../../src/gfn/environments/state_graph.ts";
import { ownTarget } from "../../../src/gfn/evaluation/own_target.ts";
import { plantedPolicy } from "./planted_policy.ts";

const grid = (height: number) =>
  hypergridEnvironment({ ndim: 2, height, r0: 0.1, r1: 0.5, r2: 2 }) as Environment;

Deno.test("a betting bound is below the mean in all but a share α of samples", () => {
  const random = new RandomStream("betting");
  let above = 0;
  for (let run = 0; run < 400; run++) {
    const values = Array.from({ length: 100 }, () => random.uniform() < 0.2 ? 1 : 0);
    if (lowerBoundOfMean(values, 0.05) > 0.2) above++;
  }
  assert.ok(above <= 20, `${above} of 400`);
});

Deno.test("a betting bound grows with every value, and comes near a constant", () => {
  const values = Array.from({ length: 50 }, (_, i) => (i % 7) / 10);
  const raised = values.map((x) => x + 0.1);
  assert.ok(lowerBoundOfMean(raised, 0.01) > lowerBoundOfMean(values, 0.01));
  assert.ok(lowerBoundOfMean(new Array(4000).fill(0.5), 0.01) > 0.499);
});

Deno.test("log P of a few cells is that of the whole graph", async () => {
  const environment = grid(6);
  const { policy, logZ } = plantedPolicy(environment, ({ logReward }) => logReward!);
  const some = ownTarget(environment).objects.filter((_, i) => i % 5 === 3);
  const logP = await logMassOf(policy, environment, some);
  some.forEach(({ logReward }, i) => assert.ok(Math.abs(logP![i] - (logReward! - logZ)) < 1e-9));
  const end = some[some.length - 1].actions;
  const part = ancestorGraph(environment, [end], 1000)!;
  assert.ok(part.keys.length < stateGraph(environment).keys.length);
  assert.equal(ancestorGraph(environment, [end], 3), undefined);
});

Deno.test("moves leave the target as it is: a chain visits walks in proportion to R P_B", () => {
  const environment = grid(2);
  const random = new RandomStream("moves", "a");
  const base = new BroadWalks(environment, random);
  const visits = new Map<string, number>();
  const weights = new Map<string, number>();
  const steps = 40_000;
  let current = weighed(base, broadWalk(base, random));
  for (let step = 0; step < steps; step++) {
    const proposal = propose(base, current, random);
    const next = proposal && weighed(base, proposal.walk);
    const logTarget = (walk: typeof current) => walk.object.logReward! + walk.logPb;
    const accepts = next && proposal &&
      Math.log(random.uniform()) < logTarget(next) - logTarget(current) + proposal.logRatio;
    if (accepts) current = next;
    const way = current.actions.join(" ");
    visits.set(way, (visits.get(way) ?? 0) + 1);
    weights.set(way, Math.exp(logTarget(current)));
  }
  assert.equal(weights.size, 5); // (0, 0), (1, 0), (0, 1), and (1, 1) by two ways
  const total = [...weights.values()].reduce((a, b) => a + b, 0);
  for (const [way, weight] of weights) {
    const share = visits.get(way)! / steps;
    assert.ok(Math.abs(share - weight / total) < 0.015, `${way}: ${share}, ${weight / total}`);
  }
});

Deno.test("the density of broad walks sums to 1 over all walks", () => {
  const environment = grid(3);
  const base = new BroadWalks(environment, new RandomStream("density"));
  let total = 0;
  const visit = (state: unknown, actions: readonly number[]) => {
    const mask = environment.legalActions(state);
    mask.forEach((legal, action) => {
      if (legal !== 1) return;
      const way = [...actions, action];
      if (action !== environment.exitAction) return visit(environment.step(state, action), way);
      const { states } = walkOf(environment, way)!;
      total += Math.exp(base.logDensity(states, way));
    });
  };
  visit(environment.initialState(), []);
  assert.ok(Math.abs(total - 1) < 1e-12, `${total}`);
});

Deno.test("bounds from scored rewards alone are below the truth, and reach it when all are scored", () => {
  const environment = grid(8);
  const { objects } = ownTarget(environment);
  const half = (text: string) => Number(text.slice(1).split(",")[0]) < 4;
  const planted = plantedPolicy(environment, ({ text, logReward }) => half(text) ? logReward! : -9);
  const weights = objects.map(({ text, logReward }) => half(text) ? logReward! : -9);
  const total = Math.log(weights.reduce((sum, one) => sum + Math.exp(one), 0));
  const known = (share: number) =>
    new Map(objects.flatMap((object, i) =>
      i % share === 0
        ? [[object.text, {
          object,
          logReward: object.logReward!,
          logP: weights[i] - total,
          before: true,
        }]]
        : []
    ));
  const all = boundsOf({ known: known(1), drawn: [objects[0].text] });
  assert.ok(Math.abs(all.logZ - planted.logZ) < 1e-9);
  assert.ok(Math.abs(all.totalVariation.value - planted.totalVariation) < 1e-9);
  assert.equal(all.totalVariation.sampled, false);
  const some = boundsOf({ known: known(3), drawn: [objects[0].text] });
  assert.ok(some.logZ < planted.logZ && some.totalVariation.value < planted.totalVariation);
});
