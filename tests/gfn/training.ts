/** Training on test trees: sample, score, objective, backward, step; as the learner does. */
import type { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { estimateLogZ } from "../../src/gfn/trajectories/log_z.ts";
import type { Objective } from "../../src/gfn/objectives/objective.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { makeScalarAdam } from "../../src/gfn/train/scalar_adam.ts";
import type { Scores } from "../../src/gfn/trajectories/trajectory.ts";
import { treeBatch } from "./tree_batch.ts";

export interface Training {
  readonly objective: Objective;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly steps: number;
  readonly count: number;
  readonly learningRate: (fraction: number) => number;
  readonly random: RandomStream;
}

/** Trains in place; returns the losses and the learned log Z. */
export async function train(policy: Policy, environment: Environment, training: Training) {
  const { objective, parameters = {}, steps, count, random } = training;
  const adam = makeScalarAdam();
  const losses: number[] = [];
  let logZ: number | undefined;
  for (let step = 0; step < steps; step++) {
    const options = { count, random, epsilon: objective.onPolicy ? 0 : 0.1, temperature: 1 };
    const sampled = await policy.sample(environment, options);
    const batch = treeBatch(environment, sampled.map((trajectory) => trajectory.actions));
    const learningRate = training.learningRate(step / steps);
    let first: Scores | undefined;
    for (let k = 0; k < (objective.stepsPerBatch?.(parameters) ?? 1); k++) {
      const scores = await policy.score(batch, { grad: true });
      logZ ??= estimateLogZ(scores, batch);
      const state = { logZ, parameters, fraction: step / steps, ...(first && { first }) };
      const { loss, gradients } = objective.evaluate(scores, batch, state);
      await policy.backward(scores, gradients);
      await policy.step({ learningRate, clipNorm: 10 });
      if (objective.moves.includes("log_z")) logZ += adam.step(gradients.logZ, learningRate);
      losses.push(loss);
      first ??= scores;
    }
  }
  return { losses, logZ };
}
