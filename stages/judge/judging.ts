/** What the stage kind `judge` does: log rewards of every state, and a row for every new opinion. */
import { sha256 } from "../../src/base/digest.ts";
import type { StageContext } from "../../src/pipeline/contract/stage.ts";
import { type Judgement, logRewardOf } from "../../src/engine/score/reward.ts";
import { bytesJson, jsonBytes } from "../ports/json_codec.ts";
import { judgementRows, trajectoryRow } from "../common/trajectory_rows.ts";
import type { ExecutedTrajectories, LogRewards, Target } from "../ports/values.ts";

interface JudgeInputs {
  readonly executions: ExecutedTrajectories;
  readonly target: Target;
}

/**
 * Judges trajectories. A judge is a pure function, so its opinion of a program is written down the
 * first time only; which programs it knows is part of a checkpoint.
 */
export class Judging {
  #known = new Set<string>();

  run(
    context: StageContext,
    { executions, target }: JudgeInputs,
  ): Promise<{ readonly log_reward: LogRewards }> {
    const judged = executions.states.map((states) =>
      states.map(({ object, execution }) =>
        logRewardOf(target.rule, execution, object, target.dataset)
      )
    );
    const ends = judged.map((row) => row[row.length - 1]);
    this.#record(context, executions, target, ends);
    const values = judged.map((row) => Float64Array.from(row, (one) => one.logReward));
    return Promise.resolve({ log_reward: { values } });
  }

  save(): Promise<Uint8Array> {
    return Promise.resolve(jsonBytes([...this.#known]));
  }

  load(bytes: Uint8Array): Promise<void> {
    this.#known = new Set(bytesJson<string[]>(bytes));
    return Promise.resolve();
  }

  #record(
    context: StageContext,
    { trajectories }: ExecutedTrajectories,
    target: Target,
    ends: readonly Judgement[],
  ): void {
    context.rows(
      "trajectory",
      trajectories.map((one, i) => trajectoryRow(one, i, ends[i].logReward)),
    );
    const fresh = trajectories.flatMap((one, i) => this.#isNew(one.text) ? [{ one, i }] : []);
    context.rows(
      "judgement",
      fresh.flatMap(({ one, i }) => judgementRows(target, one, i, ends[i])),
    );
    context.metric("mean_log_reward", mean(ends.map((one) => one.logReward)));
    context.metric("failed", ends.filter((one) => one.failed).length);
    context.metric("raised", ends.filter((one) => one.raised).length);
  }

  #isNew(text: string): boolean {
    const digest = sha256(text);
    const fresh = !this.#known.has(digest);
    this.#known.add(digest);
    return fresh;
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
