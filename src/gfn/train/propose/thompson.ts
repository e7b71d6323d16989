/** Thompson sampling: an ensemble that disagrees where little was seen, one of it drawn per batch. */
import { inputError } from "../../../base/diagnostic.ts";
import type { RandomStream } from "../../../base/random.ts";
import type { Environment } from "../../environments/environment.ts";
import { trajectoryBalance } from "../../objectives/trajectory_balance.ts";
import { freshPolicy } from "../../policies/create_policy.ts";
import type { Policy } from "../../policies/policy.ts";
import { makeBatch } from "../../trajectories/batch.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import { Trainer } from "../trainer.ts";
import { rewardsAtEnds } from "./off_policy.ts";

/** Size of an ensemble, and the learning of its members. */
export interface ThompsonOptions {
  /** Members, 2 or more. */
  readonly heads: number;
  /** Share of the trajectories of a batch that each member learns from, in (0, 1]. */
  readonly keep: number;
  /** Learning rate of Adam. */
  readonly learningRate: number;
}

/** One member: a policy, and its trainer. */
interface Head {
  readonly policy: Policy;
  readonly trainer: Trainer;
}

/** A member as a checkpoint keeps it. */
export interface SavedHead {
  readonly policy: string;
  readonly optimizer: string;
  readonly logZ: unknown;
}

/**
 * Each member is a fresh network like the policy's and learns by trajectory balance from a share of
 * every batch that is drawn for it alone, so that members agree only where they have learned from many
 * trajectories (Rector-Brooks et al. 2023). Members there share a trunk and differ in heads; here they
 * share no parameters, since a policy shows no hidden units, and cost a network each.
 */
export class Ensemble {
  private constructor(readonly heads: readonly Head[], readonly options: ThompsonOptions) {}

  /** @throws InputError for a policy of one's own, of which no fresh copy can be made. */
  static async of(
    student: Policy,
    options: ThompsonOptions,
    random: RandomStream,
  ): Promise<Ensemble> {
    const heads: Head[] = [];
    for (let k = 0; k < options.heads; k++) {
      const policy = await freshPolicy(student, random);
      if (!policy) throw noOther(student);
      heads.push(headOf(policy));
    }
    return new Ensemble(heads, options);
  }

  /** Trajectories of one member, drawn for all of them. */
  async walks(
    environment: Environment,
    count: number,
    random: RandomStream,
  ): Promise<readonly Trajectory[]> {
    const { policy } = this.heads[random.below(this.heads.length)];
    return await policy.sample(environment, { count, random, epsilon: 0, temperature: 1 });
  }

  /** One step of every member on its share of trajectories and their log rewards. */
  async step(
    environment: Environment,
    trajectories: readonly Trajectory[],
    logRewards: ArrayLike<number>,
    { fraction, random }: { readonly fraction: number; readonly random: RandomStream },
  ): Promise<void> {
    const { keep, learningRate } = this.options;
    const step = { learningRate, clipNorm: 10 };
    for (const { policy, trainer } of this.heads) {
      const own = [...trajectories.keys()].filter(() => random.uniform() < keep);
      if (own.length === 0) continue;
      const some = own.map((i) => trajectories[i]);
      const rewards = rewardsAtEnds(environment, some, own.map((i) => logRewards[i]));
      const batch = makeBatch(environment, some, rewards);
      await trainer.update(policy, batch, { step, logZ: 0.1, fraction });
    }
  }

  /** State for a checkpoint. */
  async save(): Promise<SavedHead[]> {
    return await Promise.all(this.heads.map(async ({ policy, trainer }) => ({
      policy: (await policy.save()).toBase64(),
      optimizer: (await policy.saveOptimizer()).toBase64(),
      logZ: trainer.logZ.save(),
    })));
  }

  /** Restores an ensemble from a checkpoint. */
  static async restore(
    saved: readonly SavedHead[],
    options: ThompsonOptions,
    load: (bytes: Uint8Array) => Promise<Policy>,
  ): Promise<Ensemble> {
    const heads = await Promise.all(saved.map(async ({ policy: bytes, optimizer, logZ }) => {
      const policy = await load(Uint8Array.fromBase64(bytes));
      await policy.loadOptimizer(Uint8Array.fromBase64(optimizer));
      const head = headOf(policy);
      head.trainer.logZ.load(logZ);
      return head;
    }));
    return new Ensemble(heads, options);
  }
}

function headOf(policy: Policy): Head {
  return { policy, trainer: new Trainer(trajectoryBalance) };
}

function noOther({ kind }: Policy): Error {
  const message = `Cannot propose by thompson: no other policy of kind ${kind} can be made`;
  const hint = "leave out thompson, or choose a built-in kind of policy";
  return inputError("propose/thompson", message, undefined, hint);
}
