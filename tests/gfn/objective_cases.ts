/** Objectives with parameters, and small environments, for the laws that all of them keep. */
import { RandomStream } from "../../src/base/random.ts";
import { resampleBackward } from "../../src/gfn/environments/walk_back.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { stringsEnvironment } from "../../src/gfn/environments/strings.ts";
import type { OptimumOptions } from "../../src/gfn/evaluation/optimal_flow.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { residualLossNames } from "../../src/gfn/objectives/residual_loss.ts";
import type { StateGraph } from "../../src/gfn/environments/state_graph.ts";
import { logSumExp } from "../../src/numerics/math/log_sum_exp.ts";
import { TreeEnvironment } from "./tree_environment.ts";

/** An objective's name with parameters. */
export type Case = readonly [string, Readonly<Record<string, unknown>>];

const losses = residualLossNames.map((residual_loss) => ({ residual_loss }));

/** Balance objectives that every environment can be learned with. */
export const balanced: readonly Case[] = [
  ...losses.map((one) => ["trajectory_balance", one] as const),
  ...losses.map((one) => ["detailed_balance", one] as const),
  ["weighted_detailed_balance", {}],
  ["weighted_detailed_balance", { residual_loss: "log_cosh" }],
  ["log_partition_variance", {}],
  ...["learned", "exact_where_terminable"].flatMap((flow) =>
    [0.5, 1, 1.9].flatMap((lambda) =>
      ["squared", "log_cosh"].map((residual_loss) =>
        ["sub_trajectory_balance", { flow, lambda, residual_loss }] as const
      )
    )
  ),
  ["sub_trajectory_balance", { residual_loss: "shifted_cosh" }],
  ["modified_sub_trajectory_balance", {}],
  ["modified_sub_trajectory_balance", { lambda: 0.9 }],
  ["modified_sub_trajectory_balance", { lambda: 1.5, residual_loss: "linex" }],
];

/** Those for environments in which every state may stop. */
export const terminableOnly: readonly Case[] = [
  ["modified_detailed_balance", {}],
  ["modified_detailed_balance", { residual_loss: "log_cosh" }],
  ["forward_looking_detailed_balance", {}],
  ["forward_looking_detailed_balance", { residual_loss: "huber" }],
  ["forward_looking_sub_trajectory_balance", { lambda: 0.9 }],
  ["forward_looking_sub_trajectory_balance", { residual_loss: "log_cosh" }],
];

/** Those for environments with one way to each state. */
export const treesOnly: readonly Case[] = [
  ["relative_trajectory_balance", {}],
  ["relative_trajectory_balance", { residual_loss: "log_cosh" }],
  ["forward_looking_detailed_balance", { partial_reward: "prior" }],
  ["forward_looking_sub_trajectory_balance", { partial_reward: "prior" }],
];

/** A tree in which every state may stop. */
export function terminableTree(): TreeEnvironment {
  return new TreeEnvironment({
    logReward: 0.3,
    children: {
      1: { logReward: -2, children: { 3: { logReward: 1 } } },
      2: {
        logReward: 2,
        children: { 1: { logReward: -0.5, children: { 2: { logReward: 0.1 } } } },
      },
    },
  }, 3);
}

/** 3 × 3 cells: every state may stop. */
export const smallGrid = (): Environment =>
  hypergridEnvironment({ ndim: 2, height: 3, r0: 0.1, r1: 0.5, r2: 2 }) as Environment;

/** 27 strings of three blocks from both ends: only full ones may stop. */
export const smallStrings = (): Environment =>
  stringsEnvironment({ blocks: 3, length: 3, exponent: 2, floor: 0.1, seed: 3 }) as Environment;

/** Every object, by several ways. */
export function manyWays(environment: Environment, ways = 3): Batch {
  const random = new RandomStream("ways");
  const rows = [...environment.enumerate()].flatMap(({ actions }) =>
    Array.from({ length: ways }, () => ({
      actions: resampleBackward(environment, actions, random),
    }))
  );
  return makeBatch(environment, rows);
}

/** A backward policy that is not uniform: random, normalised over the steps into each state. */
export const unevenPb: OptimumOptions["logPb"] = (graph) => {
  const random = new RandomStream("uneven");
  return normalised(graph, Float64Array.from(graph.to, () => 2 * random.uniform()));
};

/** The way back that the prior over actions implies. */
export const priorPb: OptimumOptions["logPb"] = (graph) => {
  const { states, firstStep, action, from, to, environment } = graph;
  const visits = new Float64Array(states.length);
  visits[0] = 1;
  states.forEach((state, i) => {
    const prior = environment.logPrior(state);
    for (let step = firstStep[i]; step < firstStep[i + 1]; step++) {
      visits[to[step]] += visits[i] * Math.exp(prior[action[step]]);
    }
  });
  const weights = Float64Array.from(to, (_, step) => {
    const prior = environment.logPrior(states[from[step]])[action[step]];
    return Math.log(visits[from[step]]) + prior;
  });
  return normalised(graph, weights);
};

function normalised({ states, to }: StateGraph<unknown>, weights: Float64Array): Float64Array {
  const into: number[][] = states.map(() => []);
  to.forEach((child, step) => into[child].push(weights[step]));
  const totals = into.map((values) => logSumExp(values));
  return weights.map((value, step) => value - totals[to[step]]);
}

/** Scores without meaning; with a log P_B too where the environment has a way back. */
export function meaninglessScores(batch: Batch, ...key: readonly string[]): Scores {
  const random = new RandomStream("scores", ...key);
  const draw = () =>
    Float64Array.from({ length: batch.B * batch.T }, () => 2 * random.uniform() - 1);
  const scores = { logPf: draw(), logExit: draw(), logFlow: draw(), handle: 0 };
  return batch.backward ? { ...scores, logPb: draw() } : scores;
}
