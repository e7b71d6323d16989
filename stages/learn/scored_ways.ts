/** The trajectories to objects whose reward a learner was given: evidence for a certificate. */
import type { Batch, ReplayEntry } from "../../src/gfn/environments/mod.ts";
import { wayOf } from "./known_rewards.ts";
import type { LogRewards, SampledTrajectories, ScoredSet } from "../ports/values.ts";

/** Log rewards by the actions that lead to what they are of. */
export class ScoredWays implements ScoredSet {
  readonly #known = new Map<string, number>();

  /** In the order in which they were given. */
  get rows(): ScoredSet["rows"] {
    return [...this.#known].map(([way, logReward]) => [way.split(" ").map(Number), logReward]);
  }

  /**
   * Adds rewards of fresh trajectories, the first rows of the batch. Guesses of a surrogate are no
   * rewards, and answers to prompts no objects of the environment alone: both are left out.
   *
   * @returns The rewarded trajectories, answers among them.
   */
  add(
    { trajectories: { environment }, log_reward: judged }: {
      readonly trajectories: SampledTrajectories;
      readonly log_reward?: LogRewards;
    },
    fresh: readonly ReplayEntry[],
    { T, lengths, terminable }: Batch,
  ): string[] {
    if (judged?.guessed) return [];
    const ways: string[] = [];
    fresh.forEach(({ actions, logReward, prompt }, b) => {
      const given = judged?.values[b].length ?? logReward.length;
      const places = Array.from({ length: lengths[b] }, (_, t) => t)
        .filter((t) => terminable[b * T + t] === 1).slice(-given);
      places.forEach((t, k) => {
        const way = wayOf([...actions.slice(0, t), environment.exitAction]);
        if (!prompt) this.#known.set(way, logReward[logReward.length - given + k]);
        ways.push(way);
      });
    });
    return ways;
  }

  /** Adds rewards known before. @returns Their trajectories, those of answers too. */
  addAll({ rows, answers = [] }: ScoredSet): string[] {
    for (const [actions, logReward] of rows) this.#known.set(wayOf(actions), logReward);
    return [{ rows }, ...answers].flatMap((one) => one.rows.map(([actions]) => wayOf(actions)));
  }

  /** Content of a checkpoint. */
  save(): [string, number][] {
    return [...this.#known];
  }

  /** Restores the content that `save` returned. */
  load(saved: readonly (readonly [string, number])[]): void {
    for (const [way, logReward] of saved) this.#known.set(way, logReward);
  }
}
