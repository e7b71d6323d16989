/** Maximum likelihood and policy gradients once more, as their papers write them. */
import assert from "node:assert/strict";
import { logPolicy } from "./log_policy.ts";
import { RandomStream } from "../../src/base/random.ts";
import { fitToTarget } from "../../src/gfn/baselines/capacity_floor.ts";
import { divergences } from "../../src/gfn/evaluation/divergences.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { enumeratedTarget } from "../../src/gfn/evaluation/exact.ts";
import { plainObjective } from "./plain_objective.ts";
import { optimalFlow, optimalScores } from "../../src/gfn/evaluation/optimal_flow.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { randomPolicy, scoresUnder } from "./exact_gradient.ts";
import { manyWays, smallGrid } from "./objective_cases.ts";
import { treeBatch, wholeTree } from "./tree_batch.ts";
import { mixedTree, threeLeaves } from "./tree_environment.ts";

const objective = plainObjective;

/** Values of one trajectory that the definitions read. */
interface Path {
  readonly logPf: readonly number[];
  readonly firstLogPf: readonly number[];
  readonly logPrior: readonly number[];
  readonly head: readonly number[];
  readonly firstHead: readonly number[];
  /** log R − log prior of the object. */
  readonly reward: number;
}

function pathsOf(batch: Batch, scores: Scores, first: Scores): Path[] {
  return Array.from({ length: batch.B }, (_, b) => {
    const n = batch.lengths[b];
    const part = (values: Float64Array) => [...values.subarray(b * batch.T, b * batch.T + n)];
    return {
      logPf: part(scores.logPf),
      firstLogPf: part(first.logPf),
      logPrior: part(batch.logPrior),
      head: part(scores.logFlow),
      firstHead: part(first.logFlow),
      reward: batch.logReward[b * batch.T + n - 1] - batch.objectLogPrior[b],
    };
  });
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const mean = (values: readonly number[]) => sum(values) / values.length;

/** G(τ) of the policy that sampled. */
const returnOf = ({ firstLogPf, logPrior, reward }: Path, kl: number) =>
  reward - kl * sum(firstLogPf.map((p, t) => p - logPrior[t]));

/** −mean over trajectories of Σ min(ρ A, clip(ρ) A). */
function clipped(
  paths: readonly Path[],
  clip: number,
  advantage: (b: number, t: number) => number,
) {
  return -mean(paths.map(({ logPf, firstLogPf }, b) =>
    sum(logPf.map((p, t) => {
      const [ratio, A] = [Math.exp(p - firstLogPf[t]), advantage(b, t)];
      return Math.min(ratio * A, Math.min(Math.max(ratio, 1 - clip), 1 + clip) * A);
    }))
  ));
}

function grpoLoss(paths: readonly Path[], kl: number, clip: number): number {
  const returns = paths.map((path) => returnOf(path, kl));
  const spread = Math.sqrt(mean(returns.map((g) => (g - mean(returns)) ** 2))) + 1e-4;
  return clipped(paths, clip, (b) => (returns[b] - mean(returns)) / spread);
}

interface PpoOptions {
  readonly kl: number;
  readonly clip: number;
  readonly trace: number;
  readonly isTree: boolean;
}

/** Advantages by the double sum Σ_l trace^l δ_{t+l}, and half the critic's mean squared error. */
function ppoLoss(paths: readonly Path[], logZ: number, options: PpoOptions): number {
  const { kl, clip, trace, isTree } = options;
  const critic = (path: Path, head: readonly number[], t: number) =>
    t === head.length
      ? 0
      : logZ + head[t] - head[0] - (isTree ? sum(path.logPrior.slice(0, t)) : 0);
  const advantages = paths.map((path) => {
    const n = path.logPf.length;
    const delta = (t: number) =>
      kl * (path.logPrior[t] - path.firstLogPf[t]) + (t === n - 1 ? path.reward : 0) +
      critic(path, path.firstHead, t + 1) - critic(path, path.firstHead, t);
    return path.logPf.map((_, t) => {
      let advantage = 0;
      for (let l = t; l < n; l++) advantage += trace ** (l - t) * delta(l);
      return advantage;
    });
  });
  const errors = paths.flatMap((path, b) =>
    path.head.map((_, t) => {
      const wanted = critic(path, path.firstHead, t) + advantages[b][t];
      return (critic(path, path.head, t) - wanted) ** 2;
    })
  );
  return clipped(paths, clip, (b, t) => advantages[b][t]) + 0.5 * mean(errors);
}

interface Subject {
  readonly batch: Batch;
  readonly scores: Scores;
  readonly first: Scores;
}

function subjects(): Subject[] {
  const of = (environment: Environment, batch: Batch): Subject => ({
    batch,
    scores: scoresUnder(randomPolicy(environment, "second"), batch),
    first: scoresUnder(randomPolicy(environment, "first"), batch),
  });
  return [
    of(mixedTree() as Environment, wholeTree(mixedTree())),
    of(smallGrid(), manyWays(smallGrid(), 1)),
  ];
}

const near = (found: number, wanted: number) =>
  assert.ok(Math.abs(found - wanted) < 1e-10 * Math.max(1, Math.abs(wanted)), `${found} ${wanted}`);

Deno.test("maximum_likelihood equals the double loop of its definition", () => {
  for (const { batch, scores, first } of subjects()) {
    const { loss } = objective("maximum_likelihood").evaluate(scores, batch, {
      logZ: 0,
      parameters: {},
    });
    near(loss, -mean(pathsOf(batch, scores, first).map(({ logPf }) => sum(logPf))));
  }
});

Deno.test("reinforce pulls each trajectory by what the mean of the others leaves of its return", () => {
  for (const kl of [0, 0.5, 1]) {
    for (const { batch, scores } of subjects()) {
      const state = { logZ: 0, parameters: { kl } };
      const { loss, gradients } = objective("reinforce").evaluate(scores, batch, state);
      const returns = pathsOf(batch, scores, scores).map((path) => returnOf(path, kl));
      near(loss, -mean(returns));
      returns.forEach((own, b) => {
        const advantage = own - mean(returns.filter((_, other) => other !== b));
        for (let t = 0; t < batch.lengths[b]; t++) {
          near(gradients.logPf[b * batch.T + t], -advantage / batch.B);
        }
      });
    }
  }
});

for (const kl of [0, 0.5, 1]) {
  Deno.test(`grpo at kl = ${kl} equals the double loop of its definition`, () => {
    for (const { batch, scores, first } of subjects()) {
      for (const clip of [0.05, 0.2]) {
        const state = { logZ: 0, parameters: { kl, clip }, first };
        const { loss } = objective("grpo").evaluate(scores, batch, state);
        near(loss, grpoLoss(pathsOf(batch, scores, first), kl, clip));
      }
    }
  });

  Deno.test(`ppo at kl = ${kl} equals the double loop of its definition`, () => {
    for (const { batch, scores, first } of subjects()) {
      for (const [clip, trace] of [[0.05, 1], [0.2, 0.7]]) {
        const state = { logZ: 0.4, parameters: { kl, clip, trace }, first };
        const { loss } = objective("ppo").evaluate(scores, batch, state);
        const options = { kl, clip, trace, isTree: batch.backward === undefined };
        near(loss, ppoLoss(pathsOf(batch, scores, first), 0.4, options));
      }
    }
  });
}

/** Each object of a tree as often as its reward, a whole number, says. */
function inProportion(environment: Environment): Batch {
  const rows = [...environment.enumerate()].flatMap(({ actions, logReward }) =>
    Array.from({ length: Math.round(Math.exp(logReward!)) }, () => [...actions])
  );
  return treeBatch(environment, rows);
}

Deno.test("given the target's own objects, maximum_likelihood is their entropy and at rest at the optimum", () => {
  const environment = threeLeaves() as Environment;
  const batch = inProportion(environment);
  const flow = optimalFlow(environment);
  const scores = optimalScores(flow, batch);
  const state = { logZ: 0, parameters: {} };
  const { loss, gradients } = objective("maximum_likelihood").evaluate(scores, batch, state);
  const target = [...environment.enumerate()].map(({ logReward }) => logReward! - flow.logFlow[0]);
  near(loss, -sum(target.map((logP) => Math.exp(logP) * logP)));
  // In every state the pull on the actions is in proportion to their probability.
  const pulls = new Map<string, number>();
  const visits = new Map<string, number>();
  batch.states.index.forEach((index, at) => {
    if (index < 0) return;
    const key = `${index} ${batch.actions[at]}`;
    pulls.set(key, (pulls.get(key) ?? 0) + gradients.logPf[at]);
    visits.set(`${index}`, (visits.get(`${index}`) ?? 0) - gradients.logPf[at]);
  });
  batch.states.index.forEach((index, at) => {
    if (index < 0) return;
    const wanted = -visits.get(`${index}`)! * Math.exp(scores.logPf[at]);
    near(pulls.get(`${index} ${batch.actions[at]}`)!, wanted);
  });
});

Deno.test("maximum_likelihood on exact samples brings a table to the target of three leaves", async () => {
  const environment = threeLeaves() as Environment;
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (object) => object.logReward!);
  const target = enumeratedTarget(environment, objects, logReward);
  const policy = await createPolicy({ kind: "table" }, environment, "likelihood");
  const random = new RandomStream("likelihood");
  await fitToTarget(policy, target, { steps: 300, batchSize: 64, learningRate: 0.1, random });
  const { totalVariation } = divergences(target.logTarget, await logPolicy(policy, target));
  assert.ok(totalVariation < 0.02, `${totalVariation}`);
});
