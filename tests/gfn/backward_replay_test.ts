/** Replay of ends by other ways: the same objects, other ways, and the policy comes to its target. */
import assert from "node:assert/strict";
import * as gfn from "../../src/gfn/mod.ts";

const grid = gfn.environmentNamed("hypergrid", { ndim: 2, height: 5, r0: 0.1, r1: 0.5, r2: 2 });

async function trained(objective: string, ways: "walked" | "backward") {
  const policy = await gfn.createPolicy({ kind: "table" }, grid, "seed 1");
  const settings = {
    learning_rate: { start: 0.1, schedule: "cosine", end: 0 },
    replay: { capacity: 20, fraction: 1, ways },
  } as const;
  const random = new gfn.RandomStream("seed 1", "train");
  const options = { objective, settings, random, steps: 300, batchSize: 8 };
  for await (const { loss } of gfn.train(policy, grid, options)) assert.ok(Number.isFinite(loss));
  const target = gfn.ownTarget(grid);
  return gfn.evaluateExactly(target, await gfn.policyMass(policy, target)).totalVariation;
}

Deno.test("ends that are replayed by other ways bring a policy to its target", async () => {
  const [walked, backward] = [
    await trained("trajectory_balance", "walked"),
    await trained("trajectory_balance", "backward"),
  ];
  assert.ok(walked < 0.05 && backward < 0.05 && walked !== backward, `${walked}, ${backward}`);
});

Deno.test("an objective that reads rewards on the way is refused other ways", async () => {
  await assert.rejects(
    trained("sub_trajectory_balance", "backward"),
    /Cannot replay other ways with sub_trajectory_balance/,
  );
});
