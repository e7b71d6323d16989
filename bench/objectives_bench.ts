/** Times of the objectives: one evaluation with all gradients, by batch size and length. */

// deno run bench/objectives_bench.ts
// Medians in microseconds. Every state of every trajectory is complete, which is the most work.

import { RandomStream } from "../src/base/random.ts";
import { makeBatch } from "../src/gfn/trajectories/batch.ts";
import type { Environment } from "../src/gfn/environments/environment.ts";
import { maskOf, treeEnvironment } from "../src/gfn/environments/tree.ts";
import { objectiveNamed } from "../src/gfn/objectives/built_in_objectives.ts";
import { parametersOf } from "../src/gfn/objectives/objective.ts";
import type { Batch, Scores } from "../src/gfn/trajectories/trajectory.ts";

const WORDS = 8;

/** Words of up to `length` letters, each of them complete. */
function words(length: number): Environment {
  const mask = maskOf(WORDS + 1, Array(WORDS + 1).keys());
  const full = maskOf(WORDS + 1, [WORDS]);
  return treeEnvironment<number>({
    kind: "words",
    spec: { length },
    actionNames: [..."abcdefgh", "exit"],
    maxActions: length + 1,
    initial: 0,
    after: (n) => n + 1,
    legal: (n) => n === length ? full : mask,
    object: (_, actions) => ({ text: actions.join(), features: [] }),
    logReward: (n, logPrior) => logPrior - 0.1 * n,
  }) as Environment;
}

function randomRows(B: number, T: number, random: RandomStream): { actions: number[] }[] {
  return Array.from({ length: B }, () => {
    const letters = Array.from({ length: T - 1 }, () => random.below(WORDS));
    return { actions: [...letters, WORDS] };
  });
}

function randomScores({ B, T }: Batch, random: RandomStream): Scores {
  const draw = () => Float64Array.from({ length: B * T }, () => random.uniform() - 3);
  return { logPf: draw(), logExit: draw(), logFlow: draw(), handle: 0 };
}

/** Median over runs, in microseconds. */
function time(work: () => unknown): number {
  const times: number[] = [];
  for (let i = 0; i < 40; i++) {
    const start = performance.now();
    work();
    times.push(1000 * (performance.now() - start));
  }
  return Math.round(times.slice(10).sort((a, b) => a - b)[15]);
}

const sizes = [[16, 10], [32, 10], [64, 48], [128, 60]] as const;
const cases: readonly (readonly [string, Record<string, unknown>])[] = [
  ["trajectory_balance", { residual_loss: "log_cosh" }],
  ["detailed_balance", { residual_loss: "log_cosh" }],
  ["log_partition_variance", {}],
  ["sub_trajectory_balance", {}],
  ["sub_trajectory_balance", { residual_loss: "huber" }],
  ["sub_trajectory_balance", { residual_loss: "log_cosh" }],
  ["modified_sub_trajectory_balance", { residual_loss: "log_cosh" }],
  ["relative_trajectory_balance", {}],
  ["reinforce", {}],
  ["ppo", {}],
  ["grpo", {}],
];

const random = new RandomStream("objectives bench");
const batches = sizes.map(([B, T]) => {
  const environment = words(T - 1);
  const rows = randomRows(B, T, random);
  const batch = makeBatch(environment, rows);
  return { environment, rows, batch, scores: randomScores(batch, random) };
});
console.log(`| µs | ${sizes.map(([B, T]) => `${B} × ${T}`).join(" | ")} |`);
console.log(`| --- |${sizes.map(() => " --- |").join("")}`);
const made = batches.map(({ environment, rows }) => time(() => makeBatch(environment, rows)));
console.log(`| making the batch | ${made.join(" | ")} |`);
for (const [name, parameters] of cases) {
  const objective = objectiveNamed(name);
  const { evaluate } = objective;
  const state = { logZ: 1, parameters: parametersOf(objective, parameters) };
  const times = batches.map(({ batch, scores }) => time(() => evaluate(scores, batch, state)));
  const loss = parameters.residual_loss ? ` ${parameters.residual_loss}` : "";
  console.log(`| ${name}${loss} | ${times.join(" | ")} |`);
}
