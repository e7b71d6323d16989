/** Training without a pipeline: sample, learn, and again, on an environment with its own reward. */
import type { RandomStream } from "../../base/random.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import { objectiveNamed } from "../objectives/built_in_objectives.ts";
import type { Objective } from "../objectives/objective.ts";
import type { Policy } from "../policies/policy.ts";
import { readSettings, type Settings } from "../settings/read_settings.ts";
import type { Trajectory } from "../trajectories/trajectory.ts";
import { type Course, courseAt } from "./course.ts";
import { Learning } from "./learning.ts";
import { PolicyBehind } from "./policy_behind.ts";
import { promptsInTurn } from "./prompts_in_turn.ts";
import { requireFresh } from "./stale_batches.ts";
import { entryOf } from "../replay/replay_entry.ts";
import { ownLogRewards } from "./own_entries.ts";
import { type GivenTrainingSettings, trainingSettings } from "./training_settings.ts";

/** Length, objective, settings and exploration of training. */
export interface TrainOptions {
  /** A built-in objective by its name, or one made with `defineObjective`. */
  readonly objective: string | Objective;
  /** Parameters of the objective, by their names in a pipeline: `{ lambda: 0.9 }`. */
  readonly parameters?: Settings;
  /** Replay, learning rates, …, as a stage of kind `learn` states them: `{ learning_rate: 0.01 }`. */
  readonly settings?: GivenTrainingSettings;
  /** Number of batches. */
  readonly steps: number;
  /** Trajectories of a batch. */
  readonly batchSize: number;
  /** Share of uniform choice in the behaviour, in [0, 1]; 0 if left out. */
  readonly epsilon?: number | Course;
  /** Temperature of the behaviour; 1 if left out. */
  readonly temperature?: number | Course;
  /**
   * Steps by which the policy that samples a batch is older than the one that learns from it, at
   * most: as in a loop of a pipeline with this `staleness`; 0 if left out.
   */
  readonly staleness?: number;
  /** Source of randomness of trajectories and replay. */
  readonly random: RandomStream;
  /** Prompts of the policy, in turn; none if left out. */
  readonly prompts?: readonly Prompt[];
  /** Trajectories of each prompt in a batch; as many as there is room for if left out. */
  readonly groupSize?: number;
}

/** Result of one step. */
export interface TrainingStep {
  /** Number of the step, from 1. */
  readonly step: number;
  /** Mean loss over the batch. */
  readonly loss: number;
  /** `log_z`, `gradient_norm`, `learning_rate` and those of the objective. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Fresh trajectories. */
  readonly trajectories: readonly Trajectory[];
}

/**
 * Trains a policy in place, a batch at a time: break off when you have seen enough. It is the loop
 * of a pipeline's stages `sample` and `learn`.
 *
 * @throws InputError for wrong parameters and settings, and where the environment has no reward.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { train } from "./train.ts";
 *
 * const numbers = environmentNamed("numbers", { max: 9, base: 10 });
 * const policy = await createPolicy({ kind: "table" }, numbers, "seed");
 * const random = new RandomStream("seed", "train");
 * const options = { objective: "trajectory_balance", steps: 3, batchSize: 8, random };
 * for await (const { step, loss } of train(policy, numbers, options)) {
 *   assert.ok(Number.isFinite(loss), `${step}`);
 * }
 * ```
 */
export async function* train(
  policy: Policy,
  environment: Environment,
  options: TrainOptions,
): AsyncGenerator<TrainingStep> {
  const { objective: named, parameters = {}, steps, batchSize: count, random } = options;
  const objective = typeof named === "string" ? objectiveNamed(named) : named;
  const reading = { what: "training", code: "train/settings" };
  const settings = readSettings(trainingSettings, options.settings ?? {}, reading);
  const learning = new Learning(objective, parameters, settings);
  requireFresh(objective, settings, options.staleness ?? 0);
  const behind = new PolicyBehind(policy, options.staleness ?? 0);
  for (let step = 1; step <= steps; step++) {
    const fraction = (step - 1) / steps;
    const epsilon = courseAt(options.epsilon ?? 0, fraction);
    const temperature = courseAt(options.temperature ?? 1, fraction);
    const asked = promptsOf(options, step);
    const behaviour = { count, random, epsilon, temperature, ...asked };
    const trajectories = await (await behind.next()).sample(environment, behaviour);
    const rewards = ownLogRewards(environment, trajectories);
    const fresh = trajectories.map((one, i) => entryOf(one, rewards[i]));
    const { metrics } = await learning.step(policy, environment, fresh, { fraction, random });
    yield { step, loss: metrics.loss, metrics, trajectories };
  }
}

/** `[batchSize]` prompts of a step. */
function promptsOf({ prompts, groupSize, batchSize }: TrainOptions, step: number) {
  return prompts ? { prompts: promptsInTurn(prompts, step, batchSize, groupSize) } : {};
}
