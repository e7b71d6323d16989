/** The learner: state that the stage kind `learn` keeps between steps, and one step of it. */
import { type Objective, readsOf } from "../../src/gfn/objectives/mod.ts";
import type { Batch, ReplayEntry } from "../../src/gfn/environments/mod.ts";
import { type Learned, Learning, requireFresh } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { freshEntries } from "./fresh_entries.ts";
import { knownEntries, requireSameQuestions } from "./known_rewards.ts";
import { bytesJson, jsonBytes } from "../ports/json_codec.ts";
import { findObjective, type LearnParams, objectiveParameters } from "./params.ts";
import { stalenessOf } from "../common/staleness.ts";
import { trajectoryRow } from "../common/trajectory_rows.ts";
import type { LogRewards, SampledTrajectories, ScoredSet, TrainedPolicy } from "../ports/values.ts";
import { ScoredWays } from "./scored_ways.ts";
import { VisitedObjects } from "./visited_objects.ts";

export type { LearnParams } from "./params.ts";

interface LearnInputs {
  readonly policy: TrainedPolicy;
  readonly trajectories: SampledTrajectories;
  readonly log_reward?: LogRewards;
  readonly known?: ScoredSet;
}

interface LearnOutputs {
  readonly policy: TrainedPolicy;
  readonly scored: ScoredSet;
}

/** Content of a learner's checkpoint, beside the parameters that the loop's state holds. */
interface Saved {
  readonly logZ: unknown;
  readonly replay: string;
  readonly visited: readonly string[];
  readonly scored: readonly (readonly [string, number])[];
  /** Known trajectories that training has not sampled itself. */
  readonly unmet?: readonly string[];
  readonly optimizer: string;
}

/** A learner with an empty replay buffer and no estimate of log Z yet. */
export function makeLearner(params: LearnParams): Learner {
  return new Learner(params);
}

/** Steps a policy by an objective; keeps replay, log Z and the moments of both optimisers. */
export class Learner {
  readonly #params: LearnParams;
  readonly #visited = new VisitedObjects();
  readonly #scored = new ScoredWays();
  readonly #unmet = new Set<string>();
  #learning: Learning | undefined;
  #policy: TrainedPolicy | undefined;
  #pending: Saved | undefined;
  /** Sentence on how stale batches move the optimum, if they do. */
  #stale: string | undefined;

  constructor(params: LearnParams) {
    this.#params = params;
  }

