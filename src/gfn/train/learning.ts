/** Learning from fresh and replayed trajectories: the state of a learner, and one step of it. */
import { inputError } from "../../base/diagnostic.ts";
import type { RandomStream } from "../../base/random.ts";
import type { Environment } from "../environments/environment.ts";
import { type Objective, readsOf } from "../objectives/objective.ts";
import { anotherWay } from "../policies/given_ways.ts";
import type { Policy, StepOptions } from "../policies/policy.ts";
import { ReplayBuffer } from "../replay/replay.ts";
import type { ReplayEntry } from "../replay/replay_entry.ts";
import type { Settings } from "../settings/read_settings.ts";
import { makeBatch, terminablePrefixes } from "../trajectories/batch.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import { LogZEstimates } from "./log_z_estimates.ts";
import { rewardExponentAt } from "./reward_exponent.ts";
import { rateAt } from "./schedule.ts";
import { withThoughtPosterior } from "./thought_posterior.ts";
import { Trainer, type Update } from "./trainer.ts";
import type { TrainingSettings } from "./training_settings.ts";

/** Position of a step in training. */
export interface Moment {
  /** Share of the training that is over, in [0, 1). */
  readonly fraction: number;
  /** Source of randomness of replay. */
  readonly random: RandomStream;
}

/** Result of one step. */
export interface Learned extends Update {
  /** Fresh trajectories, then replayed ones. */
  readonly batch: Batch;
  /** Entries that came from the buffer. */
  readonly replayed: readonly ReplayEntry[];
  /** Factor of the log rewards. */
  readonly rewardExponent: number;
}

/** A replay buffer, an estimate of log Z, and the steps of an objective that use both. */
export class Learning {
  /** Steps the policy. */
  readonly trainer: Trainer;
  readonly #settings: TrainingSettings;
  readonly #replay: ReplayBuffer;

  /**
   * Begins with an empty replay buffer.
   *
   * @throws InputError if the parameters are wrong, or the objective must not replay and would.
   */
  constructor(objective: Objective, parameters: Settings, settings: TrainingSettings) {
    checkReplay(objective, parameters, settings);
    this.#settings = settings;
    this.#replay = makeReplay(settings.replay);
    const logZ = new LogZEstimates(settings.log_z, settings.log_z_start);
    this.trainer = new Trainer(objective, parameters, logZ);
  }

