/** The learner: what the stage kind `learn` keeps between steps, and one step of it. */
import { inputError } from "../../src/base/diagnostic.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import { estimateLogZ } from "../../src/gfn/trajectories/log_z.ts";
import type { Objective } from "../../src/gfn/objectives/objective.ts";
import { builtInObjectives } from "../../src/gfn/objectives/mod.ts";
import { ReplayBuffer } from "../../src/gfn/replay/replay.ts";
import type { ReplayEntry } from "../../src/gfn/replay/replay_entry.ts";
import { rewardExponentAt } from "../../src/gfn/train/reward_exponent.ts";
import { rateAt } from "../../src/gfn/train/schedule.ts";
import type { Batch, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import { freshEntries } from "./fresh_entries.ts";
import { bytesJson, jsonBytes } from "../ports/json_codec.ts";
import {
  checkReplay,
  findObjective,
  type LearnParams,
  objectiveParameters,
  type ReplayParams,
} from "./params.ts";
import { LogZEstimate } from "./log_z_estimate.ts";
import { trajectoryRow } from "../common/trajectory_rows.ts";
import type { LogRewards, SampledTrajectories, TrainedPolicy } from "../ports/values.ts";
import { VisitedObjects } from "./visited_objects.ts";

export type { LearnParams } from "./params.ts";

interface LearnInputs {
  readonly policy: TrainedPolicy;
  readonly trajectories: SampledTrajectories;
  readonly log_reward?: LogRewards;
}

interface LearnOutputs {
  readonly policy: TrainedPolicy;
}

/** What a learner writes into a checkpoint, beside the parameters that the loop's state holds. */
interface Saved {
  readonly logZ: unknown;
  readonly replay: string;
  readonly visited: readonly string[];
  readonly optimizer: string;
}

/** A learner with an empty replay buffer and no estimate of log Z yet. */
export function makeLearner(params: LearnParams): Learner {
  return new Learner(params);
}

/** Steps a policy by an objective; keeps replay, log Z and the moments of both optimisers. */
export class Learner {
  readonly #params: LearnParams;
  readonly #replay: ReplayBuffer;
  readonly #logZ: LogZEstimate;
  readonly #visited: VisitedObjects;
  #policy: TrainedPolicy | undefined;
  #pendingOptimizer: Uint8Array | undefined;

  constructor(params: LearnParams) {
    this.#params = params;
    this.#replay = makeReplay(params.replay);
    this.#logZ = new LogZEstimate(params.log_z ?? "regression", params.log_z_start);
    this.#visited = new VisitedObjects(params);
  }

  async run(context: StageContext, inputs: LearnInputs): Promise<LearnOutputs> {
    const objective = findObjective(this.#params.objective, context);
    checkReplay(objective, this.#params);
    if (objective.onPolicy && context.step <= 1) warnOfExploration(context, objective, inputs);
    await this.#restoreOptimizer(inputs.policy);
    const fresh = freshEntries(inputs.trajectories, inputs.log_reward, this.#params);
    const replayed = this.#draw(context, fresh.length);
    const batch = this.#batch(context, inputs.trajectories, [...fresh, ...replayed]);
    requirePairs(objective, batch);
    const { metrics, scores } = await this.#update(context, objective, inputs.policy, batch);
    if (!inputs.log_reward) this.#visited.add(context, inputs.trajectories, fresh, batch);
    const trained = await this.#trained(context, objective, inputs, metrics.log_z);
    if (this.#params.replay) { for (const entry of fresh) this.#replay.add(entry); }
    report(context, metrics, replayed, scores, batch, fresh.length);
    return { policy: trained };
  }

  #draw(context: StageContext, fresh: number): readonly ReplayEntry[] {
    const { replay } = this.#params;
    if (!replay) return [];
    return this.#replay.sample(Math.round(fresh * replay.fraction), context.random("replay"));
  }

  /** Fresh and replayed entries at the present reward exponent. */
  #batch(
    context: StageContext,
    { environment }: SampledTrajectories,
    entries: readonly ReplayEntry[],
  ): Batch {
    const beta = rewardExponentAt(this.#params.reward_exponent, fractionOf(context));
    if (this.#params.reward_exponent) context.metric("reward_exponent", beta);
    const logRewards = entries.map(({ logReward }) => logReward.map((one) => beta * one));
    return makeBatch(environment, entries, logRewards);
  }

  /** One gradient step, or several on one batch where the objective asks for them. */
  async #update(
    context: StageContext,
    objective: Objective,
    { policy }: TrainedPolicy,
    batch: Batch,
  ): Promise<{ readonly metrics: Record<string, number>; readonly scores: Scores }> {
    const parameters = objectiveParameters(this.#params);
    const steps = objective.stepsPerBatch?.(parameters) ?? 1;
    const rates = this.#rates(context);
    let first: Scores | undefined;
    let measured: Record<string, number> = {};
    for (let k = 0; k < steps; k++) {
      const scores = await policy.score(batch, { grad: true });
      const logZ = this.#logZ.at(estimateLogZ(scores, batch));
      const state = { logZ, parameters, fraction: fractionOf(context), ...(first && { first }) };
      const { loss, gradients, metrics } = objective.evaluate(scores, batch, state);
      if (!Number.isFinite(loss)) throw divergedError(objective, loss);
      await policy.backward(scores, gradients);
      const { gradientNorm } = await policy.step(rates.step);
      const learned: Record<string, number> = objective.learnsLogZ
        ? { log_z: this.#logZ.step(gradients.logZ, rates.logZ) }
        : {};
      const rate = { gradient_norm: gradientNorm, learning_rate: rates.step.learningRate };
      measured = { loss, ...learned, ...rate, ...metrics };
      first ??= scores;
    }
    return { metrics: measured, scores: first! };
  }

  #rates(context: StageContext) {
    const { learning_rate: rate, clip_norm: clipNorm, average_decay: averageDecay } = this.#params;
    const fraction = fractionOf(context);
    const scaled = (start: number) =>
      typeof rate === "number" ? start : rateAt({ ...rate, start }, fraction);
    const { flow_learning_rate: flow, log_z_learning_rate: logZ } = this.#params;
    const step = {
      learningRate: rateAt(rate, fraction),
      clipNorm,
      ...(flow === undefined ? {} : { flowLearningRate: scaled(flow) }),
      ...(averageDecay === undefined ? {} : { averageDecay }),
    };
    return { step, logZ: scaled(logZ) };
  }

  async #trained(
    context: StageContext,
    objective: Objective,
    { policy, trajectories, log_reward }: LearnInputs,
    logZ: number | undefined,
  ): Promise<TrainedPolicy> {
    const moved = movesOptimum(objective, this.#params, policy);
    if (context.step <= 1) { for (const line of moved) context.log(line, "warning"); }
    const last = context.step === context.steps && this.#params.average_decay !== undefined;
    this.#policy = {
      policy: last ? await policy.policy.averaged() : policy.policy,
      trajectories: policy.trajectories + trajectories.trajectories.length,
      distinctEvaluations: log_reward ? context.distinctEvaluations : this.#visited.size,
      ...(logZ === undefined ? {} : { logZ }),
      ...(moved.length === 0 ? {} : { movesOptimum: moved }),
    };
    return this.#policy;
  }

  async #restoreOptimizer({ policy }: TrainedPolicy): Promise<void> {
    const bytes = this.#pendingOptimizer;
    this.#pendingOptimizer = undefined;
    if (bytes) await policy.loadOptimizer(bytes);
  }

  async save(): Promise<Uint8Array> {
    const optimizer = await this.#policy?.policy.saveOptimizer() ?? new Uint8Array();
    const saved: Saved = {
      logZ: this.#logZ.save(),
      replay: this.#replay.save().toBase64(),
      visited: this.#visited.save(),
      optimizer: optimizer.toBase64(),
    };
    return jsonBytes(saved);
  }

  load(bytes: Uint8Array): Promise<void> {
    const saved = bytesJson<Saved>(bytes);
    this.#logZ.load(saved.logZ);
    this.#replay.load(Uint8Array.fromBase64(saved.replay));
    this.#visited.load(saved.visited);
    const optimizer = Uint8Array.fromBase64(saved.optimizer);
    this.#pendingOptimizer = optimizer.length > 0 ? optimizer : undefined;
    return Promise.resolve();
  }
}

/** What is said where training has left the numbers: a step was too long, or an objective is wrong. */
function divergedError({ name }: Objective, loss: number): Error {
  const remedy = builtInObjectives.has(name)
    ? "lower learning_rate, log_z_learning_rate or clip_norm, which bounds a step's gradient"
    : `lower learning_rate, or see to it that ${name} returns a finite loss`;
  return new Error(`The loss of ${name} is ${loss}\n  mend: ${remedy}`);
}

/** The gradient of such an objective is biased where the behaviour is not the policy. */
function warnOfExploration(
  context: StageContext,
  { name }: Objective,
  { trajectories: { epsilon } }: LearnInputs,
): void {
  if (epsilon === 0) return;
  const why = `${name} is right for the policy's own trajectories only`;
  context.log(`${why}; ${epsilon} of the choices are uniform: leave out exploration`, "warning");
}

function fractionOf({ step, steps }: StageContext): number {
  return (step - 1) / Math.max(1, steps);
}

function makeReplay(replay: ReplayParams | undefined): ReplayBuffer {
  if (!replay) return new ReplayBuffer(1);
  const { capacity, choice: kind = "uniform", eviction = "oldest", power, top } = replay;
  const choice = {
    kind,
    ...(power === undefined ? {} : { power }),
    ...(top === undefined ? {} : { top }),
    ...(replay.top_share === undefined ? {} : { topShare: replay.top_share }),
  };
  return new ReplayBuffer(capacity, { eviction, choice });
}

/** A variance over one trajectory is no variance. */
function requirePairs({ name }: Objective, { B }: Batch): void {
  if (B > 1 || !["log_partition_variance", "grpo"].includes(name)) return;
  const message = `Cannot learn by ${name} from a batch of ${B}: it compares trajectories`;
  throw inputError("learn/batch-too-small", message, undefined, "set batch_size to 2 or more");
}

/** What the policy was trained on before, and now, that puts its optimum elsewhere than R / Z. */
function movesOptimum(
  objective: Objective,
  params: LearnParams,
  { movesOptimum: before = [] }: TrainedPolicy,
): readonly string[] {
  const now = objective.movesOptimum?.(objectiveParameters(params));
  return now === undefined || before.includes(now) ? before : [...before, now];
}

function report(
  context: StageContext,
  metrics: Record<string, number>,
  replayed: readonly ReplayEntry[],
  scores: Scores,
  batch: Batch,
  first: number,
): void {
  for (const [name, value] of Object.entries(metrics)) context.metric(name, value);
  const rows = replayed.map((entry, i) => {
    const { actions, text, logReward } = entry;
    const logPf = rowSum(scores.logPf, batch, first + i);
    const logPb = rowSum(scores.logPb ?? batch.logPb, batch, first + i);
    const trajectory = { actions, text, logPf, logPb, logPrior: NaN };
    return trajectoryRow(trajectory, first + i, logReward[logReward.length - 1], true);
  });
  context.rows("trajectory", rows);
  const { loss, log_z } = metrics;
  context.progress({ loss, ...(log_z === undefined ? {} : { log_z }) });
}

function rowSum(values: Float64Array, { T, lengths }: Batch, row: number): number {
  return values.subarray(row * T, row * T + lengths[row]).reduce((sum, value) => sum + value, 0);
}
