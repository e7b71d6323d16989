/** Gradient steps of an objective on batches: scores, loss, backward, step; log Z beside them. */
import { inputError } from "../../base/diagnostic.ts";
import { builtInObjectives } from "../objectives/built_in_objectives.ts";
import { type Objective, type ObjectiveResult, parametersOf } from "../objectives/objective.ts";
import { groupSizes } from "../objectives/prompt_groups.ts";
import type { Policy, StepOptions } from "../policies/policy.ts";
import { requireDecay } from "../policies/require_decay.ts";
import type { Settings } from "../settings/read_settings.ts";
import { logZetas } from "../trajectories/log_z.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";
import { LogZEstimates } from "./log_z_estimates.ts";

/** Step sizes of one update. */
export interface Stride {
  /** Options of the optimiser's step. */
  readonly step: StepOptions;
  /** Learning rate of log Z. */
  readonly logZ: number;
  /** Share of the training that is over, in [0, 1). */
  readonly fraction: number;
}

/** Results of an update. */
export interface Update {
  /** `loss`, `gradient_norm`, `learning_rate`, and those of the objective. */
  readonly metrics: Readonly<Record<string, number>>;
  /** Scores before the first step on this batch. */
  readonly scores: Scores;
}

/** Steps policies by one objective and keeps its log Z. */
export class Trainer {
  /** Parameters of the objective, with its defaults. */
  readonly parameters: Settings;

  /**
   * Reads the objective's parameters; keys that `given` lacks have their defaults.
   *
   * @throws InputError with every finding on `given`.
   */
  constructor(
    readonly objective: Objective,
    given: Settings = {},
    readonly logZ: LogZEstimates = new LogZEstimates("regression"),
  ) {
    this.parameters = parametersOf(objective, given);
  }

  /**
   * One gradient step, or several on one batch where the objective asks for them.
   *
   * @throws InputError if the batch is smaller than the objective needs, Error if the loss is not
   *   finite.
   */
  async update(policy: Policy, batch: Batch, stride: Stride): Promise<Update> {
    const { objective, parameters } = this;
    requireSize(objective, batch);
    requireFlow(objective, policy);
    requireDecay(policy, stride.step.weightDecay);
    const steps = objective.stepsPerBatch?.(parameters) ?? 1;
    let first: Scores | undefined;
    let metrics: Record<string, number> = {};
    for (let k = 0; k < steps; k++) {
      const scores = await policy.score(batch, { grad: true });
      metrics = await this.#step(policy, batch, scores, first, stride);
      first ??= scores;
    }
    return { metrics, scores: first! };
  }

  async #step(
    policy: Policy,
    batch: Batch,
    scores: Scores,
    first: Scores | undefined,
    { step, logZ: logZRate, fraction }: Stride,
  ): Promise<Record<string, number>> {
    const { objective, parameters } = this;
    const logZs = this.logZ.at(logZetas(scores, batch), batch);
    const logZ = { logZ: meanOf(logZs), ...(isAsked(batch) && { logZs }) };
    const state = { ...logZ, parameters, fraction, ...(first && { first }) };
    const { loss, gradients, metrics } = objective.evaluate(scores, batch, state);
    if (!Number.isFinite(loss)) throw diverged(objective, loss);
    await policy.backward(scores, gradients);
    const { gradientNorm } = await policy.step(step);
    const learned = this.#learnLogZ(gradients, batch, logZRate);
    const rate = { gradient_norm: gradientNorm, learning_rate: step.learningRate };
    return { loss, ...learned, ...rate, ...metrics };
  }

  /** One step of every log Z of the batch, where the objective moves it; the metric is their mean. */
  #learnLogZ(
    { logZ, logZs }: ObjectiveResult["gradients"],
    batch: Batch,
    rate: number,
  ): Record<string, number> {
    const { name, moves } = this.objective;
    if (!moves.includes("log_z")) return {};
    if (!logZs && isAsked(batch)) throw withoutParts(name);
    // One number, to the bit as the objective summed it, where nothing is asked.
    const parts = isAsked(batch) ? logZs! : Float64Array.of(logZ);
    const of = isAsked(batch) ? batch : { prompts: batch.prompts.slice(0, 1) };
    return { log_z: meanOf(this.logZ.step(parts, of, rate)) };
  }
}

/** Whether trajectories answer prompts. */
function isAsked({ prompts }: Batch): boolean {
  return prompts.some(({ id }) => id !== "");
}

/** Mean of values; their common value, to the bit, where all are equal. */
function meanOf(values: Float64Array): number {
  if (values.every((one) => one === values[0])) return values[0];
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** A variance over one trajectory is no variance, nor is one over a single answer to a prompt. */
function requireSize({ name, minimumBatch = 1 }: Objective, batch: Batch): void {
  const { B } = batch;
  const alone = groupSizes(batch).findIndex((size) => size < minimumBatch);
  if (isAsked(batch) && alone >= 0) throw tooFew(name, batch.prompts[alone].id, minimumBatch);
  if (B >= minimumBatch) return;
  const message = `Cannot learn by ${name} from a batch of ${B}: it compares trajectories`;
  const hint = `set batch_size to ${minimumBatch} or more`;
  throw inputError("learn/batch-too-small", message, undefined, hint);
}

function tooFew(name: string, id: string, wanted: number) {
  const message = `Cannot learn by ${name}: it compares trajectories of one prompt, and prompt ` +
    `${JSON.stringify(id)} has fewer than ${wanted} in a batch`;
  const hint = `set group_size to ${wanted} or more`;
  return inputError("learn/group-too-small", message, undefined, hint);
}

function withoutParts(name: string) {
  const message = `Cannot learn by ${name} with prompts: it gives dLoss/dlogZ as one number`;
  const hint = "return gradients.logZs as well, the part of each trajectory";
  return inputError("learn/log-z", message, undefined, hint);
}

/** A flow that nothing learns would stay where it is, and the objective would be another one. */
function requireFlow({ name, moves }: Objective, { kind, learnsNoFlow }: Policy): void {
  if (!learnsNoFlow || !moves.includes("flow")) return;
  const known = [...builtInObjectives.values()].filter((one) => !one.moves.includes("flow"));
  const message =
    `Cannot learn by ${name}: a policy of kind ${kind} has no flow of states to learn`;
  const hint = `choose one of ${known.map((one) => one.name).join(", ")}`;
  throw inputError("learn/flow", message, undefined, hint);
}

/** Error for a loss that is not finite: a step was too long, or an objective is wrong. */
function diverged(objective: Objective, loss: number): Error {
  const { name } = objective;
  const remedy = builtInObjectives.get(name) === objective
    ? "lower learning_rate, log_z_learning_rate or clip_norm, which bounds a step's gradient"
    : `lower learning_rate, or see to it that ${name} returns a finite loss`;
  return new Error(`The loss of ${name} is ${loss}\n  mend: ${remedy}`);
}
