/** The distinct objects whose own reward training has read, and the rows that they leave. */
import type { Reads } from "../../src/gfn/objectives/mod.ts";
import type { Batch, ReplayEntry } from "../../src/gfn/environments/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { programRow, trajectoryRow } from "../common/trajectory_rows.ts";
import type { SampledTrajectories } from "../ports/values.ts";

/**
 * Counts evaluations where an environment states its own reward, so that there is no executor to
 * count them. Intermediate objects count where the objective reads their reward.
 */
export class VisitedObjects {
  readonly #keys = new Set<string>();

  get size(): number {
    return this.#keys.size;
  }

  /** Adds the fresh trajectories, the first rows of the batch, for an objective that reads so much. */
  add(
    context: StageContext,
    { trajectories }: SampledTrajectories,
    fresh: readonly ReplayEntry[],
    { T, lengths, terminable, states }: Batch,
    reads: Reads | undefined,
  ): void {
    const prefixes = reads === undefined || reads === "prefixes";
    trajectories.forEach(({ text, logPrior, actions }, b) => {
      const end = b * T + lengths[b] - 1;
      const isNew = this.#add(states.keys[states.index[end]]);
      if (isNew) context.rows("program", [programRow({ text, logPrior, actions, features: [] })]);
      for (let cell = b * T; cell < end && prefixes; cell++) {
        if (terminable[cell] === 1) this.#add(states.keys[states.index[cell]]);
      }
    });
    const rows = trajectories.map((one, b) => {
      const { logReward } = fresh[b];
      return trajectoryRow(context, one, b, logReward[logReward.length - 1]);
    });
    context.rows("trajectory", rows);
    const mean = rows.reduce((sum, row) => sum + Number(row.log_reward), 0) / rows.length;
    context.metric("mean_log_reward", mean);
    context.metric("distinct_evaluations", this.size);
  }

  #add(key: string): boolean {
    const isNew = !this.#keys.has(key);
    this.#keys.add(key);
    return isNew;
  }

  save(): string[] {
    return [...this.#keys];
  }

  load(saved: readonly string[]): void {
    for (const key of saved) this.#keys.add(key);
  }
}
