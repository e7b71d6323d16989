/** The learner: what the stage kind `learn` keeps between steps, and one step of it. */
import { inputError } from "../base/diagnostic.ts";
import { makeBatch } from "../gfn/batch.ts";
import { makeScalarAdam, type ScalarAdam } from "../gfn/scalar_adam.ts";
import { estimateLogZ } from "../gfn/log_z.ts";
import type { Objective } from "../gfn/objective.ts";
import { builtInObjectives } from "../gfn/objectives/mod.ts";
import { ReplayBuffer, type ReplayEntry } from "../gfn/replay.ts";
import { rateAt } from "../gfn/schedule.ts";
import type { Batch, Scores } from "../gfn/trajectory.ts";
import type { StageContext } from "../runner/stage.ts";
import { bytesJson, jsonBytes } from "./json_codec.ts";
import type { LearningRate } from "./policy_config.ts";
import { trajectoryRow } from "./trajectory_rows.ts";
import type { LogRewards, SampledTrajectories, TrainedPolicy } from "./values.ts";

/** Parameters of `learn`, as its schema gives them. */
export interface LearnParams {
  readonly objective: string;
  readonly flow: "learned" | "exact_where_terminable";
  readonly lambda: number;
  readonly residual_loss: "squared" | "log_cosh";
  readonly replay?: { readonly capacity: number; readonly fraction: number };
  readonly learning_rate: LearningRate;
  readonly log_z_learning_rate: number;
  readonly clip_norm: number;
}

interface LearnInputs {
  readonly policy: TrainedPolicy;
  readonly trajectories: SampledTrajectories;
  readonly log_reward: LogRewards;
}

interface LearnOutputs {
  readonly policy: TrainedPolicy;
}

/** What a learner writes into a checkpoint, beside the parameters that the loop's state holds. */
interface Saved {
  readonly logZ: number | null;
  readonly adam: unknown;
  readonly replay: string;
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
  readonly #adam: ScalarAdam = makeScalarAdam();
  #logZ: number | undefined;
  #policy: TrainedPolicy | undefined;
  #pendingOptimizer: Uint8Array | undefined;

  constructor(params: LearnParams) {
    this.#params = params;
    this.#replay = new ReplayBuffer(params.replay?.capacity ?? 1);
  }

  async run(context: StageContext, inputs: LearnInputs): Promise<LearnOutputs> {
    const objective = findObjective(this.#params.objective, context);
    await this.#restoreOptimizer(inputs.policy);
    const fresh = freshEntries(inputs);
    const replayed = this.#draw(context, fresh.length);
    const batch = batchOf(inputs.trajectories, [...fresh, ...replayed]);
    const scores = await inputs.policy.policy.score(batch, { grad: true });
    const metrics = await this.#update(context, objective, inputs.policy, scores, batch);
    const trained = this.#trained(context, inputs, metrics.log_z);
    if (this.#params.replay) { for (const entry of fresh) this.#replay.add(entry); }
    report(context, metrics, replayed, scores, batch, fresh.length);
    return { policy: trained };
  }

  #draw(context: StageContext, fresh: number): readonly ReplayEntry[] {
    const { replay } = this.#params;
    if (!replay) return [];
    return this.#replay.sample(Math.round(fresh * replay.fraction), context.random("replay"));
  }

  async #update(
    context: StageContext,
    objective: Objective,
    { policy }: TrainedPolicy,
    scores: Scores,
    batch: Batch,
  ): Promise<Record<string, number>> {
    this.#logZ ??= estimateLogZ(scores, batch);
    const state = { logZ: this.#logZ, parameters: objectiveParameters(this.#params) };
    const { loss, gradients, metrics } = objective.evaluate(scores, batch, state);
    if (!Number.isFinite(loss)) throw new Error(`The loss of ${objective.name} is ${loss}`);
    await policy.backward(scores, gradients);
    const fraction = (context.step - 1) / Math.max(1, context.steps);
    const learningRate = rateAt(this.#params.learning_rate, fraction);
    const { gradientNorm } = await policy.step({ learningRate, clipNorm: this.#params.clip_norm });
    if (objective.learnsLogZ) this.#stepLogZ(gradients.logZ, fraction);
    const logZ: Record<string, number> = objective.learnsLogZ ? { log_z: this.#logZ } : {};
    return { loss, ...logZ, gradient_norm: gradientNorm, learning_rate: learningRate, ...metrics };
  }

  #stepLogZ(gradient: number, fraction: number): void {
    const { learning_rate: rate, log_z_learning_rate: start } = this.#params;
    const scheduled = typeof rate === "number" ? start : rateAt({ ...rate, start }, fraction);
    this.#logZ = this.#logZ! + this.#adam.step(gradient, scheduled);
  }

  #trained(context: StageContext, inputs: LearnInputs, logZ: number | undefined): TrainedPolicy {
    this.#policy = {
      policy: inputs.policy.policy,
      trajectories: inputs.policy.trajectories + inputs.trajectories.trajectories.length,
      distinctEvaluations: context.distinctEvaluations,
      ...(logZ === undefined ? {} : { logZ }),
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
      logZ: this.#logZ ?? null,
      adam: this.#adam.save(),
      replay: this.#replay.save().toBase64(),
      optimizer: optimizer.toBase64(),
    };
    return jsonBytes(saved);
  }

  load(bytes: Uint8Array): Promise<void> {
    const saved = bytesJson<Saved>(bytes);
    this.#logZ = saved.logZ ?? undefined;
    this.#adam.load(saved.adam);
    this.#replay.load(Uint8Array.fromBase64(saved.replay));
    const optimizer = Uint8Array.fromBase64(saved.optimizer);
    this.#pendingOptimizer = optimizer.length > 0 ? optimizer : undefined;
    return Promise.resolve();
  }
}

/** Those that a built-in objective reads; all of them for an objective of one's own. */
function objectiveParameters({ objective, flow, lambda, residual_loss }: LearnParams) {
  const all = { flow, lambda, residual_loss };
  const names = builtInObjectives.get(objective)?.parameterNames ?? Object.keys(all);
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

function findObjective(name: string, context: StageContext): Objective {
  const builtIn = builtInObjectives.get(name);
  if (builtIn) return builtIn;
  const plugin = context.plugin(name) as Partial<Objective> | undefined;
  if (typeof plugin?.evaluate === "function" && typeof plugin.name === "string") {
    return plugin as Objective;
  }
  const hint = "write: export default defineObjective({ name, version: 1, learnsLogZ, evaluate })";
  const message = `Cannot use the objective ${name}: its default export is not an objective`;
  throw inputError("plugin/objective", message, undefined, hint);
}

function freshEntries({ trajectories, log_reward }: LearnInputs): ReplayEntry[] {
  return trajectories.trajectories.map(({ actions, text }, i) => ({
    actions,
    text,
    logReward: [...log_reward.values[i]],
  }));
}

function batchOf({ environment }: SampledTrajectories, entries: readonly ReplayEntry[]): Batch {
  return makeBatch(environment, entries, entries.map((entry) => entry.logReward));
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
    const trajectory = { actions, text, logPf, logPb: 0, logPrior: NaN };
    return trajectoryRow(trajectory, first + i, logReward[logReward.length - 1], true);
  });
  context.rows("trajectory", rows);
  const { loss, log_z } = metrics;
  context.progress({ loss, ...(log_z === undefined ? {} : { log_z }) });
}

function rowSum(values: Float64Array, { T, lengths }: Batch, row: number): number {
  return values.subarray(row * T, row * T + lengths[row]).reduce((sum, value) => sum + value, 0);
}