  /**
   * Puts known entries into the replay buffer; they are scored again whenever they are drawn.
   *
   * @throws InputError if nothing is replayed.
   */
  begin(known: readonly ReplayEntry[]): void {
    requireReplay(this.#settings);
    for (const entry of known) this.#replay.add(entry);
  }

  /** Steps `policy` in place on fresh entries and replayed ones. */
  async step(
    policy: Policy,
    environment: Environment,
    fresh: readonly ReplayEntry[],
    { fraction, random }: Moment,
  ): Promise<Learned> {
    const { replay, reward_exponent: course } = this.#settings;
    const count = replay ? Math.round(fresh.length * replay.fraction) : 0;
    const drawn = replay ? this.#replay.sample(count, random, promptsOf(fresh)) : [];
    const replayed = replay?.ways === "backward"
      ? drawn.map((entry) => backwards(environment, entry, random))
      : drawn;
    const rewardExponent = rewardExponentAt(course, fraction);
    const entries = [...fresh, ...replayed];
    const logRewards = entries.map(({ logReward }) => logReward.map((one) => rewardExponent * one));
    const plain = makeBatch(environment, entries, logRewards);
    const { objective, parameters } = this.trainer;
    const isOfEnds = readsOf(objective, parameters) === "ends";
    const { thoughts: proposals = defaultThoughts } = this.#settings;
    const batch = isOfEnds
      ? await withThoughtPosterior(policy, plain, entries, { proposals, random })
      : plain;
    const update = await this.trainer.update(policy, batch, { ...this.#rates(fraction), fraction });
    if (replay) { for (const entry of fresh) this.#replay.add(entry); }
    return { ...update, batch, replayed, rewardExponent };
  }

  #rates(fraction: number): { readonly step: StepOptions; readonly logZ: number } {
    const { learning_rate: rate, clip_norm: clipNorm, average_decay: averageDecay } =
      this.#settings;
    const { weight_decay: weightDecay } = this.#settings;
    const scaled = (start: number) =>
      typeof rate === "number" ? start : rateAt({ ...rate, start }, fraction);
    const { flow_learning_rate: flow, log_z_learning_rate: logZ } = this.#settings;
    const step = {
      learningRate: rateAt(rate, fraction),
      clipNorm,
      ...(flow === undefined ? {} : { flowLearningRate: scaled(flow) }),
      ...(weightDecay === undefined ? {} : { weightDecay }),
      ...(averageDecay === undefined ? {} : { averageDecay }),
    };
    return { step, logZ: scaled(logZ) };
  }

  /** State for a checkpoint, beside policy and optimiser. */
  save(): { readonly logZ: unknown; readonly replay: Uint8Array } {
    return { logZ: this.trainer.logZ.save(), replay: this.#replay.save() };
  }

  /** Restores the state of `save`. */
  load({ logZ, replay }: { readonly logZ: unknown; readonly replay: Uint8Array }): void {
    this.trainer.logZ.load(logZ);
    this.#replay.load(replay);
  }
}

/** Further thoughts of the policy by which an object's mass is estimated. */
const defaultThoughts = 4;

/** Ids of the prompts of fresh entries; undefined where there are none. */
function promptsOf(fresh: readonly ReplayEntry[]): ReadonlySet<string> | undefined {
  const ids = fresh.flatMap(({ prompt }) => prompt ? [prompt.id] : []);
  return ids.length > 0 ? new Set(ids) : undefined;
}

/**
 * Refuses settings by which known rewards would never be drawn.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { requireReplay } from "./learning.ts";
 * assert.throws(() => requireReplay({} as never), /by replay/);
 * ```
 *
 * @throws InputError where known rewards would never be drawn.
 */
export function requireReplay({ replay }: TrainingSettings): void {
  if (replay && replay.fraction > 0) return;
  const message =
    "Cannot begin with known rewards: they are learnt from by replay, and there is none";
  const hint = "write replay = { capacity = 1000 } in learn, or leave known out of its inputs";
  throw inputError("learn/known", message, undefined, hint);
}

function makeReplay(replay: TrainingSettings["replay"]): ReplayBuffer {
  if (!replay) return new ReplayBuffer(1);
  const { capacity, choice: kind, eviction, power, top, top_share: topShare } = replay;
  const choice = {
    kind,
    ...(power === undefined ? {} : { power }),
    ...(top === undefined ? {} : { top }),
    ...(topShare === undefined ? {} : { topShare }),
  };
  return new ReplayBuffer(capacity, { eviction, choice });
}

/**
 * The same object by another path, drawn backwards and uniformly. Objects on that path have no reward
 * here, since objectives that read ends alone never use it.
 */
function backwards(
  environment: Environment,
  entry: ReplayEntry,
  random: RandomStream,
): ReplayEntry {
  if (entry.prompt || !environment.backward) return entry;
  const actions = anotherWay(environment, entry.actions, random);
  const passed = terminablePrefixes(environment, actions).length - 1;
  return { ...entry, actions, logReward: [...new Array(passed).fill(0), entry.logReward.at(-1)!] };
}

function checkReplay(
  objective: Objective,
  parameters: Settings,
  { replay }: TrainingSettings,
): void {
  const { name, onPolicy } = objective;
  if (replay?.ways === "backward" && readsOf(objective, parameters) === "prefixes") {
    const message =
      `Cannot replay other ways with ${name}: it reads rewards on the way, which are ` +
      "known of the way that was walked";
    throw inputError(
      "learn/backward-replay",
      message,
      undefined,
      'leave out replay.ways = "backward"',
    );
  }
  if (!onPolicy || !replay || replay.fraction === 0) return;
  const message = `Cannot replay with ${name}: it is right for the policy's own trajectories only`;
  throw inputError("learn/on-policy", message, undefined, "leave out replay");
}