  async run(context: StageContext, inputs: LearnInputs): Promise<LearnOutputs> {
    const { objective, parameters } = this.#open(context, inputs).trainer;
    await this.#restoreOptimizer(inputs.policy);
    const reads = readsOf(objective, parameters);
    const { name } = objective;
    const fresh = freshEntries(inputs.trajectories, inputs.log_reward, { name, reads });
    const learned = await this.#step(context, inputs, fresh);
    const { batch, metrics } = learned;
    if (context.step <= 1) warnOfWhatStays(context, objective, learned, this.#params);
    if (!inputs.log_reward) {
      this.#visited.add(context, inputs.trajectories, fresh, batch, reads);
    }
    for (const way of this.#scored.add(inputs, fresh, batch)) this.#unmet.delete(way);
    const trained = await this.#trained(context, inputs, metrics.log_z);
    report(context, learned, fresh.length);
    reportGap(context, learned, inputs.trajectories);
    if (context.staleness > 0) reportStaleness(context, inputs.trajectories);
    return { policy: trained, scored: this.#scored };
  }

  /** The objective is found among the plug-ins that the first step is given. */
  #open(context: StageContext, inputs: LearnInputs): Learning {
    if (this.#learning) return this.#learning;
    const objective = findObjective(this.#params.objective, context);
    const parameters = objectiveParameters(objective, this.#params);
    const learning = new Learning(objective, parameters, this.#params);
    this.#stale = requireFresh(objective, this.#params, context.staleness);
    if (this.#pending) {
      const { logZ, replay } = this.#pending;
      learning.load({ logZ, replay: Uint8Array.fromBase64(replay) });
    } else if (inputs.known) {
      this.#begin(context, learning, inputs.trajectories, inputs.known);
    }
    if (objective.onPolicy && context.step <= 1) warnOfExploration(context, objective, inputs);
    return this.#learning = learning;
  }

  /** Known rewards are entries of the replay buffer, and among what was asked for. */
  #begin(
    context: StageContext,
    learning: Learning,
    { environment, trajectories }: SampledTrajectories,
    known: ScoredSet,
  ): void {
    const { objective, parameters } = learning.trainer;
    const reads = readsOf(objective, parameters);
    requireSameQuestions(known, trajectories.map(({ prompt }) => prompt));
    const entries = knownEntries(environment, known, { name: objective.name, reads });
    learning.begin(entries);
    for (const way of this.#scored.addAll(known)) this.#unmet.add(way);
    const { capacity } = this.#params.replay!;
    context.metric("replay_known", Math.min(capacity, entries.length));
    if (entries.length <= capacity) return;
    const what = `${entries.length} rewards are known, and replay has room for ${capacity}`;
    context.log(`${what}: raise capacity`, "warning");
  }

  async #step(
    context: StageContext,
    { policy: { policy }, trajectories: { environment } }: LearnInputs,
    fresh: readonly ReplayEntry[],
  ): Promise<Learned> {
    const random = context.random("replay");
    const fraction = (context.step - 1) / Math.max(1, context.steps);
    const learned = await this.#learning!.step(policy, environment, fresh, { fraction, random });
    if (this.#params.reward_exponent) context.metric("reward_exponent", learned.rewardExponent);
    return learned;
  }

  async #trained(
    context: StageContext,
    { policy, trajectories, log_reward }: LearnInputs,
    logZ: number | undefined,
  ): Promise<TrainedPolicy> {
    const { objective, parameters } = this.#learning!.trainer;
    const guessed = log_reward?.guessed;
    const guess = guessed && `log rewards are guesses of ${guessed.by}, not executions`;
    const moved = [guess, objective.movesOptimum?.(parameters), this.#stale].reduce(
      movedOptimum,
      policy.movesOptimum ?? [],
    );
    if (context.step <= 1) { for (const line of moved) context.log(line, "warning"); }
    const last = context.step === context.steps && this.#params.average_decay !== undefined;
    this.#policy = {
      policy: last ? await policy.policy.averaged() : policy.policy,
      trajectories: policy.trajectories + trajectories.trajectories.length,
      distinctEvaluations: guessed?.evaluations ??
        (log_reward ? context.distinctEvaluations : this.#visited.size) + this.#unmet.size,
      ...(logZ === undefined ? {} : { logZ }),
      ...logZsOf(this.#learning!, policy, trajectories),
      ...shownTo(policy, trajectories),
      ...(moved.length === 0 ? {} : { movesOptimum: moved }),
    };
    return this.#policy;
  }

  async #restoreOptimizer({ policy }: TrainedPolicy): Promise<void> {
    const optimizer = this.#pending?.optimizer ?? "";
    this.#pending = undefined;
    if (optimizer !== "") await policy.loadOptimizer(Uint8Array.fromBase64(optimizer));
  }

  async save(): Promise<Uint8Array> {
    if (!this.#learning) return jsonBytes(this.#pending ?? {});
    const optimizer = await this.#policy?.policy.saveOptimizer() ?? new Uint8Array();
    const { logZ, replay } = this.#learning.save();
    const saved: Saved = {
      logZ,
      replay: replay.toBase64(),
      visited: this.#visited.save(),
      scored: this.#scored.save(),
      ...(this.#unmet.size > 0 && { unmet: [...this.#unmet] }),
      optimizer: optimizer.toBase64(),
    };
    return jsonBytes(saved);
  }

  load(bytes: Uint8Array): Promise<void> {
    const saved = bytesJson<Partial<Saved>>(bytes);
    this.#learning = undefined;
    this.#pending = saved.replay === undefined ? undefined : saved as Saved;
    this.#visited.load(saved.visited ?? []);
    this.#scored.load(saved.scored ?? []);
    for (const way of saved.unmet ?? []) this.#unmet.add(way);
    return Promise.resolve();
  }
}

/** log Z by prompt, where prompts are answered and the objective learns it; other learners' are kept. */
function logZsOf(
  { trainer: { objective, logZ } }: Learning,
  { logZs: before }: TrainedPolicy,
  { trajectories }: SampledTrajectories,
): Pick<TrainedPolicy, "logZs"> {
  const learns = objective.moves.includes("log_z") && trajectories.some(({ prompt }) => prompt);
  if (!learns) return before ? { logZs: before } : {};
  return { logZs: { ...before, ...Object.fromEntries(logZ.values) } };
}

/** A prompt that has shown a policy the response, now or before. */
function shownTo(
  { shown: before }: TrainedPolicy,
  { shown = before }: SampledTrajectories,
): Pick<TrainedPolicy, "shown"> {
  return shown === undefined ? {} : { shown };
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

/** Warns of parameters that were to be learned, and for which this objective has no gradient. */
function warnOfWhatStays(
  context: StageContext,
  { name, moves }: Objective,
  { scores }: Learned,
  { flow_learning_rate: flow }: LearnParams,
): void {
  if (scores.logPb && !moves.includes("backward")) {
    const mend = 'leave out backward = "learned"';
    context.log(`${name} does not move a learned backward policy: ${mend}`, "warning");
  }
  if (flow !== undefined && !moves.includes("flow")) {
    context.log(`${name} learns no state flow: leave out flow_learning_rate`, "warning");
  }
}

/** Causes, so far and now, by which training moves the optimum away from R / Z. */
function movedOptimum(before: readonly string[], now: string | undefined): readonly string[] {
  return now === undefined || before.includes(now) ? before : [...before, now];
}

function report(
  context: StageContext,
  { metrics, replayed, scores, batch }: Learned,
  first: number,
): void {
  for (const [name, value] of Object.entries(metrics)) context.metric(name, value);
  const rows = replayed.map((entry, i) => {
    const { logReward } = entry;
    const logPf = rowSum(scores.logPf, batch, first + i);
    const logPb = rowSum(scores.logPb ?? batch.logPb, batch, first + i);
    const trajectory = { ...entry, logPf, logPb, logPrior: NaN };
    return trajectoryRow(context, trajectory, first + i, logReward[logReward.length - 1], true);
  });
  context.rows("trajectory", rows);
  const { loss, log_z } = metrics;
  context.progress({ loss, ...(log_z === undefined ? {} : { log_z }) });
}

/** Reports log p of trajectories as sampled, less log p as learned: above 0 where the two drift apart, nats. */
function reportGap(
  context: StageContext,
  { scores, batch }: Learned,
  { trajectories }: SampledTrajectories,
): void {
  const gaps = trajectories.map(({ logPf }, i) => logPf - rowSum(scores.logPf, batch, i))
    .filter(Number.isFinite);
  if (gaps.length === 0) return;
  context.metric("log_pf_gap", gaps.reduce((sum, one) => sum + one, 0) / gaps.length);
}

/** How old the fresh trajectories were; those that no policy sampled have no age. */
function reportStaleness(context: StageContext, { trajectories }: SampledTrajectories): void {
  const ages = trajectories.map((one) => stalenessOf(context, one)).filter((age) =>
    age !== undefined
  );
  if (ages.length === 0) return;
  const mean = ages.reduce((sum, age) => sum + age, 0) / ages.length;
  context.metric("staleness", mean);
  context.progress({ staleness: mean });
}

function rowSum(values: Float64Array, { T, lengths }: Batch, row: number): number {
  return values.subarray(row * T, row * T + lengths[row]).reduce((sum, value) => sum + value, 0);
}
