/** Total variation of tables on the grid of 8 × 8 by objective: `deno run -A bench/learning/mixed_and_likelihood.ts`. */
import * as gfn from "../../src/gfn/mod.ts";

const cases = [
  ["trajectory_balance", {}, "uniform"],
  ["trajectory_balance", {}, "learned"],
  ["trajectory_likelihood", {}, "learned"],
  ["mixed_trajectory_balance", { alpha: 0.4 }, "uniform"],
  ["mixed_trajectory_balance", { alpha: 0.45 }, "uniform"],
  ["mixed_trajectory_balance", { alpha: 0.6 }, "uniform"],
] as const;

for (const r0 of [0.1, 0.001]) {
  for (const [objective, parameters, backward] of cases) {
    const found = await Promise.all([1, 2, 3].map((seed) => {
      return distance(r0, { objective, parameters }, backward, `seed ${seed}`);
    }));
    const mean = found.reduce((sum, one) => sum + one, 0) / found.length;
    const each = found.map((one) => one.toFixed(4)).join(" ");
    console.log(r0, objective, JSON.stringify(parameters), backward, mean.toFixed(4), "of", each);
  }
}

/** After 1,000 batches of 16, the rate falling from 0.05 to 0. */
async function distance(
  r0: number,
  learnt: { readonly objective: string; readonly parameters: object },
  backward: "uniform" | "learned",
  seed: string,
): Promise<number> {
  const grid = gfn.environmentNamed("hypergrid", { ndim: 2, height: 8, r0, r1: 0.5, r2: 2 });
  const learned = backward === "learned" ? { backward } : {};
  const policy = await gfn.createPolicy({ kind: "table", ...learned }, grid, seed);
  const settings = { learning_rate: { start: 0.05, schedule: "cosine", end: 0 } } as const;
  const random = new gfn.RandomStream(seed, "t");
  const options = { ...learnt, parameters: { ...learnt.parameters }, settings, random };
  for await (const _ of gfn.train(policy, grid, { ...options, steps: 1000, batchSize: 16 }));
  const target = gfn.ownTarget(grid);
  return gfn.evaluateExactly(target, await gfn.policyMass(policy, target)).totalVariation;
}
